// I3: states, incidents and spans follow from the stored results by the contract's table. I4: each transition has
// exactly one event, in order. I7: a paused monitor publishes no changes.
import { type EventRow, instant, type Life, type ResultRow, short, type Violation } from './run.ts'

type EventSummary = { type: string; previousState: string | null }
type Replay = {
  state: string
  open: boolean
  states: string[]
  published: EventSummary[]
  endings: (string | null)[]
}

type Moment = { atMs: number; order: number; live(replay: Replay): void }

const STATE_AFTER = { PASSED: 'UP', SLOW: 'DEGRADED', FAILED: 'DOWN' } as const
const CHANGES = new Set(['monitor.created', 'monitor.paused', 'monitor.resumed'])
const NEVER_PAUSED = /^monitor\.(up|down|degraded)$|^incident\.opened$/

export function judgeTimeline(life: Life): Violation[] {
  const replay: Replay = { state: 'NONE', open: false, states: [], published: [], endings: [] }
  for (const moment of momentsOf(life)) moment.live(replay)
  const { monitor, spans, incidents, events } = life
  const spanStates = spans.map(({ state }) => state)
  const endings = incidents.map(({ resolution }) => resolution)
  const published = events.map(({ type, previousState }) => ({ type, previousState }))
  const found = [
    ...differing('I3', 'spans', spanStates, replay.states),
    ...differing('I3', 'incidents end', endings.map(String), replay.endings.map(String)),
    ...differing('I4', 'events', published.map(sentence), replay.published.map(sentence)),
    ...(monitor.state === replay.state
      ? []
      : [{ rule: 'I3', text: `is ${monitor.state}, its results say ${replay.state}` }]),
    ...brokenSpans(life),
    ...whilePaused(events),
  ]
  return found.map(({ rule, text }) => ({ rule, text: `${short(monitor.uuid)}: ${text}` }))
}

// A result applied before a pause belongs to a slot before it; one applied afterward is superseded. So the order of
// slots and changes is the chronological order.
function momentsOf({ results, events }: Life): Moment[] {
  const applied = results
    .filter(({ verdict }) => verdict !== 'SUPERSEDED')
    .map(
      (row): Moment => ({ atMs: row.slotMs, order: 1, live: (replay) => applyResult(replay, row) }),
    )
  const changes = events
    .filter(({ type }) => CHANGES.has(type))
    .map((row): Moment => ({ atMs: row.atMs, order: 0, live: (replay) => change(replay, row) }))
  return [...applied, ...changes].toSorted((a, b) => a.atMs - b.atMs || a.order - b.order)
}

function applyResult(replay: Replay, { verdict }: ResultRow): void {
  if (verdict === 'INCONCLUSIVE' || verdict === 'SUPERSEDED' || replay.state === 'PAUSED') return
  const before = replay.state
  const after = STATE_AFTER[verdict]
  if (after !== before) {
    enter(replay, after)
    replay.published.push({ type: `monitor.${after.toLowerCase()}`, previousState: before })
  }
  if (verdict === 'FAILED' && !replay.open) {
    replay.open = true
    replay.endings.push(null)
    replay.published.push({ type: 'incident.opened', previousState: null })
  } else if (verdict !== 'FAILED') resolve(replay, 'RECOVERED')
}

function change(replay: Replay, { type }: EventRow): void {
  replay.published.push({ type, previousState: null })
  if (type === 'monitor.paused') resolve(replay, 'MONITOR_PAUSED')
  enter(replay, type === 'monitor.paused' ? 'PAUSED' : 'PENDING')
}

function enter(replay: Replay, state: string): void {
  replay.state = state
  replay.states.push(state)
}

function resolve(replay: Replay, resolution: string): void {
  if (!replay.open) return
  replay.open = false
  replay.endings[replay.endings.length - 1] = resolution
  replay.published.push({ type: 'incident.resolved', previousState: null })
}

function sentence({ type, previousState }: EventSummary): string {
  return previousState === null ? type : `${type} from ${previousState}`
}

function differing(
  rule: string,
  what: string,
  found: readonly string[],
  expected: readonly string[],
): Violation[] {
  if (JSON.stringify(found) === JSON.stringify(expected)) return []
  return [{ rule, text: `${what} are [${found.join(', ')}], must be [${expected.join(', ')}]` }]
}

/** Spans follow each other without a gap, the last one open; DOWN lasts as long as its incident. */
function brokenSpans({ spans, incidents }: Life): Violation[] {
  const gaps = spans.filter(({ endedMs }, i) => endedMs !== (spans[i + 1]?.startedMs ?? null))
  const down = spans.filter(({ state }) => state === 'DOWN')
  const apart = incidents.filter(
    ({ startedMs, resolvedMs }, i) =>
      startedMs !== down[i]?.startedMs || resolvedMs !== down[i]?.endedMs,
  )
  return [
    ...gaps.map(({ state, startedMs }) => ({
      rule: 'I3',
      text: `the span ${state} of ${instant(startedMs)} does not end where the next begins`,
    })),
    ...apart.map(({ startedMs }) => ({
      rule: 'I3',
      text: `the incident of ${instant(startedMs)} is not the time spent DOWN`,
    })),
  ]
}

function whilePaused(events: readonly EventRow[]): Violation[] {
  let isPaused = false
  return events.flatMap(({ type, atMs }) => {
    if (type === 'monitor.paused') isPaused = true
    if (type === 'monitor.resumed') isPaused = false
    return isPaused && NEVER_PAUSED.test(type)
      ? [{ rule: 'I7', text: `${type} at ${instant(atMs)}, while paused` }]
      : []
  })
}
