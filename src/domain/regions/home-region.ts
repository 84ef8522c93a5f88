// Which region a check starts from. The degraded rule compares response times from this region.

type RegionChoice = {
  /** Null if the organization chose none. */
  chosen: string | null
  /** Regions with a probe that was live within the last hour, in the order they joined the installation. */
  present: readonly string[]
}

/**
 * The organization's region while it has probes, otherwise the oldest region that has some; undefined if none has. A
 * region that is gone for a moment stays home: others stand in, and their times are not compared with its own.
 */
export function resolveHomeRegion({ chosen, present }: RegionChoice): string | undefined {
  return chosen !== null && present.includes(chosen) ? chosen : present[0]
}
