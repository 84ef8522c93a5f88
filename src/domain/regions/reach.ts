// Which regions may decide about a target: only those that have seen it work themselves. A region behind another
// firewall, resolver or route would report outages that are none, and hide real ones.
import { sendsOnce } from '../monitors/confirmation.ts'

/** What one region knows of a monitor's target. Rows start over when the target changes. */
export type RegionProof = {
  region: string
  /** Its last OK of any kind. Recorded about once a day. */
  passedAt: Date | null
  /** Its last OK that counted for the monitor. The order among regions is exact. */
  decidedAt: Date | null
  /** Its last try, which counts for nothing but proof. */
  triedAt: Date | null
  /** Since when it fails while another region passes. */
  lostAt: Date | null
  /** Where it reached the target, if known. Port: only over TCP. */
  address: string | null
  port: number | null
  isPrivate: boolean
}

/** A finished attempt with a verdict about the target. */
export type RegionFinding = {
  region: string
  passed: boolean
  address: string | null
  port: number | null
  isPrivate: boolean
}

type Home = {
  /** Of the organization, now. */
  home: string | undefined
  /** When the organization chose it; null if it did not. */
  homeChosenAt: Date | null
}

type Reach = Home & {
  proofs: readonly RegionProof[]
  /** When a probe of the region was last seen; null if not for a long time. */
  seenAt(region: string): Date | null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const PROOF_MS = 30 * DAY_MS
const GONE_MS = DAY_MS
/** A row that says nothing new is written again after this long. */
const REFRESH_MS = DAY_MS
// The addresses of many sites take turns.
const ADDRESS_MS = HOUR_MS
const TRY_AGAIN_MS = 7 * DAY_MS
const TRY_HOME_AGAIN_MS = 5 * MINUTE_MS
/** What they find does not depend on where they run, or is not asked by a probe. */
const WITHOUT_PLACE: ReadonlySet<string> = new Set(['CRON', 'DOMAIN'])

export function isProven({ passedAt, lostAt }: RegionProof, now: Date): boolean {
  return passedAt !== null && lostAt === null && now.getTime() - passedAt.getTime() < PROOF_MS
}

export function provenRegions(proofs: readonly RegionProof[], now: Date): string[] {
  return proofs.filter((proof) => isProven(proof, now)).map(({ region }) => region)
}

/** Where checks run: at home while home is proven, otherwise where the target last passed, and before that at home. */
export function baseRegion({ home, homeChosenAt, proofs, seenAt }: Reach, now: Date) {
  if (proofs.some((proof) => proof.region === home && isProven(proof, now))) return home
  const last = lastDecided(proofs)
  if (last === undefined) return home
  const at = seenAt(last.region)?.getTime() ?? 0
  if (now.getTime() - at < GONE_MS) return last.region
  // Its region is gone. Another one reaches the same public address; the same private address may be another host.
  const isChosenSince = homeChosenAt !== null && homeChosenAt.getTime() > at
  return last.isPrivate && !isChosenSince ? last.region : home
}

function lastDecided(proofs: readonly RegionProof[]): RegionProof | undefined {
  const decided = proofs.filter(({ decidedAt }) => decidedAt !== null)
  return decided.toSorted((a, b) => timeOf(b.decidedAt) - timeOf(a.decidedAt))[0]
}

const timeOf = (at: Date | null): number => at?.getTime() ?? 0

/** Whether the target has a private address where it last passed. */
export function isPrivateTarget(proofs: readonly RegionProof[]): boolean {
  return lastDecided(proofs)?.isPrivate ?? false
}

/** Whether any region passed at this address. */
export function wasReachedAt(proofs: readonly RegionProof[], address: string | null): boolean {
  return address !== null && proofs.some((proof) => proof.passedAt && proof.address === address)
}

type ProofRules = { counts: boolean; now: Date; isTogether?: boolean }

/**
 * The rows that change with a check. `counts`: it was a regular check, and not a try or one in a region chosen by hand,
 * which prove their region and change nothing else. `isTogether`: it ran in several regions at once, so that none of them
 * was the last to decide. Their order is not kept, or every check would write the rows of some of them.
 */
export function proofsAfter(
  proofs: readonly RegionProof[],
  findings: readonly RegionFinding[],
  { counts, now, isTogether = false }: ProofRules,
): RegionProof[] {
  const times = isTogether ? [] : proofs.map(({ decidedAt }) => timeOf(decidedAt))
  const newest = Math.max(0, ...times)
  const passed = findings.filter((finding) => finding.passed)
  const changed = passed.flatMap((finding) => {
    const before = proofs.find(({ region }) => region === finding.region)
    return afterPass(before, finding, { counts, now, newest }) ?? []
  })
  if (!counts) return changed
  const lost = proofs.filter(
    ({ region, lostAt, passedAt }) =>
      passedAt !== null &&
      lostAt === null &&
      findings.some((finding) => finding.region === region) &&
      passed.length > 0 &&
      passed.every((finding) => finding.region !== region),
  )
  return [...changed, ...lost.map((proof) => ({ ...proof, lostAt: now }))]
}

type PassTime = { counts: boolean; now: Date; newest: number }

/** Undefined if the row says so already. */
function afterPass(
  before: RegionProof | undefined,
  { region, address, port, isPrivate }: RegionFinding,
  { counts, now, newest }: PassTime,
): RegionProof | undefined {
  const where = { region, address, port, isPrivate }
  const { passedAt, decidedAt, triedAt } = before ?? NEVER
  const isOlder = (at: Date | null, ms: number) => now.getTime() - timeOf(at) >= ms
  const isLate = counts && (isOlder(decidedAt, REFRESH_MS) || timeOf(decidedAt) < newest)
  const hasMoved = isElsewhere(before, where) && isOlder(passedAt, ADDRESS_MS)
  const isNews = isOlder(passedAt, REFRESH_MS) || isLate || hasMoved
  if (!isNews && before?.lostAt === null && before.isPrivate === isPrivate) return undefined
  return { ...where, passedAt: now, decidedAt: counts ? now : decidedAt, triedAt, lostAt: null }
}

const NEVER = { passedAt: null, decidedAt: null, triedAt: null }

function isElsewhere(
  before: RegionProof | undefined,
  { address, port }: Pick<RegionFinding, 'address' | 'port'>,
): boolean {
  return before?.address !== address || before.port !== port
}

type TryRules = Pick<Home, 'home'> & {
  type: string
  /** Null for types that send no HTTP request. */
  method: string | null
  base: string | undefined
  isPrivate: boolean
  /** Regions of the operator that have a live probe for the type. */
  liveRegions: readonly string[]
  /** The check that just ended passed. */
  passed: boolean
}

/** The regions that may try the target now: each once, then once a week; an unproven home every five minutes. */
export function regionsToTry(
  proofs: readonly RegionProof[],
  { type, method, base, home, isPrivate, liveRegions, passed }: TryRules,
  now: Date,
): string[] {
  if (WITHOUT_PLACE.has(type) || sendsOnce(method) || isPrivate) return []
  // Before the first OK, only the base can earn it.
  if (lastDecided(proofs) === undefined && !passed) return []
  return liveRegions.filter((region) => {
    if (region === base) return false
    const proof = proofs.find((one) => one.region === region)
    const isKnown = proof !== undefined && isProven(proof, now)
    const last = Math.max(timeOf(proof?.triedAt ?? null), isKnown ? timeOf(proof.passedAt) : 0)
    const agoMs = now.getTime() - last
    if (region === home && !isKnown) return agoMs >= TRY_HOME_AGAIN_MS
    return passed && agoMs >= TRY_AGAIN_MS
  })
}
