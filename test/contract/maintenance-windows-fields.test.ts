// Valid maintenance windows: every bound and rule of their fields, and the occurrences a rule yields.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toId } from '../kit/ids.ts'
import type { MaintenanceWindow } from '../kit/window-shapes.ts'
import {
  createWindow,
  DAY_MS,
  fromNow,
  getWindow,
  HOUR_MS,
  seedPage,
  soon,
  WINDOWS,
} from '../kit/windows.ts'

const fixture = await startProduct()
const { api, db } = fixture
after(() => fixture.stop())

const { id: monitorId } = await api.createMonitor()
const unknown = (prefix: string) => toId(prefix, randomUUID())

describe('window fields', { concurrency: 8 }, () => {
  const weekly = (more: object) => ({ recurrence: { frequency: 'WEEKLY', ...more } })
  const monthly = (more: object) => ({ recurrence: { frequency: 'MONTHLY', ...more } })
  const daily = (more: object) => ({ recurrence: { frequency: 'DAILY', ...more } })
  const span = (startMs: number, endMs: number) => ({
    startsAt: fromNow(startMs),
    endsAt: fromNow(endMs),
  })
  const rows: [name: string, fields: Record<string, unknown>, ...paths: string[]][] = [
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 121', { name: 'x'.repeat(121) }, 'name'],
    ['a name with a zero character', { name: 'a\u0000' }, 'name'],
    ['a description of 2001', { description: 'x'.repeat(2001) }, 'description'],
    ['no start', { startsAt: undefined }, 'startsAt'],
    ['no end', { endsAt: undefined }, 'endsAt'],
    ['a start without an offset', { startsAt: '2031-01-01T00:00:00' }, 'startsAt'],
    ['a start that is a date', { startsAt: '2031-01-01' }, 'startsAt'],
    ['an end of null', { endsAt: null }, 'endsAt'],
    [
      'an end at the start',
      { startsAt: '2031-01-01T00:00Z', endsAt: '2031-01-01T00:00Z' },
      'endsAt',
    ],
    ['an end before the start', span(2 * DAY_MS, DAY_MS), 'endsAt'],
    ['an end in the past', span(-2 * DAY_MS, -DAY_MS), 'endsAt'],
    ['a first occurrence in the past', { ...span(-2 * DAY_MS, -DAY_MS), ...weekly({}) }, 'endsAt'],
    ['30 days and a millisecond', span(DAY_MS, 31 * DAY_MS + 1), 'endsAt'],
    [
      'the year 10000',
      { startsAt: '9999-12-31T00:00Z', endsAt: '9999-12-31T23:59-23:59' },
      'endsAt',
    ],
    ['the year 0', { startsAt: '0000-01-01T00:00+23:59', endsAt: '0000-01-02T00:00Z' }, 'startsAt'],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an offset as a zone', { timezone: '+02:00' }, 'timezone'],
    ['an empty zone', { timezone: '' }, 'timezone'],
    ['a recurrence as text', { recurrence: 'DAILY' }, 'recurrence'],
    ['a recurrence without a frequency', { recurrence: {} }, 'recurrence.frequency'],
    ['a yearly recurrence', { recurrence: { frequency: 'YEARLY' } }, 'recurrence.frequency'],
    ['an interval of 0', daily({ interval: 0 }), 'recurrence.interval'],
    ['an interval of 53', daily({ interval: 53 }), 'recurrence.interval'],
    ['an interval of one and a half', daily({ interval: 1.5 }), 'recurrence.interval'],
    ['days of the week, daily', daily({ daysOfWeek: ['MONDAY'] }), 'recurrence.daysOfWeek'],
    ['days of the week, monthly', monthly({ daysOfWeek: ['MONDAY'] }), 'recurrence.daysOfWeek'],
    ['no day of the week', weekly({ daysOfWeek: [] }), 'recurrence.daysOfWeek'],
    ['a day twice', weekly({ daysOfWeek: ['MONDAY', 'MONDAY'] }), 'recurrence.daysOfWeek'],
    ['an unknown day', weekly({ daysOfWeek: ['MONDAY', 'DOOMSDAY'] }), 'recurrence.daysOfWeek.1'],
    ['a day of the month, weekly', weekly({ dayOfMonth: 1 }), 'recurrence.dayOfMonth'],
    ['day 0', monthly({ dayOfMonth: 0 }), 'recurrence.dayOfMonth'],
    ['day 32', monthly({ dayOfMonth: 32 }), 'recurrence.dayOfMonth'],
    ['day -2', monthly({ dayOfMonth: -2 }), 'recurrence.dayOfMonth'],
    ['a rule that ends before it begins', daily({ endsAt: fromNow(0) }), 'recurrence.endsAt'],
    ['a rule that ends on a date', daily({ endsAt: '2031-01-01' }), 'recurrence.endsAt'],
    [
      'a rule that ends in the year 10000',
      daily({ endsAt: '9999-12-31T23:59-23:59' }),
      'recurrence.endsAt',
    ],
    ['daily, a whole day', { ...span(DAY_MS, 2 * DAY_MS), ...daily({}) }, 'endsAt'],
    ['weekly, a week', { ...span(DAY_MS, 8 * DAY_MS), ...weekly({}) }, 'endsAt'],
    [
      'neighboring days, longer than one',
      {
        ...span(DAY_MS, 2 * DAY_MS + HOUR_MS),
        ...weekly({ daysOfWeek: ['SUNDAY', 'MONDAY'] }),
      },
      'endsAt',
    ],
    ['monthly, 28 days', { ...span(DAY_MS, 29 * DAY_MS), ...monthly({ dayOfMonth: 1 }) }, 'endsAt'],
    ['nobody to cover', { allMonitors: false }, 'monitorIds'],
    ['monitors as text', { monitorIds: monitorId }, 'monitorIds'],
    ['501 monitors', { monitorIds: Array(501).fill(monitorId) }, 'monitorIds'],
    ['an unknown monitor', { monitorIds: [unknown('mon')] }, 'monitorIds.0'],
    [
      'an unknown monitor beside a known one',
      { monitorIds: [monitorId, unknown('mon')] },
      'monitorIds.1',
    ],
    ['a monitor that is no id', { monitorIds: ['x'] }, 'monitorIds.0'],
    ['an empty monitor id', { monitorIds: [''] }, 'monitorIds.0'],
    ['an unknown page', { statusPageIds: [unknown('sp')] }, 'statusPageIds.0'],
    ['a monitor as a page', { statusPageIds: [monitorId] }, 'statusPageIds.0'],
    ['allMonitors as text', { allMonitors: 'true' }, 'allMonitors'],
    ['showOnStatusPages of null', { showOnStatusPages: null }, 'showOnStatusPages'],
    ['notifySubscribers as a number', { notifySubscribers: 1 }, 'notifySubscribers'],
  ]
  for (const [name, fields, ...paths] of rows)
    test(`create and updateMaintenanceWindow 400: ${name}, path ${paths.join(' and ')}`, async () => {
      const created = await api.post(WINDOWS, { ...soon(), allMonitors: true, ...fields })
      assert.deepEqual([created.code, ...new Set(created.paths)], ['validation_error', ...paths])
      if (Object.values(fields).includes(undefined)) return
      const before = await createWindow(api, { monitorIds: [] })
      const patch = 'allMonitors' in fields ? { monitorIds: [], ...fields } : fields
      const patched = await api.patch(`${WINDOWS}/${before.id}`, patch)
      assert.deepEqual([patched.code, ...new Set(patched.paths)], ['validation_error', ...paths])
      assert.deepEqual(await getWindow(api, before.id), before)
    })

  test('create and updateMaintenanceWindow: values up to their bounds', async () => {
    const inside: Record<string, unknown>[] = [
      { name: '😀'.repeat(120), description: '😀'.repeat(2000) },
      { description: '' },
      { startsAt: '2031-01-01T00:00:00.000Z', endsAt: '2031-01-31T00:00:00.000Z' },
      { timezone: 'Pacific/Chatham' },
      { ...span(DAY_MS, 2 * DAY_MS - 1), ...daily({ interval: 52 }) },
      { ...span(DAY_MS, 2 * DAY_MS - 1), ...daily({}) },
      monthly({ dayOfMonth: 31 }),
      monthly({ dayOfMonth: -1 }),
      weekly({
        daysOfWeek: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'],
      }),
    ]
    for (const fields of inside) {
      await createWindow(api, fields)
      const { id } = await createWindow(api)
      assert.equal(
        (await api.patch(`${WINDOWS}/${id}`, fields)).status,
        200,
        JSON.stringify(fields),
      )
    }
  })

  test("createMaintenanceWindow 400: another organization's monitor and page are reported like unknown ones", async () => {
    const other = await fixture.createOrganization()
    const theirs = [(await other.api.createMonitor()).id, await seedPage(db, other.id)]
    const messages = async (monitor = '', page = '') => {
      const ids = { monitorIds: [monitor], statusPageIds: [page] }
      return (await api.post(WINDOWS, { ...soon(), ...ids })).error.details
    }
    const foreign = await messages(...theirs)
    assert.deepEqual(foreign, await messages(unknown('mon'), unknown('sp')))
    assert.deepEqual(foreign, await messages('x', 'y'))
    assert.deepEqual(
      foreign?.map(({ path }) => path),
      ['monitorIds.0', 'statusPageIds.0'],
    )
  })

  test('createMaintenanceWindow 400: every problem in one answer', async () => {
    const fields = { name: 1, timezone: 'x', ...daily({ dayOfMonth: 3 }), monitorIds: 'x' }
    const answer = await api.post(WINDOWS, { ...span(2 * DAY_MS, DAY_MS), ...fields })
    const paths = ['endsAt', 'monitorIds', 'name', 'recurrence.dayOfMonth', 'timezone']
    assert.deepEqual([...new Set(answer.paths)].toSorted(), paths)
  })
})

