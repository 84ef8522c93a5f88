// The shape of a maintenance window, and the invariants between its fields.
import assert from 'node:assert/strict'
import {
  type Check,
  exactly,
  flag,
  id,
  listOf,
  oneOf,
  orNull,
  type Shape,
  text,
  time,
  whole,
} from './exact.ts'

export type Occurrence = { startsAt: string; endsAt: string }
type Recurrence = {
  frequency: string
  interval: number
  daysOfWeek: string[] | null
  dayOfMonth: number | null
  endsAt: string | null
}
export type MaintenanceWindow = {
  id: string
  name: string
  description: string | null
  status: string
  startsAt: string
  endsAt: string
  timezone: string
  recurrence: Recurrence | null
  allMonitors: boolean
  monitorIds: string[]
  statusPageIds: string[]
  showOnStatusPages: boolean
  notifySubscribers: boolean
  currentOccurrence: Occurrence | null
  nextOccurrence: Occurrence | null
  upcomingOccurrences: Occurrence[]
  createdAt: string
  updatedAt: string
}

const MAX_UPCOMING = 5
const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']

const occurrence = exactly({ startsAt: time, endsAt: time })
const windowShape: Shape = {
  id: id('mw'),
  name: text,
  description: orNull(text),
  status: oneOf('SCHEDULED', 'ACTIVE', 'COMPLETED'),
  startsAt: time,
  endsAt: time,
  timezone: text,
  recurrence: orNull(
    exactly({
      frequency: oneOf('DAILY', 'WEEKLY', 'MONTHLY'),
      interval: whole,
      daysOfWeek: orNull(listOf(oneOf(...DAYS))),
      dayOfMonth: orNull(whole),
      endsAt: orNull(time),
    }),
  ),
  allMonitors: flag,
  monitorIds: listOf(id('mon')),
  statusPageIds: listOf(id('sp')),
  showOnStatusPages: flag,
  notifySubscribers: flag,
  currentOccurrence: orNull(occurrence),
  nextOccurrence: orNull(occurrence),
  upcomingOccurrences: listOf(occurrence),
  createdAt: time,
  updatedAt: time,
}

/** Every field and no other, and consistent: the status matches the occurrences. */
export const assertWindow: Check = (value, at) => {
  exactly(windowShape)(value, at)
  const window = value as MaintenanceWindow
  const { currentOccurrence, nextOccurrence, upcomingOccurrences: upcoming, recurrence } = window
  const expected = currentOccurrence ? 'ACTIVE' : nextOccurrence ? 'SCHEDULED' : 'COMPLETED'
  assert.equal(window.status, expected, `${at}.status`)
  assert.deepEqual(nextOccurrence, upcoming[0] ?? null, `${at}.nextOccurrence`)
  assert.ok(upcoming.length <= MAX_UPCOMING, `${at} shows ${upcoming.length} occurrences`)
  if (recurrence === null)
    assert.ok(upcoming.length <= 1, `${at} happens once, but ${upcoming.length} times`)
  const length = lengthOf(window)
  const shown = [...(currentOccurrence ? [currentOccurrence] : []), ...upcoming]
  for (const [index, one] of shown.entries()) {
    assert.equal(lengthOf(one), length, `${at}: every occurrence is as long as the first`)
    const before = shown[index - 1]
    if (before) assert.ok(before.endsAt < one.startsAt, `${at}: occurrences follow each other`)
  }
  assert.equal(
    recurrence?.daysOfWeek != null,
    recurrence?.frequency === 'WEEKLY',
    `${at}.daysOfWeek`,
  )
  assert.equal(
    recurrence?.dayOfMonth != null,
    recurrence?.frequency === 'MONTHLY',
    `${at}.dayOfMonth`,
  )
  assert.ok(window.createdAt <= window.updatedAt, `${at}.updatedAt`)
  assert.equal(new Set(window.monitorIds).size, window.monitorIds.length, `${at}.monitorIds`)
}

function lengthOf({ startsAt, endsAt }: Occurrence): number {
  return Date.parse(endsAt) - Date.parse(startsAt)
}
