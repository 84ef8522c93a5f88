// How often a monitor may change once its organization's day has no room for the events. Only recoveries wait: a failure is
// never late, and outages that are less than this apart become one.
import type { MonitorStatus } from '../monitors/monitor.ts'

const RECOVERY_HOLD_SECONDS = 300

/** How long the monitor stays DOWN at least; 0 if it may recover now. */
export function recoveryWaitMs(
  { state, lastStatusChangedAt }: Pick<MonitorStatus, 'state' | 'lastStatusChangedAt'>,
  now: Date,
): number {
  if (state !== 'DOWN' || lastStatusChangedAt === null) return 0
  const endMs = lastStatusChangedAt.getTime() + RECOVERY_HOLD_SECONDS * 1000
  return Math.max(0, endMs - now.getTime())
}
