// Of texts that nobody can be refused, those that an organization's day has room for.
import { type DayUsage, fitsInDay } from '../domain/values/day-quota.ts'
import { addDayBytes } from '../store/core/day-usage.ts'
import type { Db } from '../store/core/db.ts'

type SizedText = { orgId: string; bytes: number }

const GONE: DayUsage = { usedBytes: 0, limitBytes: 0 }

/**
 * Which of them to keep. They count before they are stored, so that no other process uses the same room, and without a
 * transaction, so that nothing waits for the counter. Those that are not kept count too: they only make a full day fuller.
 */
export async function findWithinDay<Text extends SizedText>(
  db: Db,
  kind: 'PINGS' | 'RESPONSES',
  texts: readonly Text[],
): Promise<Set<Text>> {
  const counted = texts.filter(({ bytes }) => bytes > 0)
  if (counted.length === 0) return new Set(texts)
  const usages = await addDayBytes(db, kind, counted)
  const kept = new Set(texts.filter(({ bytes }) => bytes === 0))
  for (const [orgId, own] of Map.groupBy(counted, (text) => text.orgId)) {
    const sizes = own.map(({ bytes }) => bytes)
    fitsInDay(sizes, usages.get(orgId) ?? GONE).forEach((fits, index) => {
      const text = own[index]
      if (fits && text !== undefined) kept.add(text)
    })
  }
  return kept
}
