// The troubles of the service itself: their codes, when a finding becomes a trouble, and what is reported. Pure: time
// comes from the caller.

export const TROUBLE_CODES = [
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
export type TroubleCode = (typeof TROUBLE_CODES)[number]

/** Findings with the same code and subject are the same. The subject is a region, a probe, a setting, or empty. */
export type TroubleFinding = {
  code: TroubleCode
  subject: string
  message: string
  /** Needs no confirmation, because it was found in what happened over time. */
  isCertain?: boolean
}
export type Trouble = Omit<TroubleFinding, 'isCertain'> & { since: Date }

/** What one process reports. `process` is a readable name. */
type Report = { process: string; troubles: readonly Trouble[] }

// Each process knows only its own side of these, so the report names the processes.
const OF_PROCESSES: ReadonlySet<TroubleCode> = new Set([
  'DATABASE_UNREACHABLE',
  'WRITES_FAIL',
  'NO_BUS',
  'CLOCK_OFF',
  'DISK_FILLING',
])

// Each cause, with the troubles that follow from it and would only repeat it.
const FOLLOWS: Partial<Record<TroubleCode, readonly TroubleCode[]>> = {
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

export const keyOf = ({ code, subject }: Pick<TroubleFinding, 'code' | 'subject'>) =>
  `${code} ${subject}`

/** Drops troubles that follow from another one. An unreachable database explains all others. */
export function withoutConsequences<F extends TroubleFinding>(findings: readonly F[]): F[] {
  const explained = explainedBy(findings)
  return findings.filter(({ code }) => !explained.has(code))
}

function explainedBy(findings: readonly TroubleFinding[]): ReadonlySet<TroubleCode> {
  if (findings.some(({ code }) => code === 'DATABASE_UNREACHABLE'))
    return new Set(TROUBLE_CODES.filter((code) => code !== 'DATABASE_UNREACHABLE'))
  return new Set(findings.flatMap(({ code }) => FOLLOWS[code] ?? []))
}

/** A finding over time. Milliseconds are from a monotonic clock. */
export type TrackedTrouble = Trouble & {
  seenMs: number
  goneMs: number | null
  isConfirmed: boolean
}

type ConfirmationTiming = {
  /** A finding that lasts this long becomes a trouble. */
  beginMs: number
  /** A trouble that is gone for this long has ended. */
  endMs: number
  /** Keys of known troubles, which need no second confirmation after a restart. */
  known?: ReadonlySet<string>
}

/** Neither a brief failure nor a brief recovery is reported. */
export function trackTroubles(
  before: readonly TrackedTrouble[],
  findings: readonly (TroubleFinding & { since?: Date })[],
  { now, nowMs }: { now: Date; nowMs: number },
  { beginMs, endMs, known }: ConfirmationTiming,
): TrackedTrouble[] {
  const past = new Map(before.map((followed) => [keyOf(followed), followed]))
  const seen = findings.map((finding): TrackedTrouble => {
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

/** Troubles that another process already confirmed. */
export function trackedFrom(troubles: readonly Trouble[], nowMs: number): TrackedTrouble[] {
  return troubles.map((one) => ({ ...one, seenMs: nowMs, goneMs: null, isConfirmed: true }))
}

export function confirmedOf(followed: readonly TrackedTrouble[]): Trouble[] {
  return followed
    .filter(({ isConfirmed }) => isConfirmed)
    .map(({ code, subject, message, since }) => ({ code, subject, message, since }))
}

const MAX_NAMES = 5

/** The troubles of the whole service, each once, with process names where they matter. */
export function mergeReports(reports: readonly Report[]): Trouble[] {
  const all = reports.flatMap(({ process, troubles }) =>
    troubles.map((trouble) => ({ process, trouble })),
  )
  const merged = [...Map.groupBy(all, ({ trouble }) => keyOf(trouble)).values()].map((same) => {
    // Safe because a group has at least one member.
    const { trouble } = same[0] as (typeof all)[number]
    const since = new Date(Math.min(...same.map((one) => one.trouble.since.getTime())))
    const names = [...new Set(same.map(({ process }) => process))]
    const where = OF_PROCESSES.has(trouble.code) ? ` (${listNames(names)})` : ''
    return { ...trouble, message: `${trouble.message}${where}`, since }
  })
  return withoutConsequences(withoutUnnamedRegion(merged))
}

/** A process that knows no region reports "in any region" where another process names one. */
function withoutUnnamedRegion(troubles: readonly Trouble[]): Trouble[] {
  const isNamed = troubles.some(({ code, subject }) => code === 'NO_PROBE' && subject !== '')
  return troubles.filter(({ code, subject }) => !isNamed || code !== 'NO_PROBE' || subject !== '')
}

export function listNames(names: readonly string[]): string {
  const sorted = names.toSorted()
  const shown = sorted.slice(0, MAX_NAMES).join(', ')
  const more = sorted.length - MAX_NAMES
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** New troubles, and reported ones that have ended. */
export function changesOf(
  reported: readonly Trouble[],
  troubles: readonly Trouble[],
): { began: Trouble[]; ended: Trouble[] } {
  const keysOf = (some: readonly Trouble[]) => new Set(some.map(keyOf))
  const [old, current] = [keysOf(reported), keysOf(troubles)]
  const explained = explainedBy(troubles)
  return {
    began: troubles.filter((trouble) => !old.has(keyOf(trouble))),
    // A trouble explained by another one has not ended: it is only hidden.
    ended: reported.filter(
      (trouble) => !current.has(keyOf(trouble)) && !explained.has(trouble.code),
    ),
  }
}

export type HealthSignal = 'WELL' | 'FAIL'

/** What the heartbeat reports; undefined while the state is not yet clear. */
export function signalOf(
  troubles: readonly Trouble[],
  followed: readonly TrackedTrouble[],
): HealthSignal | undefined {
  if (troubles.length > 0) return 'FAIL'
  return followed.length === 0 ? 'WELL' : undefined
}
