// Notifies the operator about the health of the installation itself.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import {
  CONDITION_CODES,
  type Condition,
  type ConditionFinding,
} from '../domain/operating/condition.ts'
import { every } from '../engine/every.ts'
import { ConditionReport } from '../engine/self-watch/condition-report.ts'
import { type DiskUse, diskFindings, readDiskUse } from '../engine/self-watch/disk-watch.ts'
import { createOperatorNotifier } from '../engine/self-watch/operator-email.ts'
import { startRelayCheck } from '../engine/self-watch/relay-check.ts'
import { type SelfWatch, startSelfWatch } from '../engine/self-watch/self-watch.ts'
import { SelfWatchMetrics } from '../platform/metrics/self-watch-metrics.ts'
import type { Part } from '../platform/process/lifecycle.ts'
import { addReported, type ProcessRow, saveReported } from '../store/operating/processes.ts'
import { type Context, type Finder, openPool } from './context.ts'
import { createHeartbeat } from './heartbeat.ts'

const DISK_EVERY_MS = 10_000
const MAX_DELIVERY_LATE_SECONDS = 20
// How long a refused write counts as a condition, unless another follows.
const REFUSAL_MS = 45_000

type SelfWatchOptions = {
  version: string
  roles: readonly string[]
  /** Fingerprints of settings that must match. */
  settings: Record<string, string>
  /** Probes have no database. */
  withDatabase: boolean
  /** Where the service is installed. */
  root: string
  /** It runs every role. */
  isWhole: boolean
  /** The findings of this process's roles; more may be added later. */
  finders: readonly Finder[]
}

type OwnWatch = {
  part: Part
  conditions(): readonly Condition[]
  /** Every role has started. Until then nothing is reported as well. */
  begin(): void
}

/** Runs in every process. It starts first and stops last, so that a process is listed for as long as it works. */
export async function startSelfWatchRole(
  context: Context,
  options: SelfWatchOptions,
): Promise<OwnWatch> {
  const { config, log, metrics, signal } = context
  const { everySeconds } = config.selfWatch
  const database = options.withDatabase
    ? openPool(context, 'self_watch', 'upvane_engine', 1)
    : undefined
  const notifier = createOperatorNotifier(config, log, () =>
    metrics.mailFailures.inc({ kind: 'operator' }),
  )
  const disks = await watchDisks(context, options.root)
  const call = createHeartbeat(config)
  const started: { watch?: SelfWatch } = {}
  const relay = checkRelay(context, () => started.watch?.isWatch() === true)
  const own = [...ownFinders(context), disks.findings, ...(relay ? [relay.findings] : [])]
  const report = new ConditionReport({
    log,
    everySeconds,
    call,
    notify: notifier?.notify,
    save: async (reported) => database && saveReported(database, reported),
    add: async (reported) => database && addReported(database, reported),
  })
  const watch = await startSelfWatch({
    database,
    log,
    metrics: new SelfWatchMetrics(metrics.registry, CONDITION_CODES),
    identity: identityOf(context, options, (notifier ? 2 : 0) + (call ? 1 : 0)),
    everySeconds,
    limits: limitsOf(config.selfWatch),
    ownFindings: () => [...own, ...options.finders].flatMap((find) => find()),
    report,
    onProcesses: (others) => signal?.setAlone(options.isWhole && !others.some(hasDatabase)),
  })
  started.watch = watch
  const stop = async () => {
    await Promise.all([watch.stop(), disks.stop(), relay?.stop()])
    notifier?.close()
    await database?.close()
  }
  return { part: { name: 'self-watch', stop }, conditions: watch.conditions, begin: watch.begin }
}

/** Probes alone write nothing. */
const hasDatabase = ({ roles }: Pick<ProcessRow, 'roles'>) => roles.some((role) => role !== 'probe')

function identityOf({ config }: Context, options: SelfWatchOptions, reach: number) {
  const { roles, version } = options
  const isWhole = roles.length > 1
  return {
    id: randomUUID(),
    name: `${isWhole ? 'start' : roles.join(' ')} on ${hostname()} (${process.pid})`,
    roles,
    version,
    region: config.region,
    settings: options.settings,
    reach,
  }
}

function limitsOf({
  lateSeconds,
  databaseLimitBytes,
  watermarkPercent,
  backupMaxAgeHours,
}: Context['config']['selfWatch']) {
  const deliveryLateSeconds = Math.min(lateSeconds, MAX_DELIVERY_LATE_SECONDS)
  return {
    lateSeconds,
    deliveryLateSeconds,
    databaseLimitBytes,
    watermarkPercent,
    backupMaxAgeHours,
  }
}

function ownFinders({ config, bus, metrics }: Context): Finder[] {
  const withinMs = Math.min(REFUSAL_MS, 5_000 + config.selfWatch.everySeconds * 2_000)
  const noBus: ConditionFinding = { code: 'NO_BUS', subject: '', message: 'NATS cannot be reached' }
  return [
    () => (bus.isConnected() ? [] : [noBus]),
    () => {
      const code = metrics.recentRefusal(withinMs)
      const why = WRITE_FAULTS[code ?? '']
      return why === undefined ? [] : [{ code: 'WRITES_FAIL', subject: '', message: why }]
    },
  ]
}

const WRITE_FAULTS: Readonly<Record<string, string>> = {
  '53100': 'The database cannot write: its disk is full',
  '58030': 'The database cannot write: its disk fails',
  '25006': 'The database cannot write: it is read-only',
}

async function watchDisks({ config, log }: Context, root: string) {
  const { databaseDiskPath, watermarkPercent } = config.selfWatch
  const paths = [root, ...(databaseDiskPath === undefined ? [] : [databaseDiskPath])]
  let disks: DiskUse[] = []
  const read = async () => {
    disks = (await Promise.all(paths.map(readDiskUse))).filter((disk) => disk !== undefined)
  }
  await read()
  const loop = every(DISK_EVERY_MS, read, (err) => log.warn({ err }, 'disks could not be read'))
  return { findings: () => diskFindings(disks, watermarkPercent), stop: loop.stop }
}

function checkRelay({ config: { smtp } }: Context, isActive: () => boolean) {
  return smtp && startRelayCheck(smtp, isActive)
}
