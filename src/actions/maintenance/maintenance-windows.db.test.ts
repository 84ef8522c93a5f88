// Uptime excludes what windows covered, and no later change of a window alters that.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ageWindow } from '../../../test/db-kit/age-window.ts'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { toPublicId } from '../../../test/db-kit/public-id.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { findUptimes } from '../../store/history/uptime.ts'
import { createMonitor } from '../monitors/create.ts'
import { createMaintenanceWindow } from './create.ts'
import { deleteMaintenanceWindow } from './delete.ts'
import type { GivenSettings } from './references.ts'
import { updateMaintenanceWindow } from './update.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let fixture: DbFixture
let database: TestDatabase
let orgId: string
let no: number
let monitorId: string
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

// Four hours of history: two UP, two DOWN.
beforeEach(async () => {
  orgId = await database.createOrganization()
  const monitor = await inOrg((tx) => createMonitor(tx, sampleSettings()))
  no = monitor.no
  monitorId = toPublicId('mon', monitor.uuid)
  const { admin } = database
  await admin.query('delete from state_spans where monitor_no = $1', [no])
  await admin.query(
    `insert into state_spans (monitor_no, state, started_at, ended_at)
     values ($1, 'UP', now() - interval '4 hours', now() - interval '2 hours'),
            ($1, 'DOWN', now() - interval '2 hours', null)`,
    [no],
  )
})

type Work<T> = Parameters<typeof database.tenants.transaction<T>>[1]
const inOrg = <T>(work: Work<T>) => database.tenants.transaction(orgId, work)
const fromNow = (ms: number) => new Date(Date.now() + ms)

/** A window that is open from now on for `ms`. */
async function openWindow(ms: number, fields: Partial<GivenSettings> = {}): Promise<string> {
  const { window } = await inOrg((tx) =>
    createMaintenanceWindow(tx, {
      name: 'Window',
      description: null,
      startsAt: fromNow(-MINUTE_MS),
      endsAt: fromNow(ms),
      timezone: 'UTC',
      recurrence: null,
      allMonitors: false,
      monitorIds: [monitorId],
      statusPageIds: [],
      showOnStatusPages: true,
      notifySubscribers: false,
      ...fields,
    }),
  )
  return window.uuid
}

const age = (uuid: string, ms: number) => ageWindow(database.admin, uuid, ms)

/** Minutes up and down in the last four hours. */
async function minutes(): Promise<[up: number, down: number]> {
  const { rows } = await database.admin.query<{ now: Date }>('select now()')
  const to = rows[0]?.now ?? new Date()
  const within = { from: new Date(to.getTime() - 4 * HOUR_MS), to }
  const found = (await findUptimes(database.tenants.of(orgId), [no], within)).get(no)
  const round = (ms = 0) => Math.round(ms / MINUTE_MS)
  return [round(found?.upMs), round(found?.downMs)]
}

test('the time a window covered is outside uptime, and stays so whatever becomes of the window', async () => {
  assert.deepEqual(await minutes(), [120, 120])
  const uuid = await openWindow(HOUR_MS)
  await age(uuid, 2.5 * HOUR_MS) // it covered half an hour UP and half an hour DOWN
  assert.deepEqual(await minutes(), [90, 90])
  await inOrg((tx) => updateMaintenanceWindow(tx, uuid, { name: 'Other' }))
  assert.deepEqual(await minutes(), [90, 90])
  const longer = { endsAt: fromNow(HOUR_MS) }
  await assert.rejects(
    inOrg((tx) => updateMaintenanceWindow(tx, uuid, longer)),
    { code: 'conflict' },
  )
  assert.deepEqual(await minutes(), [90, 90])
  await inOrg((tx) => deleteMaintenanceWindow(tx, uuid))
  assert.deepEqual(await minutes(), [90, 90])
})

const DAILY = { frequency: 'DAILY', interval: 1, daysOfWeek: null, dayOfMonth: null } as const
const changes: [name: string, fields: Partial<GivenSettings>][] = [
  ['moved away', { startsAt: fromNow(48 * HOUR_MS), endsAt: fromNow(49 * HOUR_MS) }],
  ['made longer', { endsAt: fromNow(-HOUR_MS) }],
  ['without its monitor', { allMonitors: true, monitorIds: [] }],
  ['over for good', { recurrence: { ...DAILY, endsAt: fromNow(0) } }],
]
for (const [name, fields] of changes)
  test(`a repeating window that is ${name} later: what it covered stays as it was`, async () => {
    const uuid = await openWindow(HOUR_MS, { recurrence: { ...DAILY, endsAt: null } })
    await age(uuid, 2.5 * HOUR_MS)
    await inOrg((tx) => updateMaintenanceWindow(tx, uuid, fields))
    assert.deepEqual(await minutes(), [90, 90])
    await inOrg((tx) => deleteMaintenanceWindow(tx, uuid))
    assert.deepEqual(await minutes(), [90, 90])
  })

