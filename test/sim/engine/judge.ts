// Judges a finished simulation: the rules of test/oracle over everything that was stored, and what only a simulation
// knows, namely when each target was really out of reach.
import { judge } from '../../oracle/judge.ts'
import { instant, type Run, short } from '../../oracle/run.ts'
import type { Received } from './receiver.ts'
import { HOME, type Spell, type Target } from './world.ts'

// Two intervals and this long after its start, an outage must be known.
const HIDDEN_MS = 240_000
// The first wait after a failure is 5 s, and up to a fifth shorter.
const MIN_RETRY_MS = 4000
// A crash during confirmation begins the check again; so does a lease that changes hands.
const RESTARTS_MS = 90_000

// Confirming a failure takes two attempts, of 10 s each, and some checks wait for it.
const LATE_MS = 45_000
const EARLY_MS = 100

type Judged = {
  run: Run
  targets: ReadonlyMap<string, Target>
  /** Undefined if nothing sends events. */
  received: readonly Received[] | undefined
  /** When our own faults may have kept us from seeing an outage. */
  unseen?: readonly Spell[]
  /** When an attempt of a delivery may have been lost, and made again. */
  repeated?: readonly Spell[]
  /** Everything of ours that may have delayed a check. Undefined: not known. */
  faults?: readonly Spell[] | undefined
}

export function judgeSimulation({
  run,
  targets,
  received,
  unseen = [],
  repeated = [],
  faults,
}: Judged): string[] {
  // A new name changes no state.
  const events = run.events.filter(({ type }) => type !== 'monitor.updated')
  const { violations, counts } = judge({ ...checkedOnly(run, targets), events })
  return [
    ...violations.map(({ rule, text }) => `${rule} ${text}`),
    ...(counts['slotsDue'] === 0 ? ['nothing was ever due'] : []),
    ...[...targets].flatMap(([uuid, target]) => [
      ...hidden(run, uuid, { target, unseen }),
      ...unproven(run, uuid, target),
      ...unrecovered(run, uuid, target),
      ...(faults ? late(run, uuid, faults) : []),
    ]),
    ...(received
      ? [...undelivered(run, received), ...hasty(received), ...twice(received, repeated)]
      : []),
  ]
}

/** Without heartbeats: their results come from pings, which no target sees. */
function checkedOnly(run: Run, targets: ReadonlyMap<string, Target>): Run {
  const monitors = run.monitors.filter(({ uuid }) => targets.has(uuid))
  return { ...run, monitors }
}

/** Outages that were long enough to be found, while the monitor was active, and never were. */
function hidden(
  run: Run,
  uuid: string,
  { target, unseen }: { target: Target; unseen: readonly Spell[] },
): string[] {
  const { intervalSeconds, failures } = target
  const monitor = run.monitors.find((row) => row.uuid === uuid)
  const spans = run.spans.filter(({ monitorNo }) => monitorNo === monitor?.no)
  const paused = spans.filter(({ state }) => state === 'PAUSED')
  const neededMs = 2 * intervalSeconds * 1000 + HIDDEN_MS + RESTARTS_MS
  return failures.flatMap(({ fromMs, toMs, how }) => {
    const overlaps = (span: { startedMs: number; endedMs: number | null }) =>
      span.startedMs < toMs && (span.endedMs ?? Number.POSITIVE_INFINITY) > fromMs
    const own = unseen.filter((spell) => spell.fromMs < toMs && spell.toMs > fromMs)
    const excusedMs = own.reduce((sum, spell) => sum + spell.toMs - spell.fromMs, 0)
    if (toMs - fromMs < neededMs + excusedMs || paused.some(overlaps)) return []
    const isKnown = spans.some((span) => span.state === 'DOWN' && overlaps(span))
    return isKnown ? [] : [`HIDDEN ${short(uuid)}: ${how} from ${instant(fromMs)}, never DOWN`]
  })
}

/** A region that never reached the target says that it is down, although another one did reach it. */
function unproven(run: Run, uuid: string, { elsewhere }: Target): string[] {
  const monitor = run.monitors.find((row) => row.uuid === uuid)
  if (elsewhere === undefined) return []
  const own = run.results.filter(({ monitorNo }) => monitorNo === monitor?.no)
  const sinceMs = Math.min(
    ...own.flatMap(({ verdict, slotMs }) => (verdict === 'PASSED' ? slotMs : [])),
  )
  return own.flatMap(({ verdict, region, slotMs }) =>
    verdict === 'FAILED' && region !== HOME && slotMs > sinceMs
      ? [
          `REGION ${short(uuid)}: FAILED at ${instant(slotMs)} from ${region}, which never reached it`,
        ]
      : [],
  )
}

