// Published incidents by the local day they began on, with the quiet days between them on one line.
import { localDate } from '../monitors/day-bars.ts'

type HistoryEntry<I> =
  | { kind: 'DAY'; date: string; incidents: I[] }
  /** Both ends are included. */
  | { kind: 'QUIET'; from: string; to: string }

/**
 * Newest first, from today back over at least `leastDays` days. Today always has its own line: a visitor who suspects a
 * problem wants to see that nothing else is known.
 */
export function historyByDay<I extends { startedAt: Date }>(
  incidents: readonly I[],
  { timezone, now, leastDays }: { timezone: string; now: Date; leastDays: number },
): HistoryEntry<I>[] {
  const today = localDate(now, timezone)
  const byDate = Map.groupBy(incidents, ({ startedAt }) =>
    localDate(startedAt, timezone).toString(),
  )
  if (!byDate.has(today.toString())) byDate.set(today.toString(), [])
  const oldest = today.subtract({ days: leastDays - 1 }).toString()
  const entries: HistoryEntry<I>[] = []
  let expected = today.toString()
  for (const date of [...byDate.keys()].toSorted().toReversed()) {
    if (date < expected) entries.push({ kind: 'QUIET', from: dayAfter(date), to: expected })
    entries.push({ kind: 'DAY', date, incidents: byDate.get(date) ?? [] })
    expected = dayBefore(date)
  }
  if (expected >= oldest) entries.push({ kind: 'QUIET', from: oldest, to: expected })
  return entries
}

const dayAfter = (date: string) => Temporal.PlainDate.from(date).add({ days: 1 }).toString()
const dayBefore = (date: string) => Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()
