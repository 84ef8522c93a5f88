import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
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
import { deleteMonitor } from '../../actions/monitors/delete.ts'
import { sql } from '../core/db.ts'
import { dropPackedRows, packResults } from './packing.ts'
import { dropExpiredPartition } from './retention.ts'

const DENIED = '42501'
const DAY_MS = 86_400_000
const MAX_BATCHES = 500
// It waits while the day's partition is being detached: 0.1 s, and whatever else the machine does.
const MAX_WAIT_MS = 1_500
const WRITE = sql`
  insert into results (monitor_no, slot, kind, verdict) values (9000000000000, clock_timestamp(), 0, 0)`

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const hourly = (responseMs: number): StoredResult[] =>
  Array.from({ length: 24 }, (_, hour) => ({
    us: hour * 3_600_000_000,
    kind: 0,
    verdict: 0,
    responseMs: responseMs + hour,
    statusCode: 200,
    region: 1,
    detail: null,
  }))

/** Monitors of two organizations with results on these days, and how to read all of them. */
async function withDays(...daysAgo: number[]) {
  await passMidnight()
  const database = await fixture.openDatabase()
  await rollUpTo(database, 1)
  const tenancies = [await fillTenant(database), await fillTenant(database)]
  for (const ago of daysAgo)
    for (const [index, { monitorNo }] of tenancies.entries())
      await insertDay(database.admin, monitorNo, midnight(ago), hourly(100 * index + ago))
  const period = [midnight(Math.max(...daysAgo)), midnight(0)] as const
  const read = async () => {
    const all: unknown[][] = []
    for (const { monitorNo } of tenancies)
      all.push(await readResults(database.admin, monitorNo, period))
    return all
  }
  return { database, tenancies, read }
}

async function daysOf({ admin }: TestDatabase, table: 'packed_days' | 'rows'): Promise<number[]> {
  const source =
    table === 'packed_days'
      ? 'packed_days'
      : `(select to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD') as day from pg_inherits
           where inhparent = 'results'::regclass) p`
  const { rows } = await admin.query<{ ago: number }>(
    `select (now() at time zone 'UTC')::date - day as ago from ${source} order by 1`,
  )
  return rows.map(({ ago }) => ago)
}

const standsAlone = async ({ admin }: TestDatabase, daysAgo: number): Promise<boolean> => {
  const name = `packed_rows_${midnight(daysAgo).toISOString().slice(0, 10).replaceAll('-', '')}`
  const { rows } = await admin.query(
    'select 1 from pg_class where relname = $1 and not relispartition',
    [name],
  )
  return rows.length > 0
}

/** Records results of a monitor of nobody. Returns how long the slowest took. */
function startWriter({ engine }: TestDatabase) {
  let [isStopped, longestMs] = [false, 0]
  const running = (async () => {
    while (!isStopped) {
      const startedMs = performance.now()
      await engine.query(WRITE)
      longestMs = Math.max(longestMs, performance.now() - startedMs)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await running
      return longestMs
    },
  }
}

test('days that ended before yesterday are packed, oldest first; today and yesterday are not', async () => {
  const { database, read } = await withDays(1, 2, 3)
  const before = await read()
  const order: number[] = []
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { idle, published } = await packResults(database.engine, 10)
    if (idle) break
    if (published) order.push((midnight(0).getTime() - published.getTime()) / DAY_MS)
    assert.deepEqual(await read(), before, `after batch ${batch}`)
  }
  assert.deepEqual(order, [3, 2])
  assert.deepEqual(await daysOf(database, 'packed_days'), [2, 3])
  assert.ok((await daysOf(database, 'rows')).every((ago) => ago <= 1))
})

