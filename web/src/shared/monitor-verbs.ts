// Which actions apply to a monitor, in the order in which they are offered. Pure.
import type { MonitorState, MonitorType } from '../../../src/domain/monitors/monitor.ts'
import type { MonitorAction } from '../messages/monitor-actions.ts'

type Subject = {
  type: MonitorType
  state: MonitorState
  /** Its ongoing incident, if no one has acknowledged it. */
  unacknowledgedId: string | null
}

export function actionsFor({ type, state, unacknowledgedId }: Subject): MonitorAction[] {
  const isPaused = state === 'PAUSED'
  const offered: Record<MonitorAction, boolean> = {
    acknowledge: unacknowledgedId !== null,
    // A CRON monitor waits for pings, so there is nothing to check.
    check: !isPaused && type !== 'CRON',
    pause: !isPaused,
    resume: isPaused,
    maintenance: !isPaused,
    edit: true,
  }
  return ORDER.filter((action) => offered[action])
}

const ORDER: readonly MonitorAction[] = [
  'acknowledge',
  'check',
  'pause',
  'resume',
  'maintenance',
  'edit',
]
