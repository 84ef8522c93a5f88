// What is said about actions on a monitor, from wherever they are taken.
export const monitorActionsText = {
  /** In a menu, next to the monitor. */
  menu: {
    acknowledge: 'Acknowledge',
    check: 'Check now',
    pause: 'Pause',
    resume: 'Resume',
    maintenance: 'Maintenance…',
    edit: 'Edit',
  },
  more: 'Actions for {name}',
  acknowledged: 'Acknowledged. Reminders are off.',
  paused: '{name} paused',
  pausedWithIncident: '{name} paused. Its incident was closed.',
  withIncidents: '{done}. Their open incidents were closed.',
  resumed: '{name} resumed',
  /** Its incident does not come back, so this is no undo. */
  resume: 'Resume',
  checked: {
    DOWN: '{name} is down',
    DEGRADED: '{name} is degraded',
    EXPIRING: '{name} is expiring',
    PENDING: '{name} is pending',
    UP: '{name} is up',
    PAUSED: '{name} is paused',
  },
  stillSo: {
    DOWN: '{name} is still down',
    DEGRADED: '{name} is still degraded',
    EXPIRING: '{name} is still expiring',
    PENDING: '{name} is still pending',
    PAUSED: '{name} is still paused',
  },
} as const

export const selectingText = {
  select: 'Select',
  stopSelecting: 'Done',
} as const
