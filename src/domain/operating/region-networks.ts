// Whether a region was moved: its probes are in other networks than before. Pure.

/** A network that a probe of a region announced, and when it was first heard of. */
export type RegionNetwork = { region: string; network: string; firstSeenAt: Date }

/** After a day at the new place, it is the region's place. */
const NEW_FOR_MS = 86_400_000

/**
 * Regions that are announced from new networks alone, although they have been elsewhere before. One known network is
 * enough: a second probe, or a second interface, does not move a region.
 */
export function movedRegions(
  known: readonly RegionNetwork[],
  announced: ReadonlyMap<string, ReadonlySet<string>>,
  now: Date,
): string[] {
  const byRegion = Map.groupBy(known, ({ region }) => region)
  const moved = [...announced].filter(([region, networks]) => {
    const all = byRegion.get(region) ?? []
    const here = all.filter(({ network }) => networks.has(network))
    if (here.length === 0) return false
    const arrivedMs = Math.min(...here.map(({ firstSeenAt }) => firstSeenAt.getTime()))
    const isNew = now.getTime() - arrivedMs < NEW_FOR_MS
    return isNew && all.some(({ firstSeenAt }) => firstSeenAt.getTime() < arrivedMs)
  })
  return moved.map(([region]) => region).toSorted()
}