test('a day that is not rolled up is not packed', async () => {
  const { database } = await withDays(2, 3)
  const rolledUpUntil = (daysAgo: number) =>
    database.admin.query(`update upkeep_progress set period = $1 where task = 'DAYS'`, [
      midnight(daysAgo),
    ])
  await rolledUpUntil(3)
  assert.equal(await packAll(database.engine), 0)
  await rolledUpUntil(2)
  assert.equal(await packAll(database.engine), 48)
  assert.deepEqual(await daysOf(database, 'packed_days'), [3])
})

test('a day without results keeps its partition, for history that is written later', async () => {
  const { database, tenancies } = await withDays(3)
  await database.admin.query('select ensure_partitions($1::date, 1)', [midnight(2)])
  assert.equal(await packAll(database.engine), 48)
  assert.deepEqual(await daysOf(database, 'packed_days'), [3])
  await insertDay(database.admin, tenancies[0]?.monitorNo ?? 0, midnight(2), hourly(1))
  assert.equal(await packAll(database.engine), 24)
  assert.deepEqual(await daysOf(database, 'packed_days'), [2, 3])
})

test('two janitors at once: each result is packed once, and nothing is missing', async () => {
  const { database, read } = await withDays(2, 3, 4)
  const before = await read()
  const walk = async () => {
    for (let batch = 0; batch < 60; batch++) await packResults(database.engine, 5)
  }
  await Promise.all([walk(), walk()])
  await packAll(database.engine)
  assert.deepEqual(await read(), before)
  assert.deepEqual(await daysOf(database, 'packed_days'), [2, 3, 4])
})

test('publishing gives way to a long reader, who sees every result until the end', async (t) => {
  const { database, tenancies, read } = await withDays(2)
  const before = await read()
  const reader = new pg.Client({
    connectionString: fixture.postgres.databaseUrl(database.name, 'postgres'),
  })
  await reader.connect()
  try {
    const period = [midnight(2), midnight(0)] as const
    await reader.query('begin')
    const seen = await readResults(reader, tenancies[0]?.monitorNo ?? 0, period)
    const writer = startWriter(database)
    await packAll(database.engine)
    const longestMs = await writer.stop()
    t.diagnostic(`a writer waited ${longestMs.toFixed(0)} ms at most`)
    assert.ok(longestMs < MAX_WAIT_MS, `${longestMs} ms`)
    assert.deepEqual(await daysOf(database, 'packed_days'), [])
    assert.deepEqual(await readResults(reader, tenancies[0]?.monitorNo ?? 0, period), seen)
    await reader.query('commit')
  } finally {
    await reader.end()
  }
  await packAll(database.engine)
  assert.deepEqual(await daysOf(database, 'packed_days'), [2])
  assert.deepEqual(await read(), before)
})

test('a search goes back over months, and ends when it has enough', async () => {
  const { database, tenancies } = await withDays(2, 40, 90)
  await packAll(database.engine)
  const [{ monitorNo } = { monitorNo: 0 }] = tenancies
  const find = async (most: number | null) => {
    const { rows } = await database.admin.query<{ ago: number }>(
      `select (now() at time zone 'UTC')::date - (slot at time zone 'UTC')::date as ago
         from packed_results($1, '2000-01-01', 'infinity', null, $2)`,
      [monitorNo, most],
    )
    return rows.map(({ ago }) => ago)
  }
  const day = (ago: number, results = 24) => Array.from({ length: results }, () => ago)
  assert.deepEqual(await find(null), [...day(2), ...day(40), ...day(90)])
  assert.deepEqual(await find(30), [...day(2), ...day(40, 6)])
  assert.deepEqual(await find(24), day(2))
  assert.deepEqual(await find(0), [])
})

test('the rows stay detached for their grace, and are dropped after it', async () => {
  const { database, read } = await withDays(2)
  const before = await read()
  await packAll(database.engine)
  assert.equal(await dropPackedRows(database.engine, 3600), undefined)
  assert.ok(await standsAlone(database, 2))
  assert.equal((await dropPackedRows(database.engine, 0))?.dropped, true)
  assert.equal(await standsAlone(database, 2), false)
  assert.equal(await dropPackedRows(database.engine, 0), undefined)
  assert.deepEqual(await read(), before)
})

