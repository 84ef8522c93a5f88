// What a scheduler knows about the networks of the regions: which addresses probes ask when a target is silent, and which
// regions are in doubt. It acts on its own knowledge at once; what others know is read from the database.
import type { CheckTarget } from '../../checks/registry.ts'
import type { CheckOutcome } from '../../domain/monitors/confirmation.ts'
import {
  chooseSamples,
  type Doubt,
  doubtAfter,
  doubtAt,
  egressSignOf,
  egressTiming,
  failedSince,
  isSilent,
  type OpenDoubt,
  repeatInDoubt,
} from '../../domain/monitors/egress-doubt.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { FIRST_ORGANIZATION, findReachedAddresses } from '../../store/monitors/egress-samples.ts'
import { endDoubt, findOpenDoubts, raiseDoubt } from '../../store/monitors/region-doubts.ts'
import type { EgressTask } from './probe.ts'
import { toRegionFinding } from './region-finding.ts'
import type { ObservedAttempt } from './to-attempt.ts'

type WatchDeps = {
  database: Database
  log: Log
  now(): Date
  limitMs: number
  /** Regions with a live probe. */
  regions(): readonly string[]
}

/** A check as far as the doubt is concerned. */
type EgressCheck = {
  /** Absent for a draft. */
  no?: number
  shard?: number
  lastCheckedAt?: Date | null
  lastStatusChangedAt?: Date | null
  epoch?: number
  base: string | undefined
  isPrivate: boolean
  isDown: boolean
  sendsOnce: boolean
}

type Remembered = { at: Date; epoch: number | undefined }

const SAMPLES_MS = 60_000
// A new region has none yet, and one that has been reached nowhere else asks little.
const NO_SAMPLES_MS = 10_000
const MAX_REMEMBERED = 200_000

