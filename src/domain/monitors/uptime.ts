// How long a monitor was reachable, measured from its states and not from counts of checks.
import type { MonitorState } from './monitor.ts'

/** Half-open: `from` is included, `to` is not. */
export type Interval = { from: Date; to: Date }

/** `to` is null for the current state. */
export type StateSpan = { state: MonitorState; from: Date; to: Date | null }

type MissedSlots = { fromSlot: Date; toSlot: Date; reason: string }

/** `ratio` is 0..1, or null if nothing was measured, which is neither up nor down. */
export type Uptime = { upMs: number; downMs: number; ratio: number | null }

type Stretch = { fromMs: number; toMs: number }

/**
 * UP and DEGRADED over UP, DEGRADED and DOWN. PENDING, PAUSED and `outside` are not counted; `outside` holds
 * maintenance and the time in which we ran no checks.
 */
export function uptime(
  spans: readonly StateSpan[],
  outside: readonly Interval[],
  within: Interval,
): Uptime {
  const holes = merge(outside)
  let upMs = 0
  let downMs = 0
  for (const span of spans) {
    const stretch = clip(span, within)
    if (span.state === 'DOWN') downMs += withoutHoles(stretch, holes)
    if (span.state === 'UP' || span.state === 'DEGRADED') upMs += withoutHoles(stretch, holes)
  }
  const measuredMs = upMs + downMs
  return { upMs, downMs, ratio: measuredMs === 0 ? null : upMs / measuredMs }
}

// Less than this share of a period says little about the whole of it.
const LEAST_MEASURED = 0.5

/** Whether enough of a period was measured for its uptime to be shown. */
export function coversPeriod(measuredMs: number, periodMs: number): boolean {
  return measuredMs > 0 && measuredMs >= LEAST_MEASURED * periodMs
}

/** The ratio, or null until enough of the period was measured. */
export function shownRatio({ upMs, downMs, ratio }: Uptime, { from, to }: Interval): number | null {
  return coversPeriod(upMs + downMs, to.getTime() - from.getTime()) ? ratio : null
}

const MEASURED: ReadonlySet<MonitorState> = new Set(['UP', 'DEGRADED', 'DOWN'])

/** When measuring began within the period; null if nothing was measured. Expects spans oldest first. */
export function measuredFrom(spans: readonly StateSpan[], within: Interval): Date | null {
  const first = spans
    .filter(({ state }) => MEASURED.has(state))
    .map((span) => clip(span, within))
    .find(({ fromMs, toMs }) => fromMs < toMs)
  return first === undefined ? null : new Date(first.fromMs)
}

/**
 * The time a range of missed slots leaves unknown: until the slot after it. A slot that fell while the monitor's own
 * check ran (OVERLAP) leaves nothing unknown.
 */
export function gapOf(missed: MissedSlots, intervalSeconds: number): Interval | undefined {
  if (missed.reason === 'OVERLAP') return undefined
  return { from: missed.fromSlot, to: new Date(missed.toSlot.getTime() + intervalSeconds * 1000) }
}

function clip(span: StateSpan, within: Interval): Stretch {
  return {
    fromMs: Math.max(span.from.getTime(), within.from.getTime()),
    toMs: Math.min(span.to?.getTime() ?? Number.POSITIVE_INFINITY, within.to.getTime()),
  }
}

// Windows may overlap each other and our own gaps. Without merging, shared time would be subtracted twice.
function merge(intervals: readonly Interval[]): Stretch[] {
  const merged: Stretch[] = []
  const sorted = intervals
    .map(({ from, to }) => ({ fromMs: from.getTime(), toMs: to.getTime() }))
    .sort((a, b) => a.fromMs - b.fromMs)
  for (const next of sorted) {
    const last = merged.at(-1)
    if (last === undefined || next.fromMs > last.toMs) merged.push(next)
    else last.toMs = Math.max(last.toMs, next.toMs)
  }
  return merged
}

function withoutHoles({ fromMs, toMs }: Stretch, holes: readonly Stretch[]): number {
  if (toMs <= fromMs) return 0
  let lostMs = 0
  for (let i = firstEndingAfter(holes, fromMs); i < holes.length; i++) {
    const hole = holes[i]
    if (hole === undefined || hole.fromMs >= toMs) break
    lostMs += Math.min(hole.toMs, toMs) - Math.max(hole.fromMs, fromMs)
  }
  return toMs - fromMs - lostMs
}

// Holes are sorted and disjoint, so their ends are sorted too: a binary search avoids walking a year of them.
function firstEndingAfter(holes: readonly Stretch[], ms: number): number {
  let low = 0
  let high = holes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((holes[middle]?.toMs ?? 0) > ms) high = middle
    else low = middle + 1
  }
  return low
}
