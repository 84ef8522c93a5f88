// How often a dispatcher looks for due deliveries.
import { MAX_PER_PROCESS } from './delivery-share.ts'

export const CLAIM_EVERY_MS = 50
// A busy process claims less often because each claim covers more.
const BUSY_EVERY_MS = 100
const BUSY_CLAIM_SIZE = MAX_PER_PROCESS / 8
// An idle one looks less and less often. Still, a delivery must be received within a quarter of a second.
const IDLE_EVERY_MS = 150
const IDLE_GROWTH = 1.25

/** From one claim to the next. `lastMs` is what was returned for the claim before, `claimed` what this one found. */
export function nextClaimMs(lastMs: number, claimed: number): number {
  if (claimed > BUSY_CLAIM_SIZE) return BUSY_EVERY_MS
  if (claimed > 0) return CLAIM_EVERY_MS
  return Math.min(IDLE_EVERY_MS, lastMs * IDLE_GROWTH)
}
