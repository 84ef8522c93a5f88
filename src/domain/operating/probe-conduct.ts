// Which probes get no jobs for a while, because what they send is nonsense. Pure: milliseconds are from a monotonic clock.

/** What a probe did wrong lately. */
export type Conduct = {
  readonly faultsMs: readonly number[]
  readonly suspendedAtMs: number | null
}

const MAX_FAULTS = 3
const FAULTS_WITHIN_MS = 60_000
const SUSPENDED_MS = 60_000
/** Longer than a suspension, so that one after the other is one condition to the operator. */
const REPORTED_MS = 300_000

export const GOOD_CONDUCT: Conduct = { faultsMs: [], suspendedAtMs: null }

/** The third fault within a minute suspends the probe for a minute. */
export function withFault(conduct: Conduct, nowMs: number): Conduct {
  if (isSuspended(conduct, nowMs)) return conduct
  const faultsMs = [...recentFaults(conduct, nowMs), nowMs]
  if (faultsMs.length < MAX_FAULTS) return { ...conduct, faultsMs }
  return { faultsMs: [], suspendedAtMs: nowMs }
}

export function isSuspended(conduct: Conduct, nowMs: number): boolean {
  return isWithin(conduct.suspendedAtMs, nowMs, SUSPENDED_MS)
}

/** Suspended, or at fault within the last minute. */
export function isSuspect(conduct: Conduct, nowMs: number): boolean {
  return isSuspended(conduct, nowMs) || recentFaults(conduct, nowMs).length > 0
}

/** Suspended within the last five minutes. */
export function isReported(conduct: Conduct, nowMs: number): boolean {
  return isWithin(conduct.suspendedAtMs, nowMs, REPORTED_MS)
}

function recentFaults({ faultsMs }: Conduct, nowMs: number): number[] {
  return faultsMs.filter((atMs) => isWithin(atMs, nowMs, FAULTS_WITHIN_MS))
}

function isWithin(atMs: number | null, nowMs: number, forMs: number): boolean {
  return atMs !== null && nowMs - atMs < forMs
}
