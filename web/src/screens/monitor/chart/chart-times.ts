// The times that a chart names, in the viewer's zone.
import { formatClock, formatDay, formatRange } from '../../../time/format.ts'
import type { Series } from './series.ts'

type Range = Pick<Series, 'from' | 'to'>

const SHORT_MS = 2 * 86_400_000

export const isShort = ({ from, to }: Range): boolean =>
  Date.parse(to) - Date.parse(from) <= SHORT_MS

/** On the axis: times of day for up to two days, dates beyond that. */
export const tickLabel = (seconds: number, range: Range): string =>
  isShort(range) ? formatClock(seconds * 1000) : formatDay(seconds * 1000, range.to)

/** What the tooltip is about: `Sat, Nov 14, 14:00 – 14:05`. */
export const bucketLabel = (
  seconds: number,
  { to, bucketSeconds }: Pick<Series, 'to' | 'bucketSeconds'>,
): string => formatRange(seconds * 1000, (seconds + bucketSeconds) * 1000, to)
