// A chart of response times: its range, its buckets, and the history they come from.

export const SERIES_RANGES = ['3h', '24h', '7d', '30d'] as const
type SeriesRange = (typeof SERIES_RANGES)[number]

/** RAW: single results, for steps finer than the roll-ups. */
export type SeriesSource = 'RAW' | 'HOURS' | 'DAYS'
export type SeriesPlan = { from: Date; to: Date; bucketSeconds: number; source: SeriesSource }

const MAX_SERIES_DAYS = 400
export const MAX_BUCKETS = 750

const HOUR = 3600
const DAY = 86_400
const RANGE_SECONDS: Record<SeriesRange, number> = {
  '3h': 3 * HOUR,
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
}
// A day at one check every 30 s is 2,880 results of one monitor, the most ever read at once.
const MAX_RAW_SECONDS = 25 * HOUR
const MAX_HOURS_SECONDS = 31 * DAY
const RAW_STEPS = [60, 120, 300, 600]
const MAX_RAW_BUCKETS = 180

export type SeriesRequest = { range?: SeriesRange; from?: Date; to?: Date }

/** What is wrong with the request, by parameter name; undefined if nothing is. */
export function seriesProblem({ range, from, to }: SeriesRequest, now: Date) {
  if (range !== undefined && (from !== undefined || to !== undefined))
    return { path: 'range', message: 'must not be given together with from and to' }
  if ((from === undefined) !== (to === undefined))
    return { path: from === undefined ? 'from' : 'to', message: 'is needed too' }
  if (from === undefined || to === undefined) return undefined
  if (to <= from) return { path: 'to', message: 'must be after from' }
  if (from >= now) return { path: 'from', message: 'must not be in the future' }
  if (to.getTime() - from.getTime() > MAX_SERIES_DAYS * DAY * 1000)
    return { path: 'from', message: `must be at most ${MAX_SERIES_DAYS} days before to` }
  return undefined
}

/** Results older than `rawSince` may be gone. */
export function planSeries(request: SeriesRequest, now: Date, rawSince: Date): SeriesPlan {
  const rangeMs = RANGE_SECONDS[request.range ?? '24h'] * 1000
  const from = request.from ?? new Date(now.getTime() - rangeMs)
  const to = request.to !== undefined && request.to < now ? request.to : now
  const seconds = (to.getTime() - from.getTime()) / 1000
  const { source, bucketSeconds } = stepsOf(seconds, from >= rawSince)
  return { from: floorTo(from, bucketSeconds), to, bucketSeconds, source }
}

function stepsOf(seconds: number, hasRaw: boolean): Omit<SeriesPlan, 'from' | 'to'> {
  if (seconds <= MAX_RAW_SECONDS && hasRaw) {
    const fine = RAW_STEPS.find((step) => seconds / step <= MAX_RAW_BUCKETS)
    return { source: 'RAW', bucketSeconds: fine ?? 600 }
  }
  if (seconds <= MAX_HOURS_SECONDS) return { source: 'HOURS', bucketSeconds: HOUR }
  return { source: 'DAYS', bucketSeconds: DAY }
}

function floorTo(at: Date, seconds: number): Date {
  const ms = seconds * 1000
  return new Date(Math.floor(at.getTime() / ms) * ms)
}
