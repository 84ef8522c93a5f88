// Maintenance windows on a calendar.
import type { Static } from 'typebox'
import { WINDOW_STATUSES } from '../public/maintenance-window.ts'
import { closed, input, oneOf, Timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

export const CalendarEntry = closed({
  windowId: Type.String(),
  name: Type.String(),
  /** Of this occurrence. */
  status: oneOf(WINDOW_STATUSES),
  startsAt: Timestamp,
  endsAt: Timestamp,
  timezone: Type.String(),
  /** Local time in the window's time zone, with its offset: 2026-11-16T03:00:00+01:00. */
  localStartsAt: Type.String(),
  localEndsAt: Type.String(),
  repeats: Type.Boolean(),
  allMonitors: Type.Boolean(),
  monitors: Type.Integer(),
})
export type CalendarEntry = Static<typeof CalendarEntry>

/** At most 100 days. `more` means that there are more occurrences than shown. */
export const getCalendar = privateOperation({
  id: 'getCalendar',
  method: 'GET',
  path: '/overview/calendar',
  who: 'READ_ONLY',
  query: input({
    from: Timestamp,
    to: Timestamp,
    monitorId: Type.Optional(Type.String({ minLength: 1 })),
  }),
  reply: {
    status: 200,
    body: closed({ data: Type.Array(CalendarEntry), more: Type.Boolean(), at: Timestamp }),
  },
})
