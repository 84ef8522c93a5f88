import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, type Tenancy } from '../../../test/db-kit/fill-tenant.ts'
import { passMidnight } from '../../../test/db-kit/packed-days.ts'
import { sql } from '../core/db.ts'
import {
  dropExpiredPartition,
  ensurePartitions,
  type PartitionedTable,
  removeExpiredHistory,
} from './retention.ts'

const DAY_MS = 86_400_000
const DAY_TABLES: PartitionedTable[] = [
  'results',
  'heartbeat_calls',
  'events',
  'deliveries',
  'attempts',
]
const KEEP_DAYS = 30
const AHEAD_DAYS = 7
const MAX_BATCHES = 500

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('partitions are dropped from the day on which their youngest row is too old, the oldest first', async () => {
  const database = await withOldPartitions()
  await rollUpUntil(database, 0)
  for (const table of DAY_TABLES) {
    const dropped: (string | undefined)[] = []
    for (let drop = 0; drop < 10; drop++) {
      const outcome = await dropExpiredPartition(database.engine, table, KEEP_DAYS)
      if (outcome === undefined) break
      assert.equal(outcome.dropped, true)
      dropped.push(outcome.partition)
    }
    assert.deepEqual(dropped, [nameOf(table, 33), nameOf(table, 32), nameOf(table, 31)])
    assert.ok((await partitionsOf(database, table)).includes(nameOf(table, 30)))
  }
  assert.equal(await ensurePartitions(database.engine, AHEAD_DAYS), 0)
})

test('results that are not rolled up are kept, however old', async () => {
  const database = await withOldPartitions()
  const drop = () => dropExpiredPartition(database.engine, 'results', KEEP_DAYS)
  await rollUpUntil(database, 33)
  assert.equal(await drop(), undefined)
  await rollUpUntil(database, 32)
  assert.equal((await drop())?.partition, nameOf('results', 33))
  assert.equal(await drop(), undefined)
})

test('a drop gives way to a long reader, keeps nobody waiting behind it, and succeeds later', async () => {
  const database = await withOldPartitions()
  await rollUpUntil(database, 0)
  const reader = new pg.Client({
    connectionString: fixture.postgres.databaseUrl(database.name, 'postgres'),
  })
  await reader.connect()
  try {
    await reader.query('begin')
    await reader.query('select count(*) from results')
    const startedMs = performance.now()
    const dropping = dropExpiredPartition(database.engine, 'results', KEEP_DAYS)
    await database.admin.query(
      'insert into results (monitor_no, slot, kind, verdict) values (1, now(), 0, 0)',
    )
    assert.deepEqual(await dropping, { partition: nameOf('results', 33), dropped: false })
    assert.ok(performance.now() - startedMs < 2_000)
    assert.ok((await partitionsOf(database, 'results')).includes(nameOf('results', 33)))
    await reader.query('commit')
  } finally {
    await reader.end()
  }
  const later = await dropExpiredPartition(database.engine, 'results', KEEP_DAYS)
  assert.equal(later?.dropped, true)
})

test('only the engine drops, only what has days, and never the last day', async () => {
  const database = await fixture.openDatabase()
  const drop = (db: TestDatabase['engine'], table: string, days: number) =>
    db.query(sql`select * from drop_expired_partition($1, $2)`, [table, days])
  await assert.rejects(drop(database.app, 'results', KEEP_DAYS), { code: '42501' })
  await assert.rejects(drop(database.engine, 'monitors', KEEP_DAYS), /no partitions of monitors/)
  for (const days of [0, -1, 3651])
    await assert.rejects(drop(database.engine, 'results', days), /keep_days must be 1 to 3650/)
})

// How much is left of spans, maintenance, missed slots, hours and days that ended 10, 31 and 100 days ago.
// biome-ignore format: a table is read by its columns
const plans: [plan: string, overrides: object, left: number][] = [
  ['FREE',      {},                    1],
  ['STARTER',   {},                    2],
  ['PRO',       {},                    3],
  ['UNLIMITED', {},                    3],
  ['UNLIMITED', { historyDays: 20 },   1],
  ['FREE',      { historyDays: null }, 3], // null lifts the limit
  ['FREE',      { historyDays: 40 },   2],
]

