const SHARDS = 256

/** How many shards each of so many schedulers runs. */
export function fairShare(schedulers: number): number {
  return Math.ceil(SHARDS / Math.max(1, schedulers))
}
