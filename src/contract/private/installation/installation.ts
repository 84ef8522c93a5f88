// The operator's page: this installation as a whole, and nothing of its organizations but counts and times.
import { closed, nullable, time } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'

const seconds = Type.Number()
const bytes = Type.Number()

const Process = closed({
  /** Its roles, host and process id. */
  name: Type.String(),
  roles: Type.Array(Type.String()),
  version: Type.String(),
  region: Type.String(),
  startedAt: time(),
  /** Null if it is of an older version, which does not record it. */
  seenAt: nullable(time()),
  /** False if it ended within the last hour without being stopped. */
  isLive: Type.Boolean(),
})
const Probe = closed({
  region: Type.String(),
  name: Type.String(),
  version: nullable(Type.String()),
  lateMs: nullable(Type.Integer()),
  lastSeenAt: nullable(time()),
  isLive: Type.Boolean(),
})
const Condition = closed({
  code: Type.String(),
  message: Type.String(),
  /** What to do about it. */
  remedy: Type.String(),
  since: time(),
  /** The path of its entry in the troubleshooting guide, on this server. */
  help: Type.String(),
})

const Installation = closed({
  readAt: time(),
  /** Of the process that answered. */
  version: Type.String(),
  /** Of the running processes, newest first: several during a rolling upgrade. */
  versions: Type.Array(closed({ version: Type.String(), processes: Type.Integer() })),
  /** The first of them, and how many there are. */
  processes: closed({ total: Type.Integer(), data: Type.Array(Process) }),
  probes: closed({ total: Type.Integer(), data: Type.Array(Probe) }),
  conditions: Type.Array(Condition),
  backup: closed({
    /** Whether a timer has made one. */
    isScheduled: Type.Boolean(),
    newestAt: nullable(time()),
    hasFailed: Type.Boolean(),
    /** 0: backups are not watched. */
    maxAgeHours: Type.Integer(),
  }),
  database: closed({
    bytes,
    /** Null if `DATABASE_SIZE_LIMIT` is not set. */
    limitBytes: nullable(bytes),
    /** Null before the second day. */
    growth: nullable(closed({ bytesPerDay: bytes, days: Type.Integer() })),
  }),
  /** Those that the process that answered can see. */
  disks: Type.Array(closed({ path: Type.String(), usedBytes: bytes, totalBytes: bytes })),
  /** Totals of all organizations. */
  checks: closed({ overdue: Type.Integer(), lateSeconds: seconds, isEstimate: Type.Boolean() }),
  deliveries: closed({ due: Type.Integer(), isMore: Type.Boolean(), lateSeconds: seconds }),
  alerts: closed({ lateSeconds: seconds }),
  canMail: Type.Boolean(),
  /** Whether `UPDATE_URL` is set. */
  canCheckForUpdate: Type.Boolean(),
})

export const getInstallation = privateOperation({
  id: 'getInstallation',
  method: 'GET',
  path: '/operator/installation',
  who: 'OPERATOR',
  reply: { status: 200, body: Installation },
})

/** Sends one email to the operator who asks, straight through the relay, and returns the relay's own response. */
export const testInstallationEmail = privateOperation({
  id: 'testInstallationEmail',
  method: 'POST',
  path: '/operator/mail-tests',
  who: 'OPERATOR',
  reply: {
    status: 200,
    body: closed({
      to: Type.String(),
      delivered: Type.Boolean(),
      /** The relay's last response; null if there was none. */
      answer: nullable(Type.String()),
      /** What went wrong; null if nothing did. */
      error: nullable(Type.String()),
      tookMs: Type.Integer(),
    }),
  },
})

/** Reads `UPDATE_URL` once. Nothing is sent there but the request. */
export const checkForUpdate = privateOperation({
  id: 'checkForUpdate',
  method: 'POST',
  path: '/operator/update-checks',
  who: 'OPERATOR',
  reply: {
    status: 200,
    body: closed({
      /** The version that is named there; null if none is. */
      newest: nullable(Type.String()),
      isNewer: Type.Boolean(),
      /** Why no version could be read; null if one was. */
      problem: nullable(Type.String()),
    }),
  },
})

export const INSTALLATION_OPERATIONS = [getInstallation, testInstallationEmail, checkForUpdate]