test('history is kept as long as the plan says, and a span that reaches over the edge is kept whole', async () => {
  const database = await fixture.openDatabase()
  const tenancies: [Tenancy, number, string][] = []
  for (const [plan, overrides, left] of plans) {
    const tenancy = await fillTenant(database)
    await database.admin.query(
      'update organizations set plan = $2, limit_overrides = $3 where id = $1',
      [tenancy.orgId, plan, overrides],
    )
    await addAgedHistory(database, tenancy.monitorNo, [10, 31, 100])
    tenancies.push([tenancy, left, `${plan} ${JSON.stringify(overrides)}`])
  }
  await retainAll(database, 3, 2)
  for (const [{ monitorNo }, left, why] of tenancies) {
    const ended = await endedHistory(database, monitorNo)
    assert.deepEqual(
      ended,
      { spans: left, windows: left, missed: left, hours: left, days: left },
      why,
    )
    const { rows } = await database.admin.query(
      `select count(*)::int as count from state_spans where monitor_no = $1 and state = 'UP'`,
      [monitorNo],
    )
    assert.equal(rows[0].count, 1, `${why}: the span over the edge`)
  }
})

test('every monitor is looked at once a day', async () => {
  const database = await fixture.openDatabase()
  const { monitorNo, orgId } = await fillTenant(database)
  await database.admin.query(`update organizations set plan = 'FREE' where id = $1`, [orgId])
  await retainAll(database, 10, 100)
  await addAgedHistory(database, monitorNo, [100])
  await retainAll(database, 10, 100)
  assert.equal((await endedHistory(database, monitorNo)).hours, 1)
  await database.admin.query(
    `update upkeep_progress set period = period - interval '1 day' where task = 'RETENTION'`,
  )
  await retainAll(database, 10, 100)
  assert.equal((await endedHistory(database, monitorNo)).hours, 0)
})

async function withOldPartitions(): Promise<TestDatabase> {
  await passMidnight()
  const database = await fixture.openDatabase()
  // It may have been migrated yesterday.
  await ensurePartitions(database.engine, AHEAD_DAYS)
  const oldest = new Date(Date.now() - 33 * DAY_MS).toISOString().slice(0, 10)
  await database.admin.query('select ensure_partitions($1::date, 4)', [oldest])
  return database
}

function nameOf(table: string, daysAgo: number): string {
  const day = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
  return `${table}_${day.replaceAll('-', '')}`
}

async function partitionsOf({ admin }: TestDatabase, table: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
    [table],
  )
  return rows.map(({ name }) => name)
}

async function rollUpUntil({ admin }: TestDatabase, daysAgo: number): Promise<void> {
  await admin.query(
    `update upkeep_progress set period = date_trunc('day', now(), 'UTC') - make_interval(days => $1)`,
    [daysAgo],
  )
}

/** History that ended the given number of days ago. The span before it lasts from long ago until a day ago. */
async function addAgedHistory({ admin }: TestDatabase, monitorNo: number, endedDaysAgo: number[]) {
  const aged = `(select now() - make_interval(days => n) as ended from unnest($2::integer[]) n) a`
  for (const statement of [
    `insert into state_spans (monitor_no, started_at, ended_at, state)
     select $1, ended - interval '1 hour', ended, 'DOWN' from ${aged}`,
    `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
     select $1, ended - interval '1 hour', ended, gen_random_uuid() from ${aged}`,
    `insert into missed (monitor_no, from_slot, to_slot, count, reason)
     select $1, ended - interval '1 hour', ended, 2, 'ENGINE_DOWN' from ${aged}`,
    `insert into result_hours (monitor_no, hour, ok, failed, inconclusive)
     select $1, date_trunc('hour', ended), 7, 0, 0 from ${aged}`,
    `insert into result_days (monitor_no, day, ok, failed, inconclusive)
     select $1, ended::date, 7, 0, 0 from ${aged}`,
  ])
    await admin.query(statement, [monitorNo, endedDaysAgo])
  await admin.query(
    `insert into state_spans (monitor_no, started_at, ended_at, state)
     values ($1, now() - interval '900 days', now() - interval '1 day', 'UP')`,
    [monitorNo],
  )
}

async function endedHistory({ admin }: TestDatabase, monitorNo: number) {
  const { rows } = await admin.query(
    `select (select count(*)::int from state_spans where monitor_no = $1 and state = 'DOWN'
               and ended_at is not null) as spans,
            (select count(*)::int from maintenance_spans where monitor_no = $1
               and ended_at is not null) as windows,
            (select count(*)::int from missed where monitor_no = $1 and count = 2) as missed,
            (select count(*)::int from result_hours where monitor_no = $1 and ok = 7) as hours,
            (select count(*)::int from result_days where monitor_no = $1 and ok = 7) as days`,
    [monitorNo],
  )
  return rows[0]
}

async function retainAll({ engine }: TestDatabase, monitors: number, limit: number) {
  for (let batch = 0; batch < MAX_BATCHES; batch++)
    if ((await removeExpiredHistory(engine, monitors, limit)).finished) return
  assert.fail('The walk does not end')
}
