export const SHARD_COUNT = 256

/** How many shards each scheduler runs. */
export function fairShare(schedulers: number): number {
  return Math.ceil(SHARD_COUNT / Math.max(1, schedulers))
}
