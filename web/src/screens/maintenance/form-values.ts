// The form's values and their conversion to API input. Times are local to the window's time zone.
import type { Weekday } from '../../../../src/domain/maintenance/maintenance.ts'
import type { InputOf } from '../../api/contract.ts'
import type { WindowView } from '../../shared/maintenance-window.ts'
import { parseWall, parseWallDay } from '../../time/wall-text.ts'
import { fromWall, toWall } from '../../time/wall-time.ts'

export type Frequency = 'ONCE' | 'DAILY' | 'WEEKLY' | 'MONTHLY'
export type FormValues = {
  name: string
  description: string
  starts: string
  ends: string
  timezone: string
  frequency: Frequency
  interval: string
  daysOfWeek: Weekday[]
  /** If empty, the day of the start. */
  dayOfMonth: string
  /** A day, or empty for no end. */
  until: string
  allMonitors: boolean
  monitorIds: string[]
  showOnStatusPages: boolean
  notifySubscribers: boolean
}

const HOUR_MS = 3_600_000

/** Starts at the next full hour and lasts one hour. */
export function emptyValues(now: number, timezone: string): FormValues {
  const start = Math.ceil(now / HOUR_MS) * HOUR_MS
  return {
    name: '',
    description: '',
    starts: toWall(start, timezone),
    ends: toWall(start + HOUR_MS, timezone),
    timezone,
    frequency: 'ONCE',
    interval: '1',
    daysOfWeek: [],
    dayOfMonth: '',
    until: '',
    allMonitors: false,
    monitorIds: [],
    showOnStatusPages: true,
    notifySubscribers: false,
  }
}

export function toValues(window: WindowView): FormValues {
  const { recurrence, timezone } = window
  return {
    name: window.name,
    description: window.description ?? '',
    starts: toWall(window.startsAt, timezone),
    ends: toWall(window.endsAt, timezone),
    timezone,
    frequency: recurrence?.frequency ?? 'ONCE',
    interval: String(recurrence?.interval ?? 1),
    daysOfWeek: recurrence?.daysOfWeek ?? [],
    dayOfMonth: recurrence?.dayOfMonth == null ? '' : String(recurrence.dayOfMonth),
    until: recurrence?.endsAt == null ? '' : toWall(recurrence.endsAt, timezone).slice(0, 10),
    allMonitors: window.allMonitors,
    monitorIds: window.monitorIds,
    showOnStatusPages: window.showOnStatusPages,
    notifySubscribers: window.notifySubscribers,
  }
}

type Body = NonNullable<InputOf<'POST /maintenance-windows'>['body']>

export function toBody(values: FormValues): Omit<Body, 'statusPageIds'> {
  const { name, timezone, allMonitors, monitorIds, showOnStatusPages, notifySubscribers } = values
  return {
    name,
    description: values.description === '' ? null : values.description,
    startsAt: instantOf(values.starts, timezone),
    endsAt: instantOf(values.ends, timezone),
    timezone,
    recurrence: toRecurrence(values),
    allMonitors,
    monitorIds,
    showOnStatusPages,
    notifySubscribers,
  }
}

/** What cannot be read is sent as it is: the server rejects it, and the field says so. */
const instantOf = (wall: string, zone: string): string =>
  parseWall(wall) === wall ? fromWall(wall, zone) : wall

const endOf = (day: string, zone: string): string =>
  parseWallDay(day) === day ? fromWall(`${day}T23:59`, zone) : day

function toRecurrence(values: FormValues): Body['recurrence'] {
  const { frequency, interval, daysOfWeek, dayOfMonth, until, timezone } = values
  if (frequency === 'ONCE') return null
  return {
    frequency,
    interval: Number(interval),
    ...(frequency === 'WEEKLY' && daysOfWeek.length > 0 && { daysOfWeek }),
    ...(frequency === 'MONTHLY' && dayOfMonth !== '' && { dayOfMonth: Number(dayOfMonth) }),
    endsAt: until === '' ? null : endOf(until, timezone),
  }
}
