// Reports what blocks the event loop: meanwhile no requests are served and no checks run.
import { Histogram, type Registry } from 'prom-client'
import { type EventLoopWatch, startEventLoopWatch } from '../observability/event-loop-watch.ts'
import type { Log } from '../observability/log.ts'

const BUCKETS_SECONDS = [0.25, 0.5, 1, 2, 5, 10, 30]

/** Loading and initial compilation block as well, so nothing is reported before `startReporting`. */
export function watchEventLoop(
  log: Log,
  registry: Registry,
): EventLoopWatch & { startReporting(): void } {
  const blockedSeconds = new Histogram({
    name: 'upvane_event_loop_blocked_seconds',
    help: 'Time the event loop was blocked for more than 200 ms, by the operation that blocked it.',
    labelNames: ['operation'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  let isReporting = false
  const watch = startEventLoopWatch((block) => {
    if (!isReporting) return
    blockedSeconds.observe({ operation: block.operation }, block.blockedMs / 1000)
    log.warn(block, 'event loop blocked')
  })
  return {
    ...watch,
    startReporting: () => {
      isReporting = true
    },
  }
}
