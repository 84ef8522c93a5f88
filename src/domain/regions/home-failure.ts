// When a monitor is known to fail from its home region alone. It is not down: another region reaches it.

export type HomeFailure = {
  /** The first check in which home failed and another region passed. */
  since: Date
  /** The last try from home, which failed; null if none. */
  triedAt: Date | null
  /** Not if a request may not be repeated, or the target is private. */
  isTried: boolean
  /** Checks that passed elsewhere meanwhile, with the first one. */
  checks: number
}

const PATIENCE_MS = 5 * 60_000
const MIN_CHECKS = 3

/** One failure from home proves little: a later try has to fail as well. */
export function isHomeFailing(
  { since, triedAt, isTried, checks }: HomeFailure,
  now: Date,
): boolean {
  const certainMs = since.getTime() + PATIENCE_MS
  if (checks < MIN_CHECKS || now.getTime() < certainMs) return false
  return !isTried || (triedAt !== null && triedAt.getTime() >= certainMs)
}
