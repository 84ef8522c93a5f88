// When a monitor counts as not checked: its checks run, but none of them had a result for a while.
import type { MonitorType } from '../monitors/monitor.ts'

export type CheckHistory = {
  type: MonitorType
  intervalSeconds: number
  createdAt: Date
  lastCheckedAt: Date | null
  lastStatusChangedAt: Date | null
}

const PATIENCE_MS = 5 * 60_000
const PATIENCE_INTERVALS = 2
// Longer than the pause between two repeated checks, so that the note is there when the time comes.
const NOTED_AHEAD_MS = 2 * 60_000
// After an outage of ours the first checks may run before the probes are back.
const MIN_NOTED_MS = 30_000
/** A CRON monitor has no probe, and a registry may refuse to answer for days. */
const NEVER_NOTED: ReadonlySet<MonitorType> = new Set(['CRON', 'DOMAIN'])

/** The last result, or a later resume. Before the first result, the creation. */
export function lastResultAt({
  createdAt,
  lastCheckedAt,
  lastStatusChangedAt,
}: CheckHistory): Date {
  const times = [createdAt, lastCheckedAt, lastStatusChangedAt].map((at) => at?.getTime() ?? 0)
  return new Date(Math.max(...times))
}

function dueMs(monitor: CheckHistory): number {
  const { intervalSeconds } = monitor
  return lastResultAt(monitor).getTime() + PATIENCE_MS + PATIENCE_INTERVALS * intervalSeconds * 1000
}

/** Whether a note about the monitor may exist, or must be written if its check had no result again. */
export function isNoteDue(monitor: CheckHistory, now: Date): boolean {
  return !NEVER_NOTED.has(monitor.type) && now.getTime() >= dueMs(monitor) - NOTED_AHEAD_MS
}

/** When people are notified of it, unless a check has a result before. */
export function notifyUncheckedAt(monitor: CheckHistory, now: Date): Date {
  return new Date(Math.max(dueMs(monitor), now.getTime() + MIN_NOTED_MS))
}
