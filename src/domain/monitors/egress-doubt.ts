// Whether a region's own network may be down. Silence of a target looks the same as silence of everything, so a region is
// in doubt while no public address answers it, and for a limited time: after that, failures count.

export type Doubt = 'NONE' | 'DOUBT' | 'OVER'

/** A doubt that no pass has ended. One of a region at a time. */
export type OpenDoubt = {
  /** The first failed attempt of the check that raised it. */
  since: Date
  /** When the addresses were asked that did not answer either: a pass that began earlier proves nothing. */
  raisedAt: Date
  /** Then failures count. */
  endsAt: Date
}

export type EgressSign =
  | { kind: 'SILENT'; failedAt: Date; askedAt: Date }
  | { kind: 'PASSED'; startedAt: Date }

export function doubtAt(open: OpenDoubt | null, now: Date): Doubt {
  if (open === null) return 'NONE'
  return now < open.endsAt ? 'DOUBT' : 'OVER'
}

/** A doubt whose time is up stays open until a pass: until then there is no new one, and failures count. */
export function doubtAfter(
  open: OpenDoubt | null,
  sign: EgressSign,
  limitMs: number,
): OpenDoubt | null {
  if (sign.kind === 'PASSED') return open !== null && sign.startedAt >= open.raisedAt ? null : open
  if (open !== null) return open
  const { failedAt: since, askedAt: raisedAt } = sign
  return { since, raisedAt, endsAt: new Date(since.getTime() + limitMs) }
}

// Silence looks the same whether the target or our own network is down. Any response, even a refusal, proves that our
// network works; DNS_ERROR has its own control query inside the check.
const SILENT_CAUSES = new Set(['TIMEOUT', 'CONNECTION_FAILED', 'PING_NO_REPLY'])

/** `silent` is what the probe said, which older ones do not. */
export function isSilent({ cause, silent }: { cause: string; silent?: boolean }): boolean {
  return silent ?? SILENT_CAUSES.has(cause)
}

type AskedCheck = {
  isDown: boolean
  doubt: Doubt
  /** Its request is not repeated once it was sent, so its first attempt may decide. */
  sendsOnce: boolean
  /** The attempts so far that say something about the target. */
  regions: readonly string[]
}

/**
 * When other addresses are asked whether the network works: with the attempt whose silence would decide. Undefined if they
 * are not, because silence is no news, counted anyway, or already met in another region.
 */
export function egressTiming(
  { isDown, doubt, sendsOnce, regions }: AskedCheck,
  region: string,
): 'START' | 'SILENCE' | undefined {
  if (isDown || doubt === 'OVER') return undefined
  if (regions.some((other) => other !== region)) return undefined
  if (regions.length > 0) return 'START'
  return sendsOnce ? 'SILENCE' : undefined
}

/** What an attempt of a check says about the network of the region it ran in. */
export type EgressAttempt = {
  startedAt: Date
  outcome: 'OK' | 'FAILED' | 'FAULT'
  /** It opened TCP at a public address. */
  isPublicTcp: boolean
  /** Whether another address answered. Null if none was asked. */
  controlReached: boolean | null
}

/**
 * Refused connections never raise a doubt: nothing else is asked about then. For a private target only the operator's control
 * targets are asked, because its silence says nothing about the way to public addresses.
 */
export function egressSignOf(
  attempt: EgressAttempt,
  check: { isEgress: boolean; failedAt: Date },
): EgressSign | undefined {
  const { startedAt, outcome, isPublicTcp, controlReached } = attempt
  if ((outcome === 'OK' && isPublicTcp) || controlReached === true)
    return { kind: 'PASSED', startedAt }
  if (!check.isEgress || controlReached !== false) return undefined
  return { kind: 'SILENT', failedAt: check.failedAt, askedAt: startedAt }
}

/**
 * Since when a monitor fails whose earlier failures did not count. `first` is the earliest of them; UNKNOWN if another
 * process ran its checks then: it is the beginning of the doubt, but never before its last result.
 */
export function failedSince(
  first: Date | 'UNKNOWN' | undefined,
  open: OpenDoubt,
  check: { failedSince: Date; lastCheckedAt: Date | null },
): Date {
  const fallback = latest(open.since, check.lastCheckedAt ?? check.failedSince)
  const known = first === 'UNKNOWN' ? fallback : first
  return known !== undefined && known < check.failedSince ? known : check.failedSince
}

const latest = (a: Date, b: Date): Date => (a > b ? a : b)

/** When a check without a verdict is repeated: at the latest when failures begin to count. */
export function repeatInDoubt(
  open: OpenDoubt | null,
  endedAt: Date,
  repeatAt: Date | undefined,
  nextSlotAt: Date,
): Date | undefined {
  if (open === null || open.endsAt <= endedAt) return repeatAt
  return open.endsAt < (repeatAt ?? nextSlotAt) ? open.endsAt : repeatAt
}

/** Where a monitor that works was reached last. The address is a public one. */
export type ReachedAddress = { orgId: string; address: string; port: number }

const MAX_SAMPLES = 5
const MIN_NETWORKS = 3
const MAX_OF_ONE_ORGANIZATION = 2

/**
 * The addresses that are asked whether the network works: each of another network and, if there are several
 * organizations, at most two of one, so that no single outage elsewhere looks like ours. Empty if there are too few.
 */
export function chooseSamples(candidates: readonly ReachedAddress[]): ReachedAddress[] {
  const byOrganization = [...Map.groupBy(candidates, ({ orgId }) => orgId).values()]
  const most = byOrganization.length > 1 ? MAX_OF_ONE_ORGANIZATION : MAX_SAMPLES
  // Those with the least choice choose first.
  const inOrder = byOrganization.toSorted((a, b) => networksOf(a).size - networksOf(b).size)
  const chosen: ReachedAddress[] = []
  for (let round = 0; round < most; round++)
    for (const own of inOrder) {
      const taken = networksOf(chosen)
      const next = own.find(({ address }) => !taken.has(networkOf(address)))
      if (next !== undefined && chosen.length < MAX_SAMPLES) chosen.push(next)
    }
  return chosen.length < MIN_NETWORKS ? [] : chosen
}

const networksOf = (reached: readonly ReachedAddress[]) =>
  new Set(reached.map(({ address }) => networkOf(address)))

/** The /24 or /48 of an address. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address.split('.').slice(0, 3).join('.')
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter((group) => group !== '')
  const right = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 3)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
