// The start and end of maintenance windows on a real database: what they cover, which events are published, and that
// neither a broken row nor a second scheduler interferes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ageWindow } from '../../../test/db-kit/age-window.ts'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { toPublicId } from '../../../test/db-kit/public-id.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { advanceEdges, advanceWindow } from '../../actions/maintenance/advance-windows.ts'
import { createMaintenanceWindow } from '../../actions/maintenance/create.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { openLog } from '../../platform/observability/log.ts'
import { startWindowScheduler } from './window-scheduler.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase({ connections: 8 })
})
after(() => fixture.stop())

const inOrg = <T>(orgId: string, work: Parameters<typeof database.tenants.transaction<T>>[1]) =>
  database.tenants.transaction(orgId, work)
const newMonitor = (orgId: string) => inOrg(orgId, (tx) => createMonitor(tx, sampleSettings()))

type CreatedWindow = { uuid: string; orgId: string }

/** A window over all monitors, tomorrow for an hour by default. */
async function newWindow(orgId: string, fields = {}): Promise<CreatedWindow> {
  const startsAt = new Date(Date.now() + DAY_MS)
  const { window } = await inOrg(orgId, (tx) =>
    createMaintenanceWindow(tx, {
      name: 'Window',
      description: null,
      startsAt,
      endsAt: new Date(startsAt.getTime() + HOUR_MS),
      timezone: 'UTC',
      recurrence: null,
      allMonitors: true,
      monitorIds: [],
      statusPageIds: [],
      showOnStatusPages: true,
      notifySubscribers: false,
      ...fields,
    }),
  )
  return { uuid: window.uuid, orgId }
}

const age = ({ uuid }: CreatedWindow, ms: number) => ageWindow(database.admin, uuid, ms)

async function eventsOf({ uuid }: CreatedWindow): Promise<string[]> {
  const { rows } = await database.admin.query<{ type: string }>(
    `select type from events where position($1 in body) > 0 order by id`,
    [`"maintenanceWindow":{"id":"${toPublicId('mw', uuid)}"`],
  )
  return rows.map(({ type }) => type.replace('maintenance.', ''))
}

async function coveredBy({ uuid }: CreatedWindow): Promise<number[]> {
  const { rows } = await database.admin.query<{ no: string }>(
    'select monitor_no as no from maintenance_spans where window_id = $1 order by 1',
    [uuid],
  )
  return rows.map(({ no }) => Number(no))
}

const { log } = openLog('silent')
const runOnce = async () => {
  const scheduler = await startWindowScheduler({ database: database.engine, log })
  await scheduler.stop()
}

test('two that turn the same edge at the same time tell it once', async () => {
  const orgId = await database.createOrganization()
  const windows = await Promise.all(Array.from({ length: 20 }, () => newWindow(orgId)))
  for (const window of windows) await age(window, DAY_MS - 1000)
  const twice = (work: () => Promise<unknown>) => Promise.all([work(), work()])
  for (const window of windows) await twice(() => advanceWindow(database.engine, window))
  for (const window of windows) await age(window, 2000)
  await twice(() => advanceEdges(database.engine, 100))
  for (const window of windows) await age(window, HOUR_MS)
  await twice(() => advanceEdges(database.engine, 100))
  for (const window of windows)
    assert.deepEqual(await eventsOf(window), ['scheduled', 'started', 'ended'])
})

test('a keeper covers a minute ahead, starts and ends; between edges it leaves everything alone', async () => {
  const orgId = await database.createOrganization()
  const { no } = await newMonitor(orgId)
  const window = await newWindow(orgId)
  const steps: [agedMs: number, covered: number[], told: string[]][] = [
    [0, [], ['scheduled']],
    [DAY_MS - 90_000, [], ['scheduled']],
    [40_000, [no], ['scheduled']],
    [60_000, [no], ['scheduled', 'started']],
    [HOUR_MS - 20_000, [no], ['scheduled', 'started']],
    [20_000, [no], ['scheduled', 'started', 'ended']],
    [DAY_MS, [no], ['scheduled', 'started', 'ended']],
  ]
  for (const [agedMs, covered, events] of steps) {
    await age(window, agedMs)
    await runOnce()
    assert.deepEqual([await coveredBy(window), await eventsOf(window)], [covered, events])
  }
})

test('a keeper that was away for days tells and covers every occurrence it missed, in order', async () => {
  const orgId = await database.createOrganization()
  const { no } = await newMonitor(orgId)
  const rule = { interval: 1, daysOfWeek: null, dayOfMonth: null, endsAt: null }
  const window = await newWindow(orgId, { recurrence: { frequency: 'DAILY', ...rule } })
  await age(window, 4 * DAY_MS + HOUR_MS / 2)
  await runOnce()
  const pair = ['started', 'ended']
  assert.deepEqual(await eventsOf(window), ['scheduled', ...pair, ...pair, ...pair, 'started'])
  assert.deepEqual(await coveredBy(window), [no, no, no, no])
})

test('a window that cannot be turned keeps no other from it', async () => {
  const orgId = await database.createOrganization()
  const windows = await Promise.all(Array.from({ length: 6 }, () => newWindow(orgId)))
  for (const window of windows) await age(window, DAY_MS - 1000)
  await runOnce()
  const [broken, ...sound] = windows
  // Another version of the time zone database may no longer know a name.
  await database.admin.query(
    `update maintenance_windows set timezone = 'Nowhere/Gone',
       recurrence = '{"frequency":"WEEKLY","interval":1,"daysOfWeek":null,"dayOfMonth":null,"endsAt":null}'
      where id = $1`,
    [broken?.uuid],
  )
  for (const window of windows) await age(window, 2000)
  await runOnce()
  for (const window of sound) assert.deepEqual(await eventsOf(window), ['scheduled', 'started'])
  assert.deepEqual(broken && (await eventsOf(broken)), ['scheduled'])
  await database.admin.query('delete from maintenance_windows where id = $1', [broken?.uuid])
})

test('monitors that are made while a window over all of them is covered are covered, every one', async () => {
  for (let round = 0; round < 10; round++) {
    const orgId = await database.createOrganization()
    const window = await newWindow(orgId)
    await age(window, DAY_MS - 30_000)
    const making = Array.from({ length: 12 }, () => newMonitor(orgId))
    const [monitors] = await Promise.all([
      Promise.all(making),
      advanceWindow(database.engine, window),
    ])
    const numbers = monitors.map(({ no }) => no).toSorted((a, b) => a - b)
    assert.deepEqual(await coveredBy(window), numbers, `round ${round}`)
  }
})