export class EgressWatch {
  readonly #deps: WatchDeps
  readonly #samples = new Map<string, { pairs: string[]; readMs: number; next: string }>()
  #open = new Map<string, OpenDoubt>()
  /** By region and monitor: the first failed attempt that did not count. */
  readonly #first = new Map<string, Map<number, Remembered>>()
  /** When the checks of a shard began to run here. */
  readonly #gained = new Map<number, Date>()
  #writes: Promise<void> = Promise.resolve()
  #changes = 0

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  doubtOf(region: string | undefined): Doubt {
    return doubtAt(this.#open.get(region ?? '') ?? null, this.#deps.now())
  }

  gained(shards: readonly number[]): void {
    const now = this.#deps.now()
    for (const shard of shards) this.#gained.set(shard, now)
  }

  /** What the probe asks with the next attempt. Always set, so that it does not ask as for older schedulers. */
  taskFor(check: EgressCheck, region: string, attempts: readonly ObservedAttempt[]): EgressTask {
    const regions = attempts.flatMap((attempt) =>
      attempt.outcome === 'FAULT' || attempt.stalled ? [] : attempt.region,
    )
    const isAfterFirst = attempts.some(({ outcome }) => outcome !== 'FAULT')
    const doubt = this.doubtOf(check.base)
    const asked = regions.length === 0 && isAfterFirst ? [region] : regions
    const when = egressTiming({ ...check, doubt, regions: asked }, region)
    if (when === undefined) return { when: 'NEVER', pairs: [] }
    // The same network may lead to a private target while the way out is cut, and the reverse.
    const pairs = check.isPrivate ? [] : this.#samples.get(region)?.pairs
    return { when, pairs: pairs ?? [] }
  }

  /** Takes note of a finished check. The outcome knows since when the monitor really fails. */
  settle(
    check: EgressCheck,
    { target, attempts }: { target: CheckTarget; attempts: readonly ObservedAttempt[] },
    outcome: CheckOutcome,
  ): CheckOutcome {
    const isEgress = outcome.result === 'INCONCLUSIVE' && outcome.reason === 'EGRESS'
    const failed = attempts.find((attempt) => attempt.outcome === 'FAILED' && !attempt.stalled)
    const failedAt = failed?.startedAt ?? this.#deps.now()
    for (const attempt of attempts) {
      const isPublicTcp = isPublicOverTcp(target, attempt)
      this.#note(attempt, { isEgress, failedAt, isPublicTcp })
    }
    const { base, no } = check
    if (base === undefined || no === undefined) return outcome
    if (isEgress) this.#remember({ ...check, base, no }, failedAt)
    if (outcome.result === 'OK') this.#first.get(base)?.delete(no)
    return attempts.at(-1)?.region === base ? this.#date({ ...check, base, no }, outcome) : outcome
  }

  /** Silence that counts again began earlier. */
  #date(check: EgressCheck & { base: string; no: number }, outcome: CheckOutcome): CheckOutcome {
    const open = this.#open.get(check.base)
    if (open === undefined || outcome.result !== 'FAILED' || !isSilent(outcome.failure))
      return outcome
    const { failedSince: ownSince } = outcome
    const times = { failedSince: ownSince, lastCheckedAt: floorOf(check) }
    return { ...outcome, failedSince: failedSince(this.#firstOf(check, open), open, times) }
  }

  repeatAt(region: string | undefined, endedAt: Date, at: Date | undefined, nextSlotAt: Date) {
    const open = region === undefined ? undefined : this.#open.get(region)
    return repeatInDoubt(open ?? null, endedAt, at, nextSlotAt)
  }

  /** Reads what others know, after writing what is known here. */
  async readDoubts(): Promise<void> {
    await this.#writes
    const changes = this.#changes
    const open = await findOpenDoubts(this.#deps.database)
    // Something happened meanwhile: the next round reads it.
    if (changes !== this.#changes) return
    this.#open = open
    for (const region of this.#first.keys()) if (!open.has(region)) this.#first.delete(region)
  }

  async readSamples(): Promise<void> {
    const nowMs = performance.now()
    for (const region of this.#deps.regions()) {
      const known = this.#samples.get(region)
      const ageMs = known === undefined || known.pairs.length === 0 ? NO_SAMPLES_MS : SAMPLES_MS
      if (known !== undefined && nowMs - known.readMs < ageMs) continue
      const from = known?.next ?? FIRST_ORGANIZATION
      const { reached, next } = await findReachedAddresses(this.#deps.database, region, from)
      const pairs = chooseSamples(reached).map(({ address, port }) =>
        address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`,
      )
      this.#samples.set(region, { pairs, readMs: nowMs, next })
    }
  }

  #note(
    { region, startedAt, ...attempt }: ObservedAttempt,
    { isPublicTcp, ...about }: { isEgress: boolean; failedAt: Date; isPublicTcp: boolean },
  ): void {
    const controlReached = attempt.outcome === 'FAILED' ? attempt.failure.controlReached : null
    const seen = { startedAt, outcome: attempt.outcome, isPublicTcp, controlReached }
    const sign = egressSignOf(seen, about)
    if (sign === undefined) return
    const before = this.#open.get(region) ?? null
    const after = doubtAfter(before, sign, this.#deps.limitMs)
    if (after === before) return
    this.#changes += 1
    const { log, database } = this.#deps
    if (after === null) {
      this.#open.delete(region)
      this.#first.delete(region)
      log.info({ region }, 'the network of a region works again')
      this.#write(() => endDoubt(database, region, startedAt))
    } else {
      this.#open.set(region, after)
      log.warn({ region, since: after.since }, 'the network of a region is in doubt')
      this.#write(() => raiseDoubt(database, region, after))
    }
  }

  /** In order. What cannot be written stays known here until the next reading. */
  #write(write: () => Promise<void>): void {
    const onError = (err: unknown) => this.#deps.log.warn({ err }, 'a doubt was not recorded')
    this.#writes = this.#writes.then(write).catch(onError)
  }

  #remember(check: EgressCheck & { base: string; no: number }, at: Date): void {
    const { base, no, epoch } = check
    if (!this.#open.has(base)) return
    const first = this.#first.get(base) ?? new Map<number, Remembered>()
    this.#first.set(base, first)
    if (isOfNow(first.get(no), check)) return
    if (first.has(no) || first.size < MAX_REMEMBERED) first.set(no, { at, epoch })
  }

  #firstOf(
    check: EgressCheck & { base: string; no: number },
    open: OpenDoubt,
  ): Date | 'UNKNOWN' | undefined {
    const { base, no, shard, isPrivate } = check
    const first = this.#first.get(base)?.get(no)
    if (isOfNow(first, check)) return first.at
    if (shard === undefined || isPrivate) return undefined
    const gainedAt = this.#gained.get(shard)
    return gainedAt !== undefined && gainedAt <= open.since ? undefined : 'UNKNOWN'
  }
}

/** What was remembered before the last verdict, pause or change of the target is of another outage. */
function isOfNow(first: Remembered | undefined, check: EgressCheck): first is Remembered {
  if (first === undefined || first.epoch !== check.epoch) return false
  const floor = floorOf(check)
  return floor === null || first.at >= floor
}

/** No outage that is found now began before. */
function floorOf({ lastCheckedAt, lastStatusChangedAt }: EgressCheck): Date | null {
  const times = [lastCheckedAt, lastStatusChangedAt].flatMap((at) => at?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.max(...times))
}

function isPublicOverTcp(target: CheckTarget, attempt: ObservedAttempt): boolean {
  const where = toRegionFinding(target, attempt)
  return where?.port != null && where.address !== null && !where.isPrivate
}
