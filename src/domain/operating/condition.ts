// The conditions of the service itself: their codes, when a finding becomes a condition, and what is reported. Pure: time
// comes from the caller.

export const CONDITION_CODES = [
  'DATABASE_UNREACHABLE',
  'WRITES_FAIL',
  'NO_BUS',
  'NO_API',
  'NO_SCHEDULER',
  'NO_DISPATCHER',
  'NO_JANITOR',
  'PROCESS_DIED',
  'NO_PROBE',
  'PROBE_FAULT',
  'REGION_MOVED',
  'CHECKS_LATE',
  'CHECKS_INCONCLUSIVE',
  'MONITORS_UNCHECKED',
  'ALERTS_LATE',
  'DELIVERIES_LATE',
  'PARTITIONS_MISSING',
  'CLOCK_OFF',
  'RELAY_REFUSES',
  'CONFIGURATION_DIFFERS',
  'DISK_FILLING',
  'DATABASE_FILLING',
  'BACKUP_OLD',
] as const
export type ConditionCode = (typeof CONDITION_CODES)[number]

/** Findings with the same code and subject are the same. The subject is a region, a probe, a setting, or empty. */
export type ConditionFinding = {
  code: ConditionCode
  subject: string
  message: string
  /** Needs no confirmation, because it was found in what happened over time. */
  isCertain?: boolean
}
export type Condition = Omit<ConditionFinding, 'isCertain'> & { since: Date }

/** What one process reports. `process` is a readable name. */
type Report = { process: string; conditions: readonly Condition[] }

// Each process knows only its own side of these, so the report names the processes.
const OF_PROCESSES: ReadonlySet<ConditionCode> = new Set([
  'DATABASE_UNREACHABLE',
  'WRITES_FAIL',
  'NO_BUS',
  'CLOCK_OFF',
  'DISK_FILLING',
])

// Each cause, with the conditions that follow from it and would only repeat it.
const FOLLOWS: Partial<Record<ConditionCode, readonly ConditionCode[]>> = {
  WRITES_FAIL: [
    'PROCESS_DIED',
    'NO_API',
    'NO_SCHEDULER',
    'NO_DISPATCHER',
    'NO_JANITOR',
    'CHECKS_LATE',
    'MONITORS_UNCHECKED',
    'ALERTS_LATE',
    'DELIVERIES_LATE',
  ],
  NO_BUS: ['NO_PROBE', 'CHECKS_INCONCLUSIVE', 'MONITORS_UNCHECKED', 'CHECKS_LATE'],
  NO_PROBE: ['CHECKS_INCONCLUSIVE', 'CHECKS_LATE'],
  NO_API: ['PROCESS_DIED'],
  NO_SCHEDULER: ['PROCESS_DIED', 'CHECKS_LATE', 'MONITORS_UNCHECKED'],
  NO_DISPATCHER: ['PROCESS_DIED', 'ALERTS_LATE', 'DELIVERIES_LATE'],
  NO_JANITOR: ['PROCESS_DIED'],
}

export const keyOf = ({ code, subject }: Pick<ConditionFinding, 'code' | 'subject'>) =>
  `${code} ${subject}`

/** Drops conditions that follow from another one. An unreachable database explains all others. */
export function withoutConsequences<F extends ConditionFinding>(findings: readonly F[]): F[] {
  const explained = explainedBy(findings)
  return findings.filter(({ code }) => !explained.has(code))
}

function explainedBy(findings: readonly ConditionFinding[]): ReadonlySet<ConditionCode> {
  if (findings.some(({ code }) => code === 'DATABASE_UNREACHABLE'))
    return new Set(CONDITION_CODES.filter((code) => code !== 'DATABASE_UNREACHABLE'))
  return new Set(findings.flatMap(({ code }) => FOLLOWS[code] ?? []))
}

/** A finding over time. Milliseconds are from a monotonic clock. */
export type TrackedCondition = Condition & {
  seenMs: number
  goneMs: number | null
  isConfirmed: boolean
}

type ConfirmationTiming = {
  /** A finding that lasts this long becomes a condition. */
  beginMs: number
  /** A condition that is gone for this long has ended. */
  endMs: number
  /** Keys of known conditions, which need no second confirmation after a restart. */
  known?: ReadonlySet<string>
}

