// Maintenance windows on a calendar.
import type { WithDates } from '../../../contract/operation.ts'
import * as contract from '../../../contract/private/window-screens.ts'
import {
  type CalendarOccurrence,
  soonestOccurrences,
  upcomingWithin,
} from '../../../domain/maintenance/calendar.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { wallClock } from '../../../domain/values/zone-offset.ts'
import { validationError } from '../../../platform/api-error.ts'
import { collectInTurn } from '../../../platform/limits/busy-work.ts'
import {
  type CalendarWindow,
  findCalendarWindows,
  MAX_WINDOWS,
} from '../../../store/maintenance/calendar.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'

const MAX_DAYS = 100
const MAX_ENTRIES = 1000
const DAY_MS = 86_400_000

const calendar: Handler<typeof contract.getCalendar> = async ({ query }, { tenant }) => {
  const { from, to, monitorId: monitorUuid } = query
  refuseStretch(from, to)
  const stretch = { from, to }
  const { at, windows } = await findCalendarWindows(tenant, stretch, monitorUuid)
  // One more than shown tells whether there are more.
  const upcoming = await collectInTurn(tenant.orgId, upcomingWithin(windows, stretch))
  const soonest = soonestOccurrences(upcoming, MAX_ENTRIES + 1)
  const entries = await collectInTurn(
    tenant.orgId,
    soonest.map((entry) => toEntry(entry, at)),
  )
  return {
    data: entries.slice(0, MAX_ENTRIES),
    more: entries.length > MAX_ENTRIES || windows.length === MAX_WINDOWS,
    at,
  }
}

export const windowScreenOperations: readonly BoundOperation[] = [
  bind(contract.getCalendar, calendar),
]

function refuseStretch(from: Date, to: Date): void {
  if (to <= from) throw validationError([{ path: 'to', message: 'must be after from' }])
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
    throw validationError([{ path: 'to', message: `must be at most ${MAX_DAYS} days after from` }])
}

function toEntry(
  { window, occurrence }: CalendarOccurrence<CalendarWindow>,
  now: Date,
): WithDates<contract.CalendarEntry> {
  const { startsAt, endsAt } = occurrence
  const { timezone } = window
  return {
    windowId: toPublicId('mw', window.uuid),
    name: window.name,
    status: endsAt <= now ? 'COMPLETED' : startsAt <= now ? 'ACTIVE' : 'SCHEDULED',
    startsAt,
    endsAt,
    timezone,
    localStartsAt: wallClock(startsAt, timezone),
    localEndsAt: wallClock(endsAt, timezone),
    repeats: window.recurrence !== null,
    allMonitors: window.allMonitors,
    monitors: window.monitors,
  }
}
