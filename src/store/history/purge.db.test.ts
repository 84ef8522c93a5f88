import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, type Tenancy } from '../../../test/db-kit/fill-tenant.ts'
import { deleteMonitor } from '../../actions/monitors/delete.ts'
import { purgeDeleted, purgeMonitors } from './purge.ts'

const MAX_BATCHES = 500
const BATCH = { monitors: 10, rows: 100 }
const HISTORY = [
  'results',
  'result_packs',
  'region_results',
  'heartbeat_calls',
  'result_hours',
  'late_hours',
  'result_days',
  'missed',
  'state_spans',
  'maintenance_spans',
]

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('a deleted monitor loses every row in batches, its marker last, and others lose nothing', async () => {
  const database = await fixture.openDatabase()
  const gone = await fillTenant(database)
  const kept = await fillTenant(database)
  for (const { monitorNo } of [gone, kept]) await addHistory(database, monitorNo, 250)
  const before = await countsOf(database, kept)
  await removeMonitor(database, gone)

  assert.equal(await purgeDeleted(database.engine, BATCH, 3600), undefined, 'within its grace')
  let batches = 0
  for (; batches < MAX_BATCHES; batches++) {
    const purged = await purgeDeleted(database.engine, BATCH, 0)
    if (purged === undefined) break
    assert.ok(purged.removed <= BATCH.rows)
    const left = sum(await countsOf(database, gone))
    if (purged.finished === 1) assert.equal(left, 0)
    assert.equal(await markers(database), 1 - purged.finished)
  }
  assert.ok(batches > 10, `${batches} batches`)
  assert.equal(sum(await countsOf(database, gone)), 0)
  assert.deepEqual(await countsOf(database, kept), before)
})

test('janitors side by side take different monitors', async () => {
  const database = await fixture.openDatabase()
  const gone = [await fillTenant(database), await fillTenant(database)]
  for (const { monitorNo } of gone) await addHistory(database, monitorNo, 100)
  for (const tenancy of gone) await removeMonitor(database, tenancy)
  const one = { monitors: 1, rows: 10_000 }
  const purged = await Promise.all(gone.map(() => purgeDeleted(database.engine, one, 0)))
  assert.deepEqual(
    purged.map((each) => each?.finished),
    [1, 1],
  )
  for (const tenancy of gone) assert.equal(sum(await countsOf(database, tenancy)), 0)
})

test('monitors with little history are purged together', async () => {
  const database = await fixture.openDatabase()
  const kept = await fillTenant(database)
  await addHistory(database, kept.monitorNo, 5)
  const { gone, rows } = await removeSome(database, 20)
  const before = await countsOf(database, kept)

  const purged = await purgeDeleted(database.engine, { monitors: 100, rows }, 0)
  assert.deepEqual(purged, { removed: rows, finished: 20 })
  for (const tenancy of gone) assert.equal(sum(await countsOf(database, tenancy)), 0)
  assert.deepEqual(await countsOf(database, kept), before)
  assert.equal(await markers(database), 0)
})

test('of monitors with more history than a batch may have, the first are purged', async () => {
  const database = await fixture.openDatabase()
  const { gone, rows } = await removeSome(database, 8)
  const purged = await purgeDeleted(database.engine, { monitors: 100, rows: rows - 1 }, 0)
  assert.deepEqual(purged, { removed: rows / 4, finished: 2 })
  const left = gone.map(async (tenancy) => sum(await countsOf(database, tenancy)) > 0)
  assert.deepEqual(await Promise.all(left), [false, false, ...Array<boolean>(6).fill(true)])
  assert.equal(await markers(database), 6)
})

test('monitors are purged by their numbers, without grace', async () => {
  const database = await fixture.openDatabase()
  const { gone, rows } = await removeSome(database, 3)
  const numbers = gone.map(({ monitorNo }) => monitorNo)
  assert.deepEqual(await purgeMonitors(database.engine, numbers, rows), {
    removed: rows,
    finished: 3,
  })
  assert.deepEqual(await purgeMonitors(database.engine, numbers, rows), { removed: 0, finished: 3 })
})

/** Monitors with the same history, deleted one after the other. */
async function removeSome(database: TestDatabase, count: number) {
  const gone: Tenancy[] = []
  let rows = 0
  for (let no = 0; no < count; no++) {
    const tenancy = await fillTenant(database)
    await addHistory(database, tenancy.monitorNo, 5)
    await removeMonitor(database, tenancy)
    rows += sum(await countsOf(database, tenancy))
    gone.push(tenancy)
  }
  return { gone, rows }
}

async function removeMonitor({ tenants }: TestDatabase, { orgId, monitorUuid }: Tenancy) {
  assert.equal(await tenants.transaction(orgId, (tx) => deleteMonitor(tx, monitorUuid)), true)
}

async function addHistory({ admin }: TestDatabase, monitorNo: number, rows: number) {
  for (const statement of [
    `insert into results (monitor_no, slot, kind, verdict)
     select $1, now() - n * interval '1 second', 0, 0 from generate_series(1, $2) n`,
    `insert into heartbeat_calls (monitor_no, at, signal)
     select $1, now() - n * interval '1 second', 'SUCCESS' from generate_series(1, $2) n`,
    `insert into result_hours (monitor_no, hour, ok, failed, inconclusive)
     select $1, date_trunc('hour', now()) - n * interval '1 hour', 1, 0, 0 from generate_series(1, $2) n`,
    `insert into result_days (monitor_no, day, ok, failed, inconclusive)
     select $1, current_date - n, 1, 0, 0 from generate_series(1, $2) n`,
    `insert into late_hours (monitor_no, hour)
     select $1, now() - n * interval '1 hour' from generate_series(1, $2) n on conflict do nothing`,
    `insert into missed (monitor_no, from_slot, to_slot, count, reason)
     select $1, now() - n * interval '1 hour', now(), 1, 'OVERLAP' from generate_series(1, $2) n`,
    `insert into maintenance_spans (monitor_no, started_at, window_id)
     select $1, now() - n * interval '1 hour', gen_random_uuid() from generate_series(1, $2) n`,
  ])
    await admin.query(statement, [monitorNo, rows])
}

async function countsOf({ admin }: TestDatabase, { monitorNo }: Tenancy) {
  const counts: Record<string, number> = {}
  for (const table of HISTORY) {
    const { rows } = await admin.query(
      `select count(*)::int as count from ${table} where monitor_no = $1`,
      [monitorNo],
    )
    counts[table] = rows[0].count
  }
  return counts
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

async function markers({ admin }: TestDatabase): Promise<number> {
  const { rows } = await admin.query('select count(*)::int as count from deleted_monitors')
  return rows[0].count
}
