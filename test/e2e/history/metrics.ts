// The metrics of a running process, as an operator's collector would read them.
import type { Service } from '../../../tools/stack.ts'

/** How many checks were at most that many seconds late; the last bound is infinity. */
type Histogram = { bound: number; count: number }[]

const BUCKET = /^upvane_check_lateness_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm

export async function lateness(service: Service): Promise<Histogram> {
  return [...(await read(service)).matchAll(BUCKET)].map(([, bound = '', count]) => ({
    bound: bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound),
    count: Number(count),
  }))
}

/** Of what was counted between the two, interpolated within its bucket. */
export function quantile(before: Histogram, after: Histogram, rank: number) {
  const counts = after.map(({ bound, count }, i) => ({
    bound,
    count: count - (before[i]?.count ?? 0),
  }))
  const total = counts.at(-1)?.count ?? 0
  let low = { bound: 0, count: 0 }
  for (const high of counts) {
    if (high.count >= total * rank && high.count > 0) {
      const share = (total * rank - low.count) / (high.count - low.count)
      return { count: total, seconds: low.bound + (high.bound - low.bound) * share }
    }
    low = high
  }
  return { count: 0, seconds: 0 }
}

/** Sums all labels, or those with this `task`. A counter with labels appears with its first count. */
export async function readMetric(service: Service, name: string, task?: string): Promise<number> {
  const start = task === undefined ? name : `${name}{task="${task}"}`
  const lines = (await read(service)).split('\n').filter((line) => line.startsWith(start))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

async function read({ internalUrl }: Service): Promise<string> {
  return (await fetch(`${internalUrl}/metrics`)).text()
}