/** A check begins at its slot, unless a fault of ours kept it. */
function late(run: Run, uuid: string, faults: readonly Spell[]): string[] {
  const monitor = run.monitors.find((row) => row.uuid === uuid)
  const own = run.results
    .filter(({ monitorNo, kind }) => monitorNo === monitor?.no && kind === 'SCHEDULED')
    .toSorted((a, b) => a.slotMs - b.slotMs)
  const hits = run.hits.filter(({ monitorUuid }) => monitorUuid === uuid)
  return own.flatMap(({ slotMs, verdict }, i) => {
    const endMs = own[i + 1]?.slotMs ?? Number.POSITIVE_INFINITY
    const first = hits.find(({ atMs }) => atMs >= slotMs - EARLY_MS && atMs < endMs)
    if (verdict === 'SUPERSEDED' || first === undefined || first.atMs < slotMs + LATE_MS) return []
    const isExcused = faults.some(
      ({ fromMs, toMs }) => fromMs < first.atMs && toMs > slotMs - RESTARTS_MS,
    )
    return isExcused
      ? []
      : [`LATE ${short(uuid)}: ${instant(slotMs)} began at ${instant(first.atMs)}`]
  })
}

/** In the end everything is healthy, for long enough to be noticed. */
function unrecovered(run: Run, uuid: string, { intervalSeconds, failures }: Target): string[] {
  const monitor = run.monitors.find((row) => row.uuid === uuid)
  const lastMs = Math.max(0, ...failures.map(({ toMs }) => toMs))
  const isLong = run.settledMs - lastMs > intervalSeconds * 1000 + RESTARTS_MS
  const { state = 'UP' } = monitor ?? {}
  return isLong && (state === 'DOWN' || state === 'PENDING')
    ? [`END ${short(uuid)}: ${state}, though nothing is wrong since ${instant(lastMs)}`]
    : []
}

/** Every event reached the receiver, under its own id, and nothing else did. */
function undelivered({ events }: Run, received: readonly Received[]): string[] {
  const arrived = new Set(received.flatMap(({ eventId, status }) => (status < 300 ? eventId : [])))
  const known = new Set(events.map(({ bodyId }) => bodyId))
  const missing = events.filter(({ bodyId }) => !arrived.has(bodyId))
  const strange = received.filter(({ eventId }) => !known.has(eventId))
  return [
    ...missing.map(({ type, atMs }) => `EVENT ${type} of ${instant(atMs)} was never received`),
    ...strange.map(({ eventId }) => `EVENT ${eventId} was received and does not exist`),
  ]
}

/** After a failure, the next attempt of a delivery waits. */
function hasty(received: readonly Received[]): string[] {
  const byEvent = Map.groupBy(received, ({ eventId }) => eventId)
  return [...byEvent].flatMap(([eventId, attempts]) =>
    attempts.flatMap(({ atMs, status }, i) => {
      const waitMs = (attempts[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) - atMs
      const isHasty = status >= 300 && waitMs < MIN_RETRY_MS
      return isHasty ? [`RETRY ${eventId} at ${instant(atMs)}, again after ${waitMs} ms`] : []
    }),
  )
}

/** What the receiver accepted is sent again only where a sender, or its record, was lost. */
function twice(received: readonly Received[], repeated: readonly Spell[]): string[] {
  const byEvent = Map.groupBy(received, ({ eventId }) => eventId)
  return [...byEvent].flatMap(([eventId, attempts]) => {
    const first = attempts.find(({ status }) => status < 300)
    const again = attempts.find((one) => first !== undefined && one.atMs > first.atMs)
    if (first === undefined || again === undefined) return []
    const isExcused = repeated.some(
      ({ fromMs, toMs }) => fromMs <= again.atMs && first.atMs <= toMs,
    )
    return isExcused
      ? []
      : [`TWICE ${eventId} at ${instant(first.atMs)} and ${instant(again.atMs)}`]
  })
}
