const SHARDS = 256

/** How many shards each scheduler runs. */
export function fairShare(schedulers: number): number {
  return Math.ceil(SHARDS / Math.max(1, schedulers))
}
