// Derives conditions from what was observed of the service. Pure.
import { SHARD_COUNT } from '../monitors/shards.ts'
import { type BackupStatus, findBackupProblem } from './backups.ts'
import { type ConditionCode, type ConditionFinding, listNames } from './condition.ts'

/** A process as it announced itself. `settings` maps setting names to fingerprints. */
export type ObservedProcess = {
  name: string
  roles: readonly string[]
  settings: Readonly<Record<string, string>>
}

/** What the database shows about the whole service. */
export type ServiceObservation = {
  processes: readonly ObservedProcess[]
  hasScheduler: boolean
  /** Shards with an overdue check. */
  lateShards: number
  /** How long the oldest alert condition has been overdue for planning. */
  alertLateSeconds: number
  /** How long the oldest delivery has been due without being sent. */
  deliveryLateSeconds: number
  /** Monitors that get no result, by the region that should check them; empty if there is none. */
  unchecked: readonly { region: string; count: number }[]
  partitionDaysAhead: number
  databaseBytes: number
  backup: BackupStatus
}

export type SelfWatchLimits = {
  lateSeconds: number
  deliveryLateSeconds: number
  /** Undefined if the size limit of the database is not known. */
  databaseLimitBytes: number | undefined
  watermarkPercent: number
  /** 0: backups are not watched. */
  backupMaxAgeHours: number
}

const MIN_PARTITION_DAYS = 2

const NEEDED: readonly { role: string; code: ConditionCode; message: string }[] = [
  { role: 'api', code: 'NO_API', message: 'No API process is running' },
  { role: 'dispatcher', code: 'NO_DISPATCHER', message: 'No dispatcher is running' },
  { role: 'janitor', code: 'NO_JANITOR', message: 'No janitor is running' },
]

const finding = (code: ConditionCode, message: string, subject = ''): ConditionFinding => ({
  code,
  subject,
  message,
})

export function findingsOf(
  observation: ServiceObservation,
  limits: SelfWatchLimits,
): ConditionFinding[] {
  const roles = new Set(observation.processes.flatMap((one) => one.roles))
  const missing = NEEDED.filter(({ role }) => !roles.has(role))
  return [
    ...(observation.hasScheduler ? [] : [finding('NO_SCHEDULER', 'No scheduler is running')]),
    ...missing.map(({ code, message }) => finding(code, message)),
    ...lateFindings(observation, limits),
    ...uncheckedFindings(observation),
    ...differences(observation.processes),
    ...sizeFindings(observation, limits),
    ...backupFindings(observation, limits),
  ]
}

function backupFindings(
  { backup }: ServiceObservation,
  { backupMaxAgeHours }: SelfWatchLimits,
): ConditionFinding[] {
  const problem = findBackupProblem(backup, backupMaxAgeHours)
  return problem === undefined ? [] : [finding('BACKUP_OLD', problem)]
}

function lateFindings(
  observation: ServiceObservation,
  { lateSeconds, deliveryLateSeconds }: SelfWatchLimits,
): ConditionFinding[] {
  const { lateShards, alertLateSeconds, deliveryLateSeconds: deliveryLate } = observation
  return [
    ...(lateShards > 0
      ? [finding('CHECKS_LATE', `Checks are more than ${lateSeconds} s late`)]
      : []),
    ...(alertLateSeconds > deliveryLateSeconds
      ? [finding('ALERTS_LATE', `Alerts wait for more than ${deliveryLateSeconds} s`)]
      : []),
    ...(deliveryLate > deliveryLateSeconds
      ? [
          finding(
            'DELIVERIES_LATE',
            `Webhooks, alerts or emails are due for more than ${deliveryLateSeconds} s`,
          ),
        ]
      : []),
  ]
}

function uncheckedFindings({ unchecked }: ServiceObservation): ConditionFinding[] {
  const total = unchecked.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return []
  const regions = unchecked.map(({ region, count }) => `${region || 'no region'} (${count})`)
  const message = `${total} ${total === 1 ? 'monitor gets' : 'monitors get'} no results`
  return [finding('MONITORS_UNCHECKED', `${message}: ${listNames(regions)}`)]
}

function sizeFindings(
  { partitionDaysAhead, databaseBytes }: ServiceObservation,
  limits: SelfWatchLimits,
): ConditionFinding[] {
  const { databaseLimitBytes, watermarkPercent } = limits
  return [
    ...(partitionDaysAhead < MIN_PARTITION_DAYS
      ? [
          finding(
            'PARTITIONS_MISSING',
            `Tables have partitions for ${partitionDaysAhead} more days only`,
          ),
        ]
      : []),
    ...(isBeyond(databaseBytes, databaseLimitBytes, watermarkPercent)
      ? [
          finding(
            'DATABASE_FILLING',
            `The database uses more than ${watermarkPercent}% of DATABASE_SIZE_LIMIT`,
          ),
        ]
      : []),
  ]
}

export function isBeyond(used: number, limit: number | undefined, percent: number): boolean {
  return limit !== undefined && used * 100 > limit * percent
}

/** One finding for each setting that differs between the processes that use it. */
export function differences(processes: readonly ObservedProcess[]): ConditionFinding[] {
  const names = [...new Set(processes.flatMap(({ settings }) => Object.keys(settings)))]
  return names.toSorted().flatMap((name) => {
    const having = processes.filter(({ settings }) => settings[name] !== undefined)
    const groups = [...Map.groupBy(having, ({ settings }) => settings[name]).values()]
    if (groups.length < 2) return []
    const sides = groups.map((group) => listNames(group.map((one) => one.name))).toSorted()
    return finding('CONFIGURATION_DIFFERS', `${name} differs: ${sides.join(' / ')}`, name)
  })
}

export type Checks = { decided: number; inconclusive: number }

const MIN_CHECKS = 3

export function areInconclusive({ decided, inconclusive }: Checks): boolean {
  return decided + inconclusive >= MIN_CHECKS && inconclusive > decided
}

const MAX_ROWS = 20_000

/** Shards to inspect in this round: all of them in a small installation, otherwise as many as can be read quickly. */
export function shardsOfRound(monitors: number, round: number): number[] {
  const perShard = Math.max(1, monitors / SHARD_COUNT)
  const count = Math.min(SHARD_COUNT, Math.max(1, Math.floor(MAX_ROWS / perShard)))
  return Array.from({ length: count }, (_, i) => (round * count + i) % SHARD_COUNT)
}
