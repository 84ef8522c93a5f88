// The operator's page: one reader per process, so that several open pages cost as much as one.
import { limitRequests } from '../../../actions/people/limit-tries.ts'
import * as contract from '../../../contract/private/installation/installation.ts'
import { mergeReports } from '../../../domain/operating/condition.ts'
import { helpPath, REMEDIES } from '../../../domain/operating/condition-remedies.ts'
import { growthOf } from '../../../domain/operating/database-growth.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { isNewerVersion } from '../../../domain/values/version.ts'
import { ApiError } from '../../../platform/api-error.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Database } from '../../../store/core/db.ts'
import { appendOperatorLine } from '../../../store/core/operator-log.ts'
import {
  type InstallationState,
  readInstallation,
} from '../../../store/operating/installation/read-installation.ts'
import { subjectOf } from '../../../store/people/sign-in-windows.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import { NO_RELAY, type SendTestEmail } from '../email-test.ts'
import { userOf } from '../session-user.ts'

// In 15 minutes: of one operator, and of all of them.
const MAX_MAIL_TESTS = 10
const MAX_UPDATE_CHECKS = 10
// Shorter than the page waits between two reads.
const KEPT_MS = 5_000

export type UpdateCheck = { newest: string | null; problem: string | null }

export type InstallationDeps = {
  config: Pick<Config, 'selfWatch' | 'smtp'>
  version: string
  /** As upvane_engine. One of its connections is used at a time. */
  engine: Database
  readDisks(): Promise<{ path: string; usedBytes: number; totalBytes: number }[]>
  /** Undefined: UPDATE_URL is not set. */
  checkForUpdate: (() => Promise<UpdateCheck>) | undefined
  sendTestEmail: SendTestEmail
}

export function installationOperations(deps: InstallationDeps): readonly BoundOperation[] {
  const { version } = deps
  const read = shareReads((round) => readInstallation(deps.engine, round))

  const get: Handler<typeof contract.getInstallation> = async () => {
    const [installation, disks] = await Promise.all([read(), deps.readDisks()])
    return { ...toShown(installation, deps), disks }
  }

  const testMail: Handler<typeof contract.testInstallationEmail> = async (_input, visit) => {
    const { people, session } = visit
    const { uuid } = session.user
    if (deps.sendTestEmail === undefined) throw new ApiError('conflict', NO_RELAY)
    await limitRequests(people, [{ subject: subjectOf('mail-test', uuid), limit: MAX_MAIL_TESTS }])
    const { email: to, name } = await userOf(visit)
    await appendOperatorLine(people, { ...lineOf(uuid), action: 'mail test' })
    return { to, ...(await deps.sendTestEmail({ to, name, organization: 'this installation' })) }
  }

  const checkForUpdate: Handler<typeof contract.checkForUpdate> = async (_input, { people }) => {
    if (deps.checkForUpdate === undefined)
      throw new ApiError('conflict', 'Checking for updates is off: UPDATE_URL is not set.')
    const subject = subjectOf('update-check', '')
    await limitRequests(people, [{ subject, limit: MAX_UPDATE_CHECKS }])
    const found = await deps.checkForUpdate()
    return { ...found, isNewer: isNewerVersion(found.newest ?? '', version) }
  }

  return [
    bind(contract.getInstallation, get),
    bind(contract.testInstallationEmail, testMail),
    bind(contract.checkForUpdate, checkForUpdate),
  ]
}

/** Whoever did it is who the line is about: it is erased with the person. */
const lineOf = (uuid: string) => ({ operator: toPublicId('usr', uuid), personId: uuid })

function toShown(installation: InstallationState, { version, config, ...deps }: InstallationDeps) {
  const { readAt, processes, reports, probes, backup, database, ...queues } = installation
  const { backupMaxAgeHours: maxAgeHours, databaseLimitBytes = null } = config.selfWatch
  const { isScheduled, ageSeconds, hasFailed } = backup
  const newestAt = ageSeconds === null ? null : new Date(readAt.getTime() - ageSeconds * 1000)
  const { bytes, sizes } = database
  return {
    readAt,
    version,
    versions: versionsOf(reports),
    processes: {
      ...processes,
      data: processes.data.map((one) => ({ ...one, roles: [...one.roles] })),
    },
    probes,
    conditions: mergeReports(
      reports.map(({ name, conditions }) => ({ process: name, conditions })),
    ).map(({ code, message, since }) => ({
      code,
      message,
      remedy: REMEDIES[code],
      since,
      help: helpPath(code),
    })),
    backup: { isScheduled, newestAt, hasFailed, maxAgeHours },
    database: { bytes, limitBytes: databaseLimitBytes, growth: growthOf(sizes, bytes) ?? null },
    ...queues,
    canMail: config.smtp !== undefined,
    canCheckForUpdate: deps.checkForUpdate !== undefined,
  }
}

function versionsOf(processes: readonly { version: string }[]) {
  const counts = Map.groupBy(processes, ({ version }) => version)
  return [...counts]
    .map(([version, all]) => ({ version, processes: all.length }))
    .toSorted((a, b) => (isNewerVersion(a.version, b.version) ? -1 : 1))
}

/** Callers at the same time, and for a moment after, get the same answer. */
function shareReads<T>(read: (round: number) => Promise<T>): () => Promise<T> {
  let round = 0
  let kept: { answer: Promise<T>; untilMs: number } | undefined
  return () => {
    if (kept !== undefined && performance.now() < kept.untilMs) return kept.answer
    const answer = read(round++)
    const own = { answer, untilMs: Number.POSITIVE_INFINITY }
    kept = own
    const forget = () => {
      if (kept === own) kept = undefined
    }
    answer.then(() => {
      own.untilMs = performance.now() + KEPT_MS
    }, forget)
    return answer
  }
}
