// A Prometheus histogram as its process shows it. Pure.

/** Counts up to each upper bound, smallest bound first. */
export type Buckets = ReadonlyMap<number, number>

/** The lines of one histogram without labels, such as `name_bucket{le="0.5"} 12`. */
export function toBuckets(lines: readonly string[]): Buckets {
  const pairs = lines.flatMap((line): [number, number][] => {
    const [, bound, count] = /_bucket\{le="([^"]+)"\} (\S+)$/.exec(line) ?? []
    if (bound === undefined) return []
    return [[bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), Number(count)]]
  })
  return new Map(pairs.toSorted(([a], [b]) => a - b))
}

/** Of processes that ran one after the other: their counts start at 0. */
export function addBuckets(one: Buckets, other: Buckets): Buckets {
  const bounds = [...new Set([...one.keys(), ...other.keys()])].toSorted((a, b) => a - b)
  return new Map(bounds.map((bound) => [bound, (one.get(bound) ?? 0) + (other.get(bound) ?? 0)]))
}

/** The bound below which at least this share lies; NaN if nothing was counted. */
export function boundOf(buckets: Buckets, share: number): number {
  const all = buckets.get(Number.POSITIVE_INFINITY) ?? 0
  if (all === 0) return Number.NaN
  for (const [bound, count] of buckets) if (count >= all * share) return bound
  return Number.POSITIVE_INFINITY
}
