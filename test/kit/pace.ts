// How far behind the machine is. A limit in time holds on a machine that has time: what the timers of the test itself
// lose to others, those of the product lose as well, and at every hop.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 10
const HOPS = 10

type Pace = {
  /** By how much a limit is exceeded without anybody's fault: next to nothing on a machine that is not busy. */
  slackMs(): number
}

/** Measures from now on. */
export function startPace(): Pace {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  return {
    slackMs: () => HOPS * Math.max(0, delays.max / 1e6 - 2 * RESOLUTION_MS),
  }
}
