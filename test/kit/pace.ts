// How far behind the machine is. Time limits only hold on an idle machine: delays that hit this test's timers also hit
// the product's, at every hop.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 10
const HOPS = 10

type Pace = {
  /** By how much a limit may be exceeded because of the machine: close to zero if it is idle. */
  slackMs(): number
}

/** Starts measuring. */
export function startPace(): Pace {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  return {
    slackMs: () => HOPS * Math.max(0, delays.max / 1e6 - 2 * RESOLUTION_MS),
  }
}

const SOON_MS = 50
const LATER_MS = 250
const SHARE = 1 / 20

/**
 * How long to wait before the next look at what a test waits for: at first not long; later a twentieth of what it has
 * waited, because each look is a request that costs CPU time.
 */
export const nextLookMs = (waitedMs: number): number =>
  Math.min(LATER_MS, Math.max(SOON_MS, SHARE * waitedMs))
