import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant } from '../../../test/db-kit/fill-tenant.ts'
import {
  insertDay,
  midnight,
  packAll,
  passMidnight,
  readResults,
  rollUpTo,
  type StoredResult,
} from '../../../test/db-kit/packed-days.ts'
import { runOutsideTransactionScope } from '../../platform/transaction-scope.ts'
import type { Tx } from '../core/db.ts'
import { packResults } from './packing.ts'
import { insertNewResults, insertResults, isCollision, type ResultRow } from './results.ts'
import { rebuildLate } from './rollups.ts'

const MINUTE_MS = 60_000

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const hourly: StoredResult[] = Array.from({ length: 24 }, (_, hour) => ({
  us: hour * 3_600_000_000,
  kind: 0,
  verdict: 0,
  responseMs: 100 + hour,
  statusCode: 200,
  region: null,
  detail: null,
}))

async function withDay(daysAgo: number) {
  await passMidnight()
  const database = await fixture.openDatabase()
  await rollUpTo(database, 1)
  const monitors: number[] = []
  for (let n = 0; n < 3; n++) {
    const { monitorNo } = await fillTenant(database)
    await insertDay(database.admin, monitorNo, midnight(daysAgo), hourly)
    monitors.push(monitorNo)
  }
  const [first = 0, second = 0, third = 0] = monitors
  const read = (no: number) =>
    readResults(database.admin, no, [midnight(daysAgo), midnight(daysAgo - 1)])
  return { database, monitors: [first, second, third] as const, read }
}

const inside = <T>({ engine }: TestDatabase, work: (tx: Tx) => Promise<T>) =>
  engine.transaction(undefined, work)

/** A failed check, so many minutes after midnight. */
const late = (monitorNo: number, daysAgo: number, minute: number): ResultRow => ({
  monitorNo,
  slot: new Date(midnight(daysAgo).getTime() + minute * MINUTE_MS),
  kind: 'SCHEDULED',
  verdict: 'FAILED',
  fate: 'FOLDED',
  responseMs: null,
  statusCode: 503,
  regionNo: null,
  causeCode: 'UNEXPECTED_STATUS',
  timings: null,
})

test('a result of a packed day is added to its pack once, at its place', async () => {
  const { database, monitors, read } = await withDay(3)
  const [one, other] = monitors
  const before = await read(one)
  await packAll(database.engine)
  const neighbor = await read(other)
  // Two of one batch have the same slot as each other or as a packed result; one lies between two.
  const batch = [late(one, 3, 90), late(one, 3, 90), late(one, 3, 60)]
  for (let times = 0; times < 2; times++) await inside(database, (tx) => insertResults(tx, batch))
  const after = await read(one)
  assert.equal(after.length, before.length + 1)
  assert.deepEqual(after.toSpliced(2, 1), before)
  assert.deepEqual(await read(other), neighbor)
})

test('a monitor without a pack on that day gets one', async () => {
  const { database, read } = await withDay(3)
  const { monitorNo } = await fillTenant(database)
  await packAll(database.engine)
  await inside(database, (tx) => insertResults(tx, [late(monitorNo, 3, 5)]))
  assert.equal((await read(monitorNo)).length, 1)
})

test('a recorded slot of a packed day collides for those who insert only new ones, and nothing stays', async () => {
  const { database, monitors, read } = await withDay(3)
  const [one] = monitors
  await packAll(database.engine)
  const before = await read(one)
  await assert.rejects(
    inside(database, (tx) => insertNewResults(tx, [late(one, 3, 61), late(one, 3, 60)])),
    isCollision,
  )
  assert.deepEqual(await read(one), before)
  await inside(database, (tx) => insertNewResults(tx, [late(one, 3, 61)]))
  assert.equal((await read(one)).length, before.length + 1)
})

test('results of several days in one batch: packed, not packed, and of today', async () => {
  const { database, monitors } = await withDay(3)
  const [one] = monitors
  await packAll(database.engine)
  const rows = [late(one, 3, 61), late(one, 1, 61), late(one, 0, 0)]
  await inside(database, (tx) => insertNewResults(tx, rows))
  const found = await readResults(database.admin, one, [midnight(3), midnight(-1)])
  // And the one of fillTenant.
  assert.equal(found.length, hourly.length + rows.length + 1)
})

test('its hour is marked and built again from the pack', async () => {
  const { database, monitors } = await withDay(3)
  const [one] = monitors
  await packAll(database.engine)
  await database.admin.query('delete from late_hours')
  await inside(database, (tx) => insertResults(tx, [late(one, 3, 61)]))
  assert.equal((await rebuildLate(database.engine, 10)).idle, false)
  const { rows } = await database.admin.query(
    `select h.ok, h.failed, h.max_ms, d.ok as day_ok, d.failed as day_failed
       from result_hours h join result_days d using (monitor_no)
      where h.monitor_no = $1 and h.hour = $2 and d.day = ($3::timestamptz at time zone 'UTC')::date`,
    [one, new Date(midnight(3).getTime() + 60 * MINUTE_MS), midnight(3)],
  )
  assert.deepEqual(rows, [{ ok: 1, failed: 1, max_ms: 101, day_ok: 24, day_failed: 1 }])
})

test('while a day is packed: before and after its monitor, nothing is lost', async () => {
  const { database, monitors, read } = await withDay(3)
  const [one, two, three] = monitors
  // Begins the day, then packs one monitor at a time.
  for (let batch = 0; batch < 3; batch++) await packResults(database.engine, 1)
  await inside(database, (tx) =>
    insertResults(tx, [late(one, 3, 61), late(two, 3, 61), late(three, 3, 61)]),
  )
  const before = [await read(one), await read(two), await read(three)]
  await packAll(database.engine)
  assert.deepEqual([await read(one), await read(two), await read(three)], before)
  for (const rows of before) assert.equal(rows.length, hourly.length + 1)
})

test('nothing is packed or published until a late insert has committed', async () => {
  const { database, monitors, read } = await withDay(3)
  const [one] = monitors
  for (let batch = 0; batch < 5; batch++) await packResults(database.engine, 1)
  await inside(database, async (tx) => {
    await insertResults(tx, [late(one, 3, 61)])
    const meanwhile = await runOutsideTransactionScope(() => packResults(database.engine, 1_000))
    assert.equal(meanwhile.idle, true)
  })
  await packAll(database.engine)
  assert.equal((await read(one)).length, hourly.length + 1)
})

test('an aborted late insert leaves the pack as it was', async () => {
  const { database, monitors, read } = await withDay(3)
  const [one] = monitors
  await packAll(database.engine)
  const before = await read(one)
  await assert.rejects(
    inside(database, async (tx) => {
      await insertResults(tx, [late(one, 3, 61)])
      throw new Error('crash')
    }),
    /crash/,
  )
  assert.deepEqual(await read(one), before)
})
