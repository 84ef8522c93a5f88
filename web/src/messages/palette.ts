// The command palette: its labels, and the words that people type for each action.
import type { MonitorAction } from './monitor-actions.ts'

export const paletteText = {
  name: 'Command palette',
  label: 'Search monitors, incidents, status pages and commands',
  placeholder: 'Search or run a command…',
  placeholderFor: (name: string) => `What to do with ${name}`,
  results: 'Results',
  none: (text: string) => `No results for “${text}”`,
  offline: 'Search and actions are off until the connection is back.',
  nothingOpen: 'Every open incident is acknowledged.',
  groups: {
    MONITOR: 'Monitors',
    INCIDENT: 'Incidents',
    STATUS_PAGE: 'Status pages',
    ACTION: 'Actions',
    PLACE: 'Go to',
  },
  actions: {
    acknowledge: (name: string) => `Acknowledge ${name}`,
    check: (name: string) => `Check ${name} now`,
    pause: (name: string) => `Pause ${name}`,
    resume: (name: string) => `Resume ${name}`,
    maintenance: (name: string) => `Start maintenance for ${name}…`,
    edit: (name: string) => `Edit ${name}`,
  } satisfies Record<MonitorAction, (name: string) => string>,
  /** Lists the monitors to choose from. */
  choose: {
    acknowledge: 'Acknowledge an incident…',
    check: 'Check a monitor now…',
    pause: 'Pause a monitor…',
    resume: 'Resume a monitor…',
    maintenance: 'Start maintenance for a monitor…',
    edit: 'Edit a monitor…',
  } satisfies Record<MonitorAction, string>,
  open: (name: string) => `Open ${name}`,
  create: {
    monitor: 'Create monitor',
    window: 'Create maintenance window',
    page: 'Create status page',
    incident: 'Publish incident',
    endpoint: 'Create webhook endpoint',
    contact: 'Create alert contact',
    key: 'Create API key',
    person: 'Invite a person',
  },
  states: {
    DOWN: 'Down',
    DEGRADED: 'Degraded',
    EXPIRING: 'Expiring',
    PENDING: 'Pending',
    UP: 'Up',
    PAUSED: 'Paused',
    ONGOING: 'Ongoing',
    RESOLVED: 'Resolved',
    PUBLISHED: 'Published',
    HIDDEN: 'Not published',
  },
  foot: {
    move: 'Move',
    run: 'Select',
    more: (name: string) => `Actions for ${name}`,
    back: 'Back',
  },
} as const

/** What may be typed for an action; the first one is completed when it is chosen. */
export const commandWords: Record<MonitorAction, readonly string[]> = {
  acknowledge: ['acknowledge', 'ack'],
  check: ['check', 'check now', 'recheck'],
  pause: ['pause', 'stop'],
  resume: ['resume', 'unpause', 'start'],
  maintenance: ['maintenance', 'start maintenance', 'silence', 'mute', 'snooze'],
  edit: ['edit', 'change'],
}
