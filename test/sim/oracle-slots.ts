// Every due slot is recorded exactly once: as a row, or inside one missed range.
import type { Simulation } from './simulation.ts'
import type { JournalEntry, MonitorRow } from './store.ts'

/** A period in which the monitor was active; its start is a slot of its own. */
type Period = { fromMs: number; toMs: number; isCut: boolean }

export function oracleOfSlots(simulation: Simulation, monitor: MonitorRow): string[] {
  const { tables } = simulation.store
  const row = tables.monitors.get(monitor.uuid)
  if (monitor.type === 'CRON' || row === undefined) return []

  const journal = tables.journal.filter(({ uuid }) => uuid === monitor.uuid)
  const records = recordsOf(simulation, monitor, journal)
  const periods = periodsOf(journal, row.nextDueAt?.getTime() ?? 0)
  const due = periods.map((period) => slotsOf(monitor, period))
  const known = new Set(due.flat())
  const strangers = [...records].filter(([ms, { planned }]) => planned > 0 && !known.has(ms))
  return [
    ...periods.flatMap((period, i) => unrecorded(monitor, period, due[i] ?? [], records)),
    ...strangers.map(([ms]) => `${monitor.name}: ${new Date(ms).toISOString()} was never due`),
    ...wrongCounts(simulation, monitor, known),
  ]
}

/**
 * Records of a slot: `live` ones were not voided by a change, `planned` ones came from the schedule. A requested check
 * may coincide with a slot to the millisecond, and then counts for it.
 */
type Held = { live: number; all: number; planned: number }

function recordsOf({ store }: Simulation, monitor: MonitorRow, journal: readonly JournalEntry[]) {
  const records = new Map<number, Held>()
  const add = (slotMs: number, isLive = true, isPlanned = true) => {
    const { live, all, planned } = records.get(slotMs) ?? { live: 0, all: 0, planned: 0 }
    const held = { live: live + Number(isLive), all: all + 1 }
    records.set(slotMs, { ...held, planned: planned + Number(isLive && isPlanned) })
  }
  const changesMs = journal.filter(({ what }) => ENDS.has(what)).map(({ atMs }) => atMs)
  for (const entry of journal) {
    if (entry.what !== 'RESULT') continue
    const { slot, fate, kind } = entry.row
    // The scheduler's clock is ahead: the result was there before its slot, and before a change that came in between.
    if (changesMs.some((ms) => entry.atMs <= ms && ms < slot.getTime())) continue
    add(slot.getTime(), fate !== 'SUPERSEDED', kind === 'SCHEDULED')
  }
  for (const { fromSlot, toSlot } of store.tables.missed.get(monitor.uuid) ?? []) {
    add(fromSlot.getTime())
    const toMs = toSlot.getTime()
    for (let ms = gridAfter(monitor, fromSlot.getTime()); ms <= toMs; ms += stepMs(monitor)) add(ms)
  }
  return records
}

const BEGINS = new Set(['CREATED', 'RESUMED', 'RETARGETED'])
const ENDS = new Set(['PAUSED', 'RETARGETED', 'DELETED'])

function periodsOf(journal: readonly JournalEntry[], nextDueMs: number): Period[] {
  const periods: Period[] = []
  let fromMs: number | undefined
  for (const { what, atMs } of journal) {
    // A paused monitor stays paused when its target changes.
    if (what === 'RETARGETED' && fromMs === undefined) continue
    if (ENDS.has(what) && fromMs !== undefined) periods.push({ fromMs, toMs: atMs, isCut: true })
    if (ENDS.has(what)) fromMs = undefined
    if (BEGINS.has(what)) fromMs = atMs
  }
  if (fromMs !== undefined) periods.push({ fromMs, toMs: nextDueMs, isCut: false })
  return periods
}

function slotsOf(monitor: MonitorRow, { fromMs, toMs }: Period): number[] {
  const slots = fromMs < toMs ? [fromMs] : []
  for (let ms = gridAfter(monitor, fromMs); ms < toMs; ms += stepMs(monitor)) slots.push(ms)
  return slots
}

// A change may void the newest slot, which was in flight: its result may be void or never arrive. Every other slot has
// exactly one record, which is live.
function unrecorded(
  { name }: MonitorRow,
  { isCut }: Period,
  due: readonly number[],
  records: ReadonlyMap<number, Held>,
): string[] {
  return due.flatMap((slotMs, i) => {
    const { live, all, planned } = records.get(slotMs) ?? { live: 0, all: 0, planned: 0 }
    const isVoid = isCut && i === due.length - 1 && live === 0 && all <= 1
    const slot = new Date(slotMs).toISOString()
    // A request in the same millisecond ran, and then the slot was skipped.
    const isRequested = live === 2 && all === 2 && planned === 1
    if (isVoid || isRequested || (live === 1 && all === 1)) return []
    return [`${name}: slot ${slot} is recorded ${all} times, ${live} of them live`]
  })
}

function wrongCounts(
  { store }: Simulation,
  monitor: MonitorRow,
  known: ReadonlySet<number>,
): string[] {
  return (store.tables.missed.get(monitor.uuid) ?? []).flatMap(({ fromSlot, toSlot, count }) => {
    const inside = [...known].filter((ms) => fromSlot.getTime() <= ms && ms <= toSlot.getTime())
    return inside.length === count
      ? []
      : [`${monitor.name}: a missed range counts ${count}, holds ${inside.length}`]
  })
}

function stepMs({ intervalSeconds }: MonitorRow): number {
  return intervalSeconds * 1000
}

function gridAfter(monitor: MonitorRow, afterMs: number): number {
  const step = BigInt(stepMs(monitor))
  const phase = BigInt(`0x${monitor.uuid.slice(24)}`) % step
  const passed = BigInt(afterMs) - phase
  return Number(phase + (passed / step + 1n) * step)
}
