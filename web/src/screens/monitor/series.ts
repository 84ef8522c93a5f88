// Converts buckets into chart columns. Pure.
import type { ResponseOf } from '../../api/contract.ts'

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

/** The top of the scale: a round number above everything drawn, including the threshold. */
export function topOf({ buckets, thresholdMs }: Series): number {
  const highest = Math.max(10, thresholdMs ?? 0, ...buckets.map(([, , p95]) => p95 ?? 0)) * 1.1
  const step = 10 ** Math.floor(Math.log10(highest))
  return TOPS.map((factor) => Math.round(factor * step)).find((top) => top >= highest) ?? highest
}

/** Describes the chart for screen readers. */
export function summaryOf({ buckets, incidents, thresholdMs }: Series): string {
  const p95 = buckets.flatMap(([, , one]) => (one === null ? [] : [one]))
  if (p95.length === 0) return 'No response times in this stretch.'
  const sorted = [...p95].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  const limit = thresholdMs === null ? '' : ` The limit is ${thresholdMs} ms.`
  const broken = incidents.length === 0 ? 'no incident' : `${incidents.length} incidents`
  return `Response times: the p95 is mostly about ${middle} ms and at most ${sorted.at(-1)} ms, with ${broken}.${limit}`
}
