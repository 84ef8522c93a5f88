// What is said about actions on a monitor, from wherever they are taken.

export type MonitorAction = 'acknowledge' | 'check' | 'pause' | 'resume' | 'maintenance' | 'edit'
type State = 'DOWN' | 'DEGRADED' | 'EXPIRING' | 'PENDING' | 'UP' | 'PAUSED'

const STATES: Record<State, string> = {
  DOWN: 'down',
  DEGRADED: 'degraded',
  EXPIRING: 'expiring',
  PENDING: 'pending',
  UP: 'up',
  PAUSED: 'paused',
}

export const monitorActionsText = {
  /** In a menu, next to the monitor. */
  menu: {
    acknowledge: 'Acknowledge',
    check: 'Check now',
    pause: 'Pause',
    resume: 'Resume',
    maintenance: 'Maintenance…',
    edit: 'Edit',
  } satisfies Record<MonitorAction, string>,
  more: (name: string) => `Actions for ${name}`,
  acknowledged: 'Acknowledged. Reminders are off.',
  paused: (name: string) => `${name} paused`,
  pausedWithIncident: (name: string) => `${name} paused. Its incident was closed.`,
  withIncidents: (done: string) => `${done}. Their open incidents were closed.`,
  resumed: (name: string) => `${name} resumed`,
  /** Its incident does not come back, so this is no undo. */
  resume: 'Resume',
  checked: (name: string, before: State, after: State) =>
    `${name} is ${before === after && after !== 'UP' ? 'still ' : ''}${STATES[after]}`,
} as const

export const selectingText = {
  select: 'Select',
  stopSelecting: 'Done',
} as const
