// Folds what repeats in a timeline: all alerts, webhooks and "still failing" lines between two changes are one entry each.
import { formatDay } from '../../time/format.ts'

/** One line, or several of the same type. */
export type TimelineEntry<L> = [L, ...L[]]

const FOLDED: ReadonlySet<string> = new Set(['ALERT', 'WEBHOOK', 'STILL_FAILING'])

/** Keeps the order. An entry is where its first line was. */
export function foldTimeline<L extends { type: string }>(lines: readonly L[]): TimelineEntry<L>[] {
  const entries: TimelineEntry<L>[] = []
  let open = new Map<string, TimelineEntry<L>>()
  for (const line of lines) {
    const isFolded = FOLDED.has(line.type)
    if (!isFolded) open = new Map()
    const entry = open.get(line.type)
    if (entry === undefined) {
      const started: TimelineEntry<L> = [line]
      entries.push(started)
      if (isFolded) open.set(line.type, started)
    } else entry.push(line)
  }
  return entries
}

/** The day of each instant that is not on the day before it; the timeline's head has the first one. */
export function newDays(
  instants: readonly string[],
  startedAt: string,
  now: number,
): (string | undefined)[] {
  const days = [startedAt, ...instants].map((at) => formatDay(at, now))
  return days.slice(1).map((day, index) => (day === days[index] ? undefined : day))
}