describe('recurrence', { concurrency: 8 }, () => {
  const starts = ({ upcomingOccurrences }: MaintenanceWindow) =>
    upcomingOccurrences.map(({ startsAt }) => startsAt.slice(0, 16))
  const first = { startsAt: '2031-03-28T01:30Z', endsAt: '2031-03-28T02:00Z' } // Friday, 02:30 in Berlin

  // biome-ignore format: a table is read by its columns
  const rows: [name: string, recurrence: object, zone: string, shown: object, starts: string[]][] = [
    ['daily over the gap of 30 March', { frequency: 'DAILY' }, 'Europe/Berlin', {},
      ['2031-03-28T01:30', '2031-03-29T01:30', '2031-03-30T01:30', '2031-03-31T00:30', '2031-04-01T00:30']],
    ['weekly, the day of its start', { frequency: 'WEEKLY' }, 'UTC', { daysOfWeek: ['FRIDAY'] },
      ['2031-03-28T01:30', '2031-04-04T01:30', '2031-04-11T01:30', '2031-04-18T01:30', '2031-04-25T01:30']],
    ['weekly, the day it is in its zone', { frequency: 'WEEKLY', interval: 2 }, 'America/New_York', { interval: 2, daysOfWeek: ['THURSDAY'] },
      ['2031-03-28T01:30', '2031-04-11T01:30', '2031-04-25T01:30', '2031-05-09T01:30', '2031-05-23T01:30']],
    ['monthly, the day of its start', { frequency: 'MONTHLY' }, 'UTC', { dayOfMonth: 28 },
      ['2031-03-28T01:30', '2031-04-28T01:30', '2031-05-28T01:30', '2031-06-28T01:30', '2031-07-28T01:30']],
    ['months without a 31st are skipped', { frequency: 'MONTHLY', dayOfMonth: 31 }, 'UTC', { dayOfMonth: 31 },
      ['2031-03-28T01:30', '2031-03-31T01:30', '2031-05-31T01:30', '2031-07-31T01:30', '2031-08-31T01:30']],
    ['the last day', { frequency: 'MONTHLY', dayOfMonth: -1 }, 'UTC', { dayOfMonth: -1 },
      ['2031-03-28T01:30', '2031-03-31T01:30', '2031-04-30T01:30', '2031-05-31T01:30', '2031-06-30T01:30']],
    ['until it ends', { frequency: 'DAILY', endsAt: '2031-03-30T01:30Z' }, 'UTC', { endsAt: '2031-03-30T01:30:00.000Z' },
      ['2031-03-28T01:30', '2031-03-29T01:30']],
  ]
  for (const [name, recurrence, timezone, shown, expected] of rows)
    test(`createMaintenanceWindow 201: ${name}`, async () => {
      const window = await createWindow(api, { ...first, recurrence, timezone })
      const { frequency } = recurrence as { frequency: string }
      const nothing = { interval: 1, daysOfWeek: null, dayOfMonth: null, endsAt: null }
      assert.deepEqual(window.recurrence, { frequency, ...nothing, ...shown })
      assert.deepEqual(starts(window), expected)
      assert.deepEqual(window.nextOccurrence, window.upcomingOccurrences[0])
    })

  test('createMaintenanceWindow 201: beyond the year 9999 there are no occurrences', async () => {
    const span = { startsAt: '9999-12-30T00:00:00.000Z', endsAt: '9999-12-30T01:00:00.000Z' }
    const window = await createWindow(api, { ...span, recurrence: { frequency: 'DAILY' } })
    assert.deepEqual(starts(window), ['9999-12-30T00:00', '9999-12-31T00:00'])
  })
})
