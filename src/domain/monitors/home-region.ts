// Which region a check starts from. Its response times are the ones the degraded rule compares.

type RegionChoice = {
  /** The organization's own choice; null when it made none. */
  chosen: string | null
  /** Regions with a probe that was live within the last hour, in the order they joined the installation. */
  present: readonly string[]
}

/**
 * The organization's region while it has probes, otherwise the oldest region that has some. A region that
 * is away for a moment stays home: others stand in for it, and their times are not compared with its own.
 * Undefined when no region has a probe.
 */
export function resolveHomeRegion({ chosen, present }: RegionChoice): string | undefined {
  return chosen !== null && present.includes(chosen) ? chosen : present[0]
}
