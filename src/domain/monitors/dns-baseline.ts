// Which DNS answers are usual for a monitor. A value counts as known for seven days, so that round-robin answers are
// learned and a record that returns after a week is reported again.

export type DnsBaseline = {
  /** The answer that the next change is compared with. */
  answers: string[]
  /** When each value was last seen, in ISO 8601, because this is stored as JSON. */
  seen: Record<string, string>
}

export type DnsChange = { before: string[]; after: string[] }

const MEMORY_MS = 7 * 86_400_000
// A timestamp is rewritten only when it is this old, because most answers are the usual ones.
const REFRESH_MS = 3_600_000
const MAX_VALUES = 200

/** The first good answer is the baseline. A later one with a value not seen for seven days is a change. */
export function observeAnswer(
  baseline: DnsBaseline | null,
  answers: readonly string[],
  now: Date,
): { baseline: DnsBaseline; change?: DnsChange } {
  const after = answers.toSorted()
  if (baseline === null) return { baseline: { answers: after, seen: stamp({}, after, now) } }

  const isNews = after.some((value) => ageMs(baseline.seen[value], now) > MEMORY_MS)
  const seen = stamp(baseline.seen, after, now)
  if (!isNews)
    return { baseline: seen === baseline.seen ? baseline : { answers: baseline.answers, seen } }
  return { baseline: { answers: after, seen }, change: { before: baseline.answers, after } }
}

function stamp(seen: Record<string, string>, values: readonly string[], now: Date) {
  const stale = values.filter((value) => ageMs(seen[value], now) > REFRESH_MS)
  if (stale.length === 0) return seen
  const kept = Object.entries(seen).filter(([, at]) => ageMs(at, now) <= MEMORY_MS)
  const fresh = stale.map((value) => [value, now.toISOString()] as const)
  const names = new Set(stale)
  const others = kept.filter(([value]) => !names.has(value))
  return Object.fromEntries([...others, ...fresh].slice(-MAX_VALUES))
}

function ageMs(at: string | undefined, now: Date): number {
  return at === undefined ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(at)
}