/** Neither a brief failure nor a brief recovery is reported. */
export function trackConditions(
  before: readonly TrackedCondition[],
  findings: readonly (ConditionFinding & { since?: Date })[],
  { now, nowMs }: { now: Date; nowMs: number },
  { beginMs, endMs, known }: ConfirmationTiming,
): TrackedCondition[] {
  const past = new Map(before.map((followed) => [keyOf(followed), followed]))
  const seen = findings.map((finding): TrackedCondition => {
    const key = keyOf(finding)
    const old = past.get(key)
    past.delete(key)
    const seenMs = old?.seenMs ?? nowMs
    const isKnown = old?.isConfirmed === true || known?.has(key) === true
    const isConfirmed = isKnown || finding.isCertain === true || nowMs - seenMs >= beginMs
    const { code, subject, message, since = now } = finding
    return { code, subject, message, since: old?.since ?? since, seenMs, goneMs: null, isConfirmed }
  })
  const leaving = [...past.values()].flatMap((followed) => {
    const goneMs = followed.goneMs ?? nowMs
    return followed.isConfirmed && nowMs - goneMs < endMs ? { ...followed, goneMs } : []
  })
  return [...seen, ...leaving]
}

/** Conditions that another process already confirmed. */
export function trackedFrom(conditions: readonly Condition[], nowMs: number): TrackedCondition[] {
  return conditions.map((one) => ({ ...one, seenMs: nowMs, goneMs: null, isConfirmed: true }))
}

export function confirmedOf(followed: readonly TrackedCondition[]): Condition[] {
  return followed
    .filter(({ isConfirmed }) => isConfirmed)
    .map(({ code, subject, message, since }) => ({ code, subject, message, since }))
}

const MAX_NAMES = 5

/** The conditions of the whole service, each once, with process names where they matter. */
export function mergeReports(reports: readonly Report[]): Condition[] {
  const all = reports.flatMap(({ process, conditions }) =>
    conditions.map((condition) => ({ process, condition })),
  )
  const merged = [...Map.groupBy(all, ({ condition }) => keyOf(condition)).values()].map((same) => {
    // Safe because a group has at least one member.
    const { condition } = same[0] as (typeof all)[number]
    const since = new Date(Math.min(...same.map((one) => one.condition.since.getTime())))
    const names = [...new Set(same.map(({ process }) => process))]
    const where = OF_PROCESSES.has(condition.code) ? ` (${listNames(names)})` : ''
    return { ...condition, message: `${condition.message}${where}`, since }
  })
  return withoutConsequences(withoutUnnamedRegion(merged))
}

/** A process that knows no region reports "in any region" where another process names one. */
function withoutUnnamedRegion(conditions: readonly Condition[]): Condition[] {
  const isNamed = conditions.some(({ code, subject }) => code === 'NO_PROBE' && subject !== '')
  return conditions.filter(({ code, subject }) => !isNamed || code !== 'NO_PROBE' || subject !== '')
}

export function listNames(names: readonly string[]): string {
  const sorted = names.toSorted()
  const shown = sorted.slice(0, MAX_NAMES).join(', ')
  const more = sorted.length - MAX_NAMES
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** New conditions, and reported ones that have ended. */
export function changesOf(
  reported: readonly Condition[],
  conditions: readonly Condition[],
): { began: Condition[]; ended: Condition[] } {
  const keysOf = (some: readonly Condition[]) => new Set(some.map(keyOf))
  const [old, current] = [keysOf(reported), keysOf(conditions)]
  const explained = explainedBy(conditions)
  return {
    began: conditions.filter((condition) => !old.has(keyOf(condition))),
    // A condition explained by another one has not ended: it is only hidden.
    ended: reported.filter(
      (condition) => !current.has(keyOf(condition)) && !explained.has(condition.code),
    ),
  }
}

export type HealthSignal = 'WELL' | 'FAIL'

/** What the heartbeat reports; undefined while the state is not yet clear. */
export function signalOf(
  conditions: readonly Condition[],
  followed: readonly TrackedCondition[],
): HealthSignal | undefined {
  if (conditions.length > 0) return 'FAIL'
  return followed.length === 0 ? 'WELL' : undefined
}
