// What a scheduler knows about the networks of the regions: which addresses a probe asks when a target is silent, and
// which regions are in doubt. It acts on what it knows at once, and reads what others know from the database.
import type { CheckOutcome } from '../../src/domain/monitors/confirmation.ts'
import {
  chooseSamples,
  type Doubt,
  doubtAfter,
  doubtAt,
  type EgressSign,
  egressSignOf,
  egressTiming,
  failedSince,
  isSilent,
  type OpenDoubt,
  repeatInDoubt,
} from '../../src/domain/monitors/egress-doubt.ts'
import type { SimAttempt } from './flight.ts'
import { REGIONS, type Region } from './nature.ts'
import type { Egress } from './network.ts'
import type { Store, Tx } from './store.ts'
import type { Process, World } from './world.ts'

const LIMIT_MS = 180_000
const READ_MS = 1_000
const SAMPLES_MS = 60_000
const NO_SAMPLES_MS = 10_000

/** A check as far as the doubt is concerned. */
type DoubtedCheck = {
  uuid: string
  base: Region | undefined
  isPrivate: boolean
  isDown: boolean
  sendsOnce: boolean
  epoch: number
  lastCheckedAt: Date | null
  changedAt: Date
}

type Remembered = { at: Date; epoch: number }

export function createEgressWatch(world: World, store: Store, self: Process, now: () => Date) {
  const limitMs = world.guards('doubt-ends') ? LIMIT_MS : Number.MAX_SAFE_INTEGER / 4096
  const open = new Map<Region, OpenDoubt>()
  const samples = new Map<Region, { pairs: readonly string[]; readMs: number }>()
  /** By region and monitor: the first failed attempt that did not count. */
  const first = new Map<Region, Map<string, Remembered>>()
  const bootedAt = now()
  const waiting: ((tx: Tx) => void)[] = []
  let changes = 0
  let isWriting = false

  function openOf(region: Region | undefined): OpenDoubt | null {
    return (region && open.get(region)) ?? null
  }

  function read(): void {
    const before = changes
    store.transact(
      self,
      (tx) => [...tx.tables.doubts].filter(([, { passedAt }]) => passedAt === null),
      (outcome) => {
        world.run(self, READ_MS, read)
        if (outcome.kind !== 'COMMITTED' || changes !== before || waiting.length > 0) return
        open.clear()
        for (const [region, doubt] of outcome.value) open.set(region, doubt)
        for (const region of REGIONS) if (!open.has(region)) first.delete(region)
      },
    )
  }

  // In order; what could not be written is known here until the next reading.
  function write(body?: (tx: Tx) => void): void {
    if (body) waiting.push(body)
    const [next] = waiting
    if (next === undefined || isWriting) return
    isWriting = true
    store.transact(self, next, () => {
      waiting.shift()
      isWriting = false
      write()
    })
  }

  function pairsOf(region: Region): readonly string[] {
    const known = samples.get(region)
    const keptMs = known?.pairs.length ? SAMPLES_MS : NO_SAMPLES_MS
    if (known !== undefined && world.nowMs() - known.readMs < keptMs) return known.pairs
    const { monitors, proofs } = store.tables
    const reached = [...monitors.values()].flatMap(({ uuid, org: orgId, position }) =>
      (proofs.get(uuid) ?? []).flatMap(({ region: place, passedAt, port, isPrivate, address }) =>
        place === region && passedAt && port !== null && address !== null && !isPrivate
          ? position.state === 'UP'
            ? [{ orgId, address, port }]
            : []
          : [],
      ),
    )
    const pairs = chooseSamples(reached).map(({ address }) => address)
    samples.set(region, { pairs, readMs: world.nowMs() })
    return pairs
  }

  function note(region: Region, sign: EgressSign | undefined): void {
    const before = open.get(region) ?? null
    const after = sign === undefined ? before : doubtAfter(before, sign, limitMs)
    if (sign === undefined || after === before) return
    changes += 1
    world.log(self.name, `${region} ${after === null ? 'works again' : 'is in doubt'}`)
    if (after !== null) {
      open.set(region, after)
      return write((tx) => raise(tx, region, after))
    }
    open.delete(region)
    first.delete(region)
    if (sign.kind === 'PASSED') write((tx) => end(tx, region, sign.startedAt))
  }

  function countFrom(
    check: DoubtedCheck,
    base: Region,
    doubt: OpenDoubt,
  ): Date | 'UNKNOWN' | undefined {
    const known = first.get(base)?.get(check.uuid)
    const isOfNow = known?.epoch === check.epoch && known.at >= floorOf(check)
    if (known !== undefined && (isOfNow || !world.guards('doubt-memory'))) return known.at
    if (check.isPrivate) return undefined
    return bootedAt <= doubt.since ? undefined : 'UNKNOWN'
  }

  /** A failure that counts at last began with the first that did not. */
  function dated(check: DoubtedCheck, base: Region, outcome: CheckOutcome): CheckOutcome {
    const doubt = open.get(base)
    if (doubt === undefined || outcome.result !== 'FAILED') return outcome
    if (!isSilent(outcome.failure)) return outcome
    const times = { failedSince: outcome.failedSince, lastCheckedAt: floorOf(check) }
    return { ...outcome, failedSince: failedSince(countFrom(check, base, doubt), doubt, times) }
  }

  // What was remembered before the last verdict or change is of another outage.
  function remember(check: DoubtedCheck, base: Region, at: Date): void {
    const firstHere = first.get(base) ?? new Map<string, Remembered>()
    first.set(base, firstHere)
    const known = firstHere.get(check.uuid)
    const isOfNow = known?.epoch === check.epoch && known.at >= floorOf(check)
    if (known !== undefined && (isOfNow || !world.guards('doubt-memory'))) return
    firstHere.set(check.uuid, { at, epoch: check.epoch })
  }

  function floorOf({ lastCheckedAt, changedAt }: DoubtedCheck): Date {
    if (!world.guards('doubt-memory')) return lastCheckedAt ?? changedAt
    return lastCheckedAt !== null && lastCheckedAt > changedAt ? lastCheckedAt : changedAt
  }

  return {
    read,
    doubtOf: (region: Region | undefined): Doubt => doubtAt(openOf(region), now()),

    taskFor(check: DoubtedCheck, region: Region, attempts: readonly SimAttempt[]): Egress {
      const regions = attempts.flatMap((attempt) =>
        attempt.outcome === 'FAULT' || attempt.stalled ? [] : attempt.region,
      )
      const isAfterFirst = attempts.some(({ outcome }) => outcome !== 'FAULT')
      const asked = regions.length === 0 && isAfterFirst ? [region] : regions
      const doubt = doubtAt(openOf(check.base), now())
      const when = egressTiming({ ...check, doubt, regions: asked }, region)
      return when === undefined ? { when: 'NEVER', pairs: [] } : { when, pairs: pairsOf(region) }
    },

    /** Takes note of a finished check. The outcome knows since when the monitor really fails. */
    settle(
      check: DoubtedCheck,
      attempts: readonly SimAttempt[],
      outcome: CheckOutcome,
    ): CheckOutcome {
      const isEgress = outcome.result === 'INCONCLUSIVE' && outcome.reason === 'EGRESS'
      const failed = attempts.find((attempt) => attempt.outcome === 'FAILED' && !attempt.stalled)
      const failedAt = failed?.startedAt ?? now()
      const about = { isEgress, isPrivate: check.isPrivate, failedAt }
      for (const attempt of attempts) note(attempt.region, egressSignOf(toSeen(attempt), about))
      const { base } = check
      if (base === undefined) return outcome
      if (isEgress) remember(check, base, failedAt)
      if (outcome.result === 'OK') first.get(base)?.delete(check.uuid)
      return attempts.at(-1)?.region === base ? dated(check, base, outcome) : outcome
    },

    repeatAt: (region: Region | undefined, endedAt: Date, usual: Date | undefined, nextAt: Date) =>
      repeatInDoubt(openOf(region), endedAt, usual, nextAt),
  }
}

function toSeen({ startedAt, where, ...attempt }: SimAttempt) {
  const { outcome } = attempt
  const controlReached = attempt.outcome === 'FAILED' ? attempt.failure.controlReached : null
  return { startedAt, outcome, isPublicTcp: where !== null && !where.isPrivate, controlReached }
}

// One that ended elsewhere in the meantime stays ended: that pass began after these addresses were asked.
function raise(tx: Tx, region: Region, doubt: OpenDoubt): void {
  const known = tx.tables.doubts.get(region)
  if (known && (known.passedAt === null || known.passedAt > doubt.raisedAt)) return
  tx.put(tx.tables.doubts, region, { ...doubt, passedAt: null })
}

function end(tx: Tx, region: Region, startedAt: Date): void {
  const known = tx.tables.doubts.get(region)
  if (known === undefined || known.passedAt !== null || known.raisedAt > startedAt) return
  const passedAt = new Date(Math.max(tx.nowMs, known.raisedAt.getTime()))
  tx.put(tx.tables.doubts, region, { ...known, passedAt })
}