test('a window that ends early or is deleted covers until then and no longer', async () => {
  for (const end of [
    (uuid: string) => inOrg((tx) => updateMaintenanceWindow(tx, uuid, { endsAt: fromNow(0) })),
    (uuid: string) => inOrg((tx) => deleteMaintenanceWindow(tx, uuid)),
  ]) {
    const uuid = await openWindow(3 * HOUR_MS)
    await age(uuid, HOUR_MS)
    await end(uuid)
    await database.admin.query(
      `update maintenance_spans set started_at = started_at - interval '30 minutes',
              ended_at = ended_at - interval '30 minutes' where window_id = $1`,
      [uuid],
    )
    assert.deepEqual(await minutes(), [120, 60])
  }
})

test('occurrences that are over are not touched when the one under way is changed or ended', async () => {
  const other = toPublicId('mon', (await inOrg((tx) => createMonitor(tx, sampleSettings()))).uuid)
  const steps: Partial<GivenSettings>[] = [
    { endsAt: fromNow(2 * HOUR_MS) },
    { monitorIds: [other] },
    { monitorIds: [monitorId] },
    { startsAt: fromNow(5 * HOUR_MS), endsAt: fromNow(6 * HOUR_MS) },
  ]
  const uuid = await openWindow(HOUR_MS, { recurrence: { ...DAILY, endsAt: null } })
  await database.admin.query(
    `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
     values ($1, now() - interval '150 minutes', now() - interval '90 minutes', $2)`,
    [no, uuid],
  )
  for (const patch of steps) {
    await inOrg((tx) => updateMaintenanceWindow(tx, uuid, patch))
    assert.deepEqual(await minutes(), [90, 90], JSON.stringify(patch))
  }
  await inOrg((tx) => deleteMaintenanceWindow(tx, uuid))
  assert.deepEqual(await minutes(), [90, 90])
})

test('a window made late counts from its creation: what lay before it is not taken back', async () => {
  const uuid = await openWindow(HOUR_MS, { startsAt: fromNow(-3 * HOUR_MS) })
  assert.deepEqual(await minutes(), [120, 120])
  await age(uuid, HOUR_MS)
  assert.deepEqual(await minutes(), [120, 60])
})

test('windows that overlap leave the same time out once', async () => {
  const uuids = [await openWindow(HOUR_MS), await openWindow(HOUR_MS), await openWindow(HOUR_MS)]
  for (const [i, uuid] of uuids.entries()) await age(uuid, HOUR_MS + i * 10 * MINUTE_MS)
  assert.deepEqual(await minutes(), [120, 120 - 80])
})

test('what begins or ends now waits for a check that is being recorded, and counts from after it', async () => {
  const uuid = await openWindow(HOUR_MS)
  const moves: [string, () => Promise<unknown>, column: 'started_at' | 'ended_at'][] = [
    [
      'ended',
      () => inOrg((tx) => updateMaintenanceWindow(tx, uuid, { endsAt: fromNow(0) })),
      'ended_at',
    ],
    ['opened', () => openWindow(HOUR_MS), 'started_at'],
  ]
  const { admin } = database
  for (const [what, move, column] of moves) {
    await admin.query('begin')
    await admin.query('select 1 from monitor_states where monitor_no = $1 for no key update', [no])
    const moving = move()
    await delay(300)
    const { rows: held } = await admin.query<{ at: Date }>('select clock_timestamp() as at')
    await admin.query('commit')
    await moving
    const { rows } = await admin.query<{ at: Date }>(
      `select max(${column}) as at from maintenance_spans
        where monitor_no = $1 and ${column} < now() + interval '1 minute'`,
      [no],
    )
    const [span, release] = [rows[0]?.at, held[0]?.at]
    assert.ok(span && release && span >= release, `${what} at ${span?.toISOString()}`)
  }
})