test('packs are dropped with their day when they are too old', async () => {
  const { database } = await withDays(5, 31)
  await packAll(database.engine)
  const outcome = await dropExpiredPartition(database.engine, 'result_packs', 30)
  assert.equal(outcome?.dropped, true)
  assert.equal(await dropExpiredPartition(database.engine, 'result_packs', 30), undefined)
  assert.deepEqual(await daysOf(database, 'packed_days'), [5])
})

// Shows that the comparisons above and in test/fault would notice.
test('planted: a day published beside its rows is read twice, and rows detached too early are missing', async () => {
  const { database, read } = await withDays(2)
  const before = await read()
  const counts = async () => (await read()).map((rows) => rows.length)
  // Complete, and not published.
  for (let batch = 0; batch < 3; batch++) await packResults(database.engine, 30)
  const day = midnight(2).toISOString().slice(0, 10)
  await database.admin.query('insert into packed_days (day) values ($1)', [day])
  assert.deepEqual(await counts(), [48, 48])
  await database.admin.query('delete from packed_days')
  assert.deepEqual(await read(), before)
  await database.admin.query(
    `alter table results detach partition results_${day.replaceAll('-', '')}`,
  )
  assert.deepEqual(await counts(), [0, 0])
})

test('a deleted monitor is not packed', async () => {
  const { database, tenancies } = await withDays(2)
  const [gone] = tenancies
  assert.ok(gone)
  await database.tenants.transaction(gone.orgId, (tx) => deleteMonitor(tx, gone.monitorUuid))
  assert.equal(await packAll(database.engine), 24)
})

test('rows written by hand into a packed day are found beside its packs', async () => {
  const { database, tenancies, read } = await withDays(2)
  const before = await read()
  await packAll(database.engine)
  // The rows that were packed are still there, under another name.
  assert.ok(await standsAlone(database, 2))
  const [first] = tenancies
  const [extra] = hourly(7)
  assert.ok(first && extra)
  await insertDay(database.admin, first.monitorNo, midnight(2), [{ ...extra, us: 1 }])
  assert.equal(await packAll(database.engine), 0)
  const [mine, theirs] = await read()
  assert.equal(mine?.length, (before[0]?.length ?? 0) + 1)
  assert.deepEqual(theirs, before[1])
})

test("packed_results shows a tenant its own monitor's results and no other", async () => {
  const { database, tenancies } = await withDays(2)
  await packAll(database.engine)
  const [mine, theirs] = tenancies
  assert.ok(mine && theirs)
  const read = (monitorNo: number) =>
    database.app
      .of(mine.orgId)
      .query(sql`select * from packed_results($1, $2, $3)`, [monitorNo, midnight(3), midnight(0)])
  assert.equal((await read(mine.monitorNo)).length, 24)
  assert.deepEqual(await read(theirs.monitorNo), [])
})

test('only the engine packs, publishes and drops, and only what is complete', async () => {
  const { database } = await withDays(2)
  const day = midnight(2).toISOString().slice(0, 10)
  for (const statement of [
    sql`select ensure_pack_partition($1::date)`,
    sql`select publish_packed_day($1::date)`,
    sql`select drop_packed_rows(extract(epoch from $1::date)::integer)`,
  ])
    await assert.rejects(database.app.query(statement, [day]), { code: DENIED }, statement.text)
  const publish = () => database.engine.query(sql`select publish_packed_day($1::date)`, [day])
  await assert.rejects(publish(), /is not packed completely/)
  await packResults(database.engine, 10)
  await packResults(database.engine, 10)
  await assert.rejects(publish(), /is not packed completely/)
  await assert.rejects(dropPackedRows(database.engine, -1), /grace_seconds must be/)
})
