// Judges a finished simulation: the rules of test/oracle over everything that was stored, and what only a simulation
// knows, namely when each target was really out of reach.
import { judge } from '../../oracle/judge.ts'
import { instant, type Run, short } from '../../oracle/run.ts'
import type { Received } from './receiver.ts'
import type { Target } from './world.ts'

// Two intervals and this long after its start, an outage must be known.
const HIDDEN_MS = 240_000
// The first wait after a failure is 5 s, and up to a fifth shorter.
const MIN_RETRY_MS = 4000
// A crash during confirmation begins the check again; so does a lease that changes hands.
const RESTARTS_MS = 90_000

type Judged = {
  run: Run
  targets: ReadonlyMap<string, Target>
  /** Undefined if nothing sends events. */
  received: readonly Received[] | undefined
}

export function judgeSimulation({ run, targets, received }: Judged): string[] {
  const { violations, counts } = judge(run)
  return [
    ...violations.map(({ rule, text }) => `${rule} ${text}`),
    ...(counts['slotsDue'] === 0 ? ['nothing was ever due'] : []),
    ...[...targets].flatMap(([uuid, target]) => hidden(run, uuid, target)),
    ...(received ? [...undelivered(run, received), ...hasty(received)] : []),
  ]
}

/** Outages that were long enough to be found, while the monitor was active, and never were. */
function hidden(run: Run, uuid: string, { intervalSeconds, troubles }: Target): string[] {
  const monitor = run.monitors.find((row) => row.uuid === uuid)
  const spans = run.spans.filter(({ monitorNo }) => monitorNo === monitor?.no)
  const paused = spans.filter(({ state }) => state === 'PAUSED')
  const neededMs = 2 * intervalSeconds * 1000 + HIDDEN_MS + RESTARTS_MS
  return troubles.flatMap(({ fromMs, toMs, how }) => {
    const overlaps = (span: { startedMs: number; endedMs: number | null }) =>
      span.startedMs < toMs && (span.endedMs ?? Number.POSITIVE_INFINITY) > fromMs
    if (toMs - fromMs < neededMs || paused.some(overlaps)) return []
    const isKnown = spans.some((span) => span.state === 'DOWN' && overlaps(span))
    return isKnown ? [] : [`HIDDEN ${short(uuid)}: ${how} from ${instant(fromMs)}, never DOWN`]
  })
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
