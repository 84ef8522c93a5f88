// Many people and programs change one monitor at once: nothing is lost, and its events show the order.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { toPublicId } from '../../../test/db-kit/public-id.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import type { MonitorPatch } from '../../domain/monitors/change.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findMonitor } from '../../store/monitors/monitors.ts'
import { createMonitor } from './create.ts'
import { deleteMonitor } from './delete.ts'
import { pauseMonitor } from './pause.ts'
import { resumeMonitor } from './resume.ts'
import { updateMonitor } from './update.ts'

const CHANGES = 50
const CONNECTIONS = 25

let fixture: DbFixture
let database: TestDatabase
let orgId: string
before(async () => {
  fixture = await startDbFixture({
    settings: { track_commit_timestamp: 'on', max_connections: '80' },
  })
  database = await fixture.openDatabase({ connections: CONNECTIONS })
  orgId = await database.createOrganization()
})
after(() => fixture.stop())

// Every setting that can change independently.
const target: MonitorPatch = {
  name: 'Changed',
  url: 'https://changed.example/',
  host: 'changed.example',
  port: 8443,
  method: 'POST',
  expectedStatus: [204],
  requestHeaders: { 'X-Changed': 'yes' },
  requestBody: 'changed',
  followRedirects: false,
  verifySsl: false,
  keyword: 'changed',
  keywordMatch: 'NOT_EXISTS',
  dnsRecordType: 'TXT',
  dnsExpected: 'changed',
  dnsAlertOnChange: false,
  sslExpiryThresholdDays: 30,
  intervalSeconds: 60,
  timeoutSeconds: 5,
  expectedPeriodSec: 3600,
  graceSeconds: 120,
  degradedThresholdMs: 900,
  degradedThresholdMode: 'P95',
  degradedSamples: 20,
}

test('updateMonitor: 50 concurrent patches of different fields all survive', async () => {
  const { uuid } = await create()
  const fields = Object.keys(target) as (keyof MonitorSettings)[]
  await Promise.all(
    Array.from({ length: CHANGES }, (_, index) => {
      const field = fields[index % fields.length] ?? 'name'
      return run((tx) => updateMonitor(tx, uuid, { [field]: target[field] }))
    }),
  )
  const monitor = await findMonitor(database.tenants.of(orgId), uuid)
  for (const field of fields) assert.deepEqual(monitor?.[field], target[field], field)
  assert.equal((await eventsOf(uuid)).length, 1 + CHANGES, 'one event each')
})

test('events of one monitor sort by id in the order their transactions committed', async () => {
  const { uuid } = await create()
  await Promise.all(
    Array.from({ length: CHANGES }, (_, index) => {
      if (index % 5 === 0) return run((tx) => pauseMonitor(tx, uuid))
      if (index % 5 === 1) return run((tx) => resumeMonitor(tx, uuid))
      return run((tx) => updateMonitor(tx, uuid, { name: `Name ${index}` }))
    }),
  )
  const events = await eventsOf(uuid)
  const byCommit = events.toSorted((x, y) => (x.committed < y.committed ? -1 : 1))
  assert.deepEqual(
    events.map(({ id }) => id),
    byCommit.map(({ id }) => id),
  )
  assert.ok(events.length > (CHANGES * 3) / 5, `${events.length} events`)
  // The last event matches the current monitor.
  const monitor = await findMonitor(database.tenants.of(orgId), uuid)
  assert.equal(events.at(-1)?.name, monitor?.name)
  assert.equal(events.at(-1)?.state, monitor?.state)
})

test('pause and resume at once: events alternate, and one open span tells the state', async () => {
  const { uuid, no } = await create()
  await Promise.all(
    Array.from({ length: CHANGES }, (_, index) =>
      run((tx) => (index % 2 === 0 ? pauseMonitor(tx, uuid) : resumeMonitor(tx, uuid))),
    ),
  )
  const types = (await eventsOf(uuid)).map(({ type }) => type).slice(1)
  types.forEach((type, index) => {
    assert.equal(type, index % 2 === 0 ? 'monitor.paused' : 'monitor.resumed')
  })
  const { rows } = await database.admin.query(
    'select state from state_spans where monitor_no = $1 and ended_at is null',
    [no],
  )
  const monitor = await findMonitor(database.tenants.of(orgId), uuid)
  assert.deepEqual(rows, [{ state: monitor?.state }])
})

test('deleteMonitor: of many at once one deletes, and the count falls by one', async () => {
  const { uuid } = await create()
  const before = await countedAndReal()
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => run((tx) => deleteMonitor(tx, uuid))),
  )
  assert.equal(outcomes.filter(Boolean).length, 1)
  const after = await countedAndReal()
  assert.deepEqual(after, { counted: before.counted - 1, real: before.real - 1 })
  assert.equal(after.counted, after.real)
})

function create() {
  return run((tx) => createMonitor(tx, sampleSettings()))
}

function run<T>(work: (tx: TenantTx) => Promise<T>): Promise<T> {
  return database.tenants.transaction(orgId, work)
}

type Told = { id: string; type: string; name: string; state: string; committed: string }

/** In order of their ids. */
async function eventsOf(uuid: string): Promise<Told[]> {
  const { rows } = await database.admin.query<Told>(
    `select id, type, body::jsonb #>> '{data,monitor,name}' as name,
            body::jsonb #>> '{data,monitor,state}' as state,
            to_char(pg_xact_commit_timestamp(xmin), 'YYYYMMDDHH24MISSUS') as committed
       from events where body::jsonb #>> '{data,monitor,id}' = $1 order by id`,
    [toPublicId('mon', uuid)],
  )
  return rows
}

async function countedAndReal(): Promise<{ counted: number; real: number }> {
  const { rows } = await database.admin.query(
    `select u.monitors as counted, (select count(*)::int from monitors m where m.org_id = u.org_id) as real
       from organization_usage u where u.org_id = $1`,
    [orgId],
  )
  return rows[0]
}
