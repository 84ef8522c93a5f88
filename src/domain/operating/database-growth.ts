// How fast the database grows. Pure.

export type DailySize = { daysAgo: number; bytes: number }

/** Older measurements say little about the growth of today. */
export const GROWTH_DAYS = 7

/** Per day, since the oldest measurement of the last days; undefined before the second day. Negative if it shrinks. */
export function growthOf(
  sizes: readonly DailySize[],
  bytes: number,
): { bytesPerDay: number; days: number } | undefined {
  const recent = sizes.filter(({ daysAgo }) => daysAgo >= 1 && daysAgo <= GROWTH_DAYS)
  const oldest = recent.toSorted((a, b) => b.daysAgo - a.daysAgo)[0]
  if (oldest === undefined) return undefined
  return { bytesPerDay: Math.round((bytes - oldest.bytes) / oldest.daysAgo), days: oldest.daysAgo }
}
