// I1: every due slot is recorded exactly once, as a result or inside one missed range with its reason.
import {
  instant,
  type Life,
  type MissedRow,
  type MonitorRow,
  short,
  type Violation,
} from './run.ts'

/** A period in which the monitor was active. Its start is a slot of its own, off the grid. */
type Period = { fromMs: number; toMs: number; isCut: boolean }
type Held = { live: number; ranges: number; superseded: number }

const BEGINS = new Set(['monitor.created', 'monitor.resumed'])
const ENDS = new Set(['monitor.paused', 'monitor.deleted'])
const PLANNED_AHEAD_MS = 2_000
const REASONS = new Set(['ENGINE_DOWN', 'OVERLAP', 'ORG_CAP', 'NO_PROBE', 'SUBSCRIPTION'])

type SlotCounts = { due: number; run: number; inconclusive: number; missed: number }

export function judgeSlots(
  life: Life,
  settledMs: number,
): { violations: Violation[]; counts: SlotCounts } {
  const { monitor } = life
  const periods = periodsOf(life)
  const due = periods.map((period) => dueIn(monitor, period))
  const known = new Set(due.flat())
  const held = heldOf(life, known)
  const found = [
    ...periods.flatMap((period, i) => wrongRecords(period, due[i] ?? [], held)),
    ...strangers(life, known),
    ...wrongRanges(life.missed, known),
    ...overdue(monitor, settledMs),
  ]
  const violations = found.map((text) => ({ rule: 'I1', text: `${short(monitor.uuid)}: ${text}` }))
  return { violations, counts: countsOf(life, known) }
}

/** The last period ends at the next due slot, because only those before it must be recorded. */
function periodsOf({ monitor, events }: Life): Period[] {
  const periods: Period[] = []
  let fromMs: number | undefined
  for (const { type, atMs } of events) {
    if (ENDS.has(type) && fromMs !== undefined) {
      periods.push({ fromMs, toMs: atMs, isCut: true })
      fromMs = undefined
    }
    if (BEGINS.has(type)) fromMs = atMs
  }
  if (fromMs !== undefined)
    periods.push({ fromMs, toMs: monitor.nextDueMs ?? fromMs, isCut: false })
  return periods
}

function dueIn(monitor: MonitorRow, { fromMs, toMs }: Period): number[] {
  const stepMs = monitor.intervalSeconds * 1000
  const slots = fromMs < toMs ? [fromMs] : []
  for (let ms = firstGridSlotAfter(monitor, fromMs); ms < toMs; ms += stepMs) slots.push(ms)
  return slots
}

function firstGridSlotAfter({ uuid, intervalSeconds }: MonitorRow, afterMs: number): number {
  const step = BigInt(intervalSeconds * 1000)
  const phase = BigInt(`0x${uuid.slice(24)}`) % step
  return Number(phase + ((BigInt(Math.floor(afterMs)) - phase) / step + 1n) * step)
}

function heldOf({ results, missed }: Life, known: ReadonlySet<number>): Map<number, Held> {
  const held = new Map([...known].map((ms) => [ms, { live: 0, ranges: 0, superseded: 0 }]))
  for (const { slotMs, verdict } of results) {
    const slot = held.get(slotMs)
    if (slot !== undefined) slot[verdict === 'SUPERSEDED' ? 'superseded' : 'live'] += 1
  }
  for (const { fromMs, toMs } of missed)
    for (const [ms, slot] of held) if (fromMs <= ms && ms <= toMs) slot.ranges += 1
  return held
}

// A pause may void the newest slot, which was in flight or just due: its result is superseded, or never arrives. Every
// other slot has exactly one record, which is not superseded.
function wrongRecords(
  { isCut }: Period,
  due: readonly number[],
  held: ReadonlyMap<number, Held>,
): string[] {
  return due.flatMap((ms, i) => {
    const { live, ranges, superseded } = held.get(ms) ?? { live: 0, ranges: 0, superseded: 0 }
    const records = live + ranges
    const isNewest = isCut && i === due.length - 1
    if (isNewest && records + superseded <= 1) return []
    if (records === 1 && superseded === 0) return []
    return [`slot ${instant(ms)}: ${live} results, ${ranges} ranges, ${superseded} superseded`]
  })
}

function strangers({ results, monitor, events }: Life, known: ReadonlySet<number>): string[] {
  const twice = results.filter(({ slotMs }, i) => slotMs === results[i - 1]?.slotMs)
  const unknown = results.filter(
    ({ kind, slotMs, verdict }) =>
      kind === 'SCHEDULED' &&
      !known.has(slotMs) &&
      !(verdict === 'SUPERSEDED' && wasJustPaused(events, slotMs)),
  )
  return [
    ...twice.map(({ slotMs }) => `two results in one slot ${instant(slotMs)}`),
    ...unknown.map(
      ({ slotMs }) =>
        `${instant(slotMs)} was never due (next is ${instant(monitor.nextDueMs ?? 0)})`,
    ),
  ]
}

// A slot is claimed a moment before it is due. A pause in that moment voids it before it runs.
function wasJustPaused(events: Life['events'], slotMs: number): boolean {
  return events.some(
    ({ type, atMs }) => ENDS.has(type) && atMs <= slotMs && slotMs - atMs < PLANNED_AHEAD_MS,
  )
}

function wrongRanges(missed: readonly MissedRow[], known: ReadonlySet<number>): string[] {
  return missed.flatMap(({ fromMs, toMs, count, reason }) => {
    const inside = [...known].filter((ms) => fromMs <= ms && ms <= toMs).length
    const where = `range ${instant(fromMs)} to ${instant(toMs)}`
    if (!REASONS.has(reason)) return [`${where} has no known reason: ${reason}`]
    return inside === count ? [] : [`${where} counts ${count}, holds ${inside} due slots`]
  })
}

function overdue({ nextDueMs, state }: MonitorRow, settledMs: number): string[] {
  if (state === 'PAUSED') return nextDueMs === null ? [] : ['paused, and still due']
  if (nextDueMs === null) return ['nothing is due any more']
  return nextDueMs < settledMs ? [`slot ${instant(nextDueMs)} was never recorded`] : []
}

function countsOf({ results, missed }: Life, known: ReadonlySet<number>): SlotCounts {
  const onGrid = results.filter(({ slotMs }) => known.has(slotMs))
  const inconclusive = onGrid.filter(({ verdict }) => verdict === 'INCONCLUSIVE').length
  const superseded = onGrid.filter(({ verdict }) => verdict === 'SUPERSEDED').length
  return {
    due: known.size,
    run: onGrid.length - inconclusive - superseded,
    inconclusive,
    missed: missed.reduce((sum, { count }) => sum + count, 0),
  }
}
