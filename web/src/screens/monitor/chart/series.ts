// Converts buckets into chart columns, and decides its scale. Pure.
import type { ResponseOf } from '../../../api/contract.ts'
import { monitorText } from '../../../messages/monitor.ts'

export type Series = ResponseOf<'GET /monitors/{monitorId}/response-times'>

type Columns = [at: number[], p50: (number | null)[], p95: (number | null)[]]

/** Columns over the whole range. A null breaks the line where buckets are missing. */
export function toColumns({ from, to, buckets, bucketSeconds }: Series): Columns {
  const columns: Columns = [[], [], []]
  const put = (at: number, p50: number | null, p95: number | null) => {
    columns[0].push(at)
    columns[1].push(p50)
    columns[2].push(p95)
  }
  put(Date.parse(from) / 1000, null, null)
  const silence = 2.5 * Math.max(bucketSeconds, usualStep(buckets))
  let before: number | undefined
  for (const [at, p50, p95] of buckets) {
    // One missing check can be jitter at long intervals; more than that is a gap.
    if (before !== undefined && at - before > silence) put(before + bucketSeconds, null, null)
    if (at > (columns[0].at(-1) ?? 0)) put(at, p50, p95)
    before = at
  }
  const end = Date.parse(to) / 1000
  if (end > (columns[0].at(-1) ?? 0)) put(end, null, null)
  return columns
}

/** Seconds between buckets. A monitor checked once an hour fills only one bucket in many. */
function usualStep(buckets: Series['buckets']): number {
  const steps = buckets.slice(1).map(([at], index) => at - (buckets[index]?.[0] ?? at))
  return steps.sort((a, b) => a - b)[Math.floor((steps.length - 1) / 2)] ?? 0
}

const TOPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
const LEAST_TOP = 9
const SHOWN_SHARE = 0.99

const p95Of = ({ buckets }: Series): number[] =>
  buckets.flatMap(([, , p95]) => (p95 === null ? [] : [p95])).sort((a, b) => a - b)

/**
 * The top is a round number above 99% of what is drawn: one spike does not flatten the rest, nor does a limit far above
 * it. A limit out of range is named at the edge instead.
 */
export function scaleOf(series: Series): { top: number; limit: 'NONE' | 'LINE' | 'EDGE' } {
  const drawn = p95Of(series)
  const high = drawn[Math.ceil(SHOWN_SHARE * drawn.length) - 1] ?? 0
  const top = roundUp(Math.max(LEAST_TOP, high) * 1.1)
  const { thresholdMs } = series
  if (thresholdMs === null) return { top, limit: 'NONE' }
  return { top, limit: thresholdMs <= top ? 'LINE' : 'EDGE' }
}

function roundUp(value: number): number {
  const step = 10 ** Math.floor(Math.log10(value))
  return TOPS.map((factor) => Math.round(factor * step)).find((top) => top >= value) ?? value
}

/** Values without neighbors. A line through a single point draws nothing, so they are drawn as dots. */
export function lonePoints(values: readonly (number | null | undefined)[]): number[] {
  const isValue = (index: number) => typeof values[index] === 'number'
  return values.flatMap((_, index) =>
    isValue(index) && !isValue(index - 1) && !isValue(index + 1) ? [index] : [],
  )
}

export type Stretch = { from: string; to: string }

const LEAST_ZOOM_SECONDS = 120

/** The period that was dragged over, in Unix seconds; undefined if it is too short to be meant. */
export function zoomOf(start: number, end: number): Stretch | undefined {
  const [from, to] = [Math.floor(Math.min(start, end)), Math.ceil(Math.max(start, end))]
  if (to - from < LEAST_ZOOM_SECONDS) return undefined
  return { from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString() }
}

const DAY_MS = 86_400_000

/** What "Custom" starts with. */
export function lastDay(now: number): Stretch {
  return { from: new Date(now - DAY_MS).toISOString(), to: new Date(now).toISOString() }
}

type Label = { center: number; width: number }

/** The left ends of labels above their bands, kept inside the plot. Undefined where there is no room. */
export function placeLabels(
  labels: readonly Label[],
  { from, to, gap }: { from: number; to: number; gap: number },
): (number | undefined)[] {
  const taken: { left: number; right: number }[] = []
  return labels.map(({ center, width }) => {
    const left = Math.max(from, Math.min(to - width, center - width / 2))
    const right = left + width
    const collides = taken.some((one) => left < one.right + gap && one.left < right + gap)
    if (collides || right > to) return undefined
    taken.push({ left, right })
    return left
  })
}

/** Describes the chart for screen readers. */
export function summaryOf(series: Series): string {
  const { chart } = monitorText
  const sorted = p95Of(series)
  const usual = sorted[Math.floor(sorted.length / 2)]
  const most = sorted.at(-1)
  if (usual === undefined || most === undefined) return chart.empty
  const { thresholdMs, incidents } = series
  const summary = chart.summary({ usual, most, incidents: incidents.length })
  return thresholdMs === null ? summary : `${summary} ${chart.limitIs({ limitMs: thresholdMs })}`
}
