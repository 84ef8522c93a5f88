// A maintenance window: covered monitors are still checked, but no alerts are sent.
import type { Static } from 'typebox'
import { WEEKDAYS } from '../../domain/maintenance/maintenance.ts'
import { closed, id, input, nullable, oneOf, orNull, patch, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

export const WINDOW_STATUSES = ['SCHEDULED', 'ACTIVE', 'COMPLETED'] as const
export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY'] as const
const MAX_MONITORS = 500
const MAX_STATUS_PAGES = 500

const ABOUT = {
  name: 'Name of the window.',
  description: 'What is done, for visitors of status pages.',
  startsAt: 'Start of the window; of its first occurrence when it repeats.',
  endsAt: 'End of the window; of its first occurrence when it repeats.',
  timezone: 'IANA time zone whose wall clock the recurrence follows.',
  recurrence: 'How it repeats. Null for a window that happens once.',
  allMonitors: 'Whether it covers every monitor, including ones created later.',
  monitorIds:
    'Monitors it covers, each once. Kept, but without effect, while `allMonitors` is true.',
  statusPageIds: 'Status pages that show it. Empty: every page with a covered monitor.',
  showOnStatusPages: 'Whether status pages show it.',
  notifySubscribers: 'Whether subscribers of the pages are notified.',
  frequency: 'How often it repeats.',
  interval: 'Every how many days, weeks or months.',
  daysOfWeek: 'WEEKLY only: days on which it happens. Left out: the day of `startsAt`.',
  dayOfMonth: 'MONTHLY only: 1 to 31, or -1 for the last day. A month without that day is skipped.',
  recurrenceEndsAt: 'No occurrence starts at or after this. Null: it repeats without end.',
}

export const Occurrence = closed({
  startsAt: timestamp('Start of the occurrence.'),
  endsAt: timestamp('End of the occurrence.'),
})

const daysOfWeek = Type.Unsafe<(typeof WEEKDAYS)[number][] | null>({
  type: ['array', 'null'],
  items: oneOf(WEEKDAYS),
  minItems: 1,
  maxItems: 7,
  uniqueItems: true,
  description: ABOUT.daysOfWeek,
})

export const Recurrence = closed({
  frequency: oneOf(FREQUENCIES, { description: ABOUT.frequency }),
  interval: Type.Integer({ description: ABOUT.interval }),
  daysOfWeek,
  dayOfMonth: nullable(Type.Integer({ description: ABOUT.dayOfMonth })),
  endsAt: nullable(timestamp(ABOUT.recurrenceEndsAt)),
})

export const RecurrenceInput = input({
  frequency: oneOf(FREQUENCIES, { description: ABOUT.frequency }),
  interval: Type.Integer({ minimum: 1, maximum: 52, default: 1, description: ABOUT.interval }),
  daysOfWeek: Type.Optional(daysOfWeek),
  dayOfMonth: Type.Optional(
    nullable(
      Type.Integer({
        minimum: -1,
        maximum: 31,
        not: { const: 0 },
        description: ABOUT.dayOfMonth,
      }),
    ),
  ),
  endsAt: Type.Optional(nullable(timestamp(ABOUT.recurrenceEndsAt))),
})

export const MaintenanceWindowBody = closed({
  id: id('Id of the window.'),
  name: Type.String({ description: ABOUT.name }),
  description: nullable(Type.String({ description: ABOUT.description })),
  status: oneOf(WINDOW_STATUSES, { description: 'ACTIVE inside an occurrence.' }),
  startsAt: timestamp(ABOUT.startsAt),
  endsAt: timestamp(ABOUT.endsAt),
  timezone: Type.String({ description: ABOUT.timezone }),
  recurrence: orNull(Recurrence, ABOUT.recurrence),
  allMonitors: Type.Boolean({ description: ABOUT.allMonitors }),
  monitorIds: Type.Array(Type.String(), { description: ABOUT.monitorIds }),
  statusPageIds: Type.Array(Type.String(), { description: ABOUT.statusPageIds }),
  showOnStatusPages: Type.Boolean({ description: ABOUT.showOnStatusPages }),
  notifySubscribers: Type.Boolean({ description: ABOUT.notifySubscribers }),
  currentOccurrence: orNull(Occurrence, 'The occurrence that is active now.'),
  nextOccurrence: orNull(Occurrence, 'The next occurrence that has not begun.'),
  upcomingOccurrences: Type.Array(Occurrence, {
    maxItems: 5,
    description: 'The next five, soonest first.',
  }),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it last changed.'),
})
export type MaintenanceWindowBody = Static<typeof MaintenanceWindowBody>

const writable = {
  name: Type.String({ minLength: 1, maxLength: 120, description: ABOUT.name }),
  description: nullable(
    Type.String({ maxLength: 2000, default: null, description: ABOUT.description }),
  ),
  startsAt: timestamp(ABOUT.startsAt),
  endsAt: timestamp(`${ABOUT.endsAt} At most 30 days after its start.`),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    default: 'UTC',
    description: ABOUT.timezone,
  }),
  recurrence: Type.Unsafe<Static<typeof RecurrenceInput> | null>({
    ...nullable(RecurrenceInput),
    default: null,
    description: ABOUT.recurrence,
  }),
  allMonitors: Type.Boolean({ default: false, description: ABOUT.allMonitors }),
  monitorIds: Type.Array(id('Id of a monitor.'), {
    maxItems: MAX_MONITORS,
    default: [],
    description: `${ABOUT.monitorIds} Needed unless \`allMonitors\` is true.`,
  }),
  statusPageIds: Type.Array(id('Id of a status page.'), {
    maxItems: MAX_STATUS_PAGES,
    default: [],
    description: ABOUT.statusPageIds,
  }),
  showOnStatusPages: Type.Boolean({ default: true, description: ABOUT.showOnStatusPages }),
  notifySubscribers: Type.Boolean({ default: false, description: ABOUT.notifySubscribers }),
}

export const MaintenanceWindowCreate = input(writable)
export const MaintenanceWindowUpdate = patch(writable)
export type WindowInput = Static<typeof MaintenanceWindowCreate>
