// How large a run is, and what happens when. Pure.

export type RunSize = {
  monitors: number
  organizations: number
  /** Monitors of the organization that is paused, and of the one that is deleted. */
  bigSize: number
  intervalSeconds: number
  minutes: number
}

// About what two cores carry, next to PostgreSQL, targets and load.
const CHECKS_PER_SECOND = 280
const MONITORS_PER_ORGANIZATION = 100
const FEWEST_ORGANIZATIONS = 10
const BIG_SHARE = 0.1
const MIN_INTERVAL_SECONDS = 30
const MAX_INTERVAL_SECONDS = 86_400
const FEWEST_MONITORS = 1000
const MOST_MONITORS = 2_000_000
// Intervals that people choose.
const STEPS_SECONDS = [30, 60, 300, 600, 900, 1800, 3600, 7200, 14_400, 86_400]

/** Everything follows from the number of monitors, unless an interval is given. */
export function planRun(asked: {
  monitors: number
  minutes: number
  intervalSeconds?: number | undefined
}): RunSize {
  const { monitors, minutes } = asked
  if (!Number.isInteger(monitors) || monitors < FEWEST_MONITORS || monitors > MOST_MONITORS)
    throw new RangeError(`--monitors must be ${FEWEST_MONITORS} to ${MOST_MONITORS}`)
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new RangeError('--minutes must be up to a day')
  const intervalSeconds = asked.intervalSeconds ?? usualInterval(monitors)
  if (intervalSeconds < MIN_INTERVAL_SECONDS || intervalSeconds > MAX_INTERVAL_SECONDS)
    throw new RangeError(`--interval must be ${MIN_INTERVAL_SECONDS} to ${MAX_INTERVAL_SECONDS}`)
  return {
    monitors,
    organizations: Math.max(FEWEST_ORGANIZATIONS, Math.round(monitors / MONITORS_PER_ORGANIZATION)),
    bigSize: Math.round(monitors * BIG_SHARE),
    intervalSeconds,
    minutes,
  }
}

function usualInterval(monitors: number): number {
  const leastSeconds = monitors / CHECKS_PER_SECOND
  return STEPS_SECONDS.find((seconds) => seconds >= leastSeconds) ?? MAX_INTERVAL_SECONDS
}

/** The organization of a monitor, both counted from 0. The first two are big; the others share the rest evenly. */
export function organizationOf(monitor: number, { organizations, bigSize }: RunSize): number {
  if (monitor < 2 * bigSize) return Math.floor(monitor / bigSize)
  return 2 + ((monitor - 2 * bigSize) % (organizations - 2))
}

/** How many monitors an organization has. */
export function sizeOf(organization: number, size: RunSize): number {
  const { monitors, organizations, bigSize } = size
  if (organization < 2) return bigSize
  const [left, others] = [monitors - 2 * bigSize, organizations - 2]
  return Math.floor(left / others) + (organization - 2 < left % others ? 1 : 0)
}
