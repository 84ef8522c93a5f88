import assert from 'node:assert/strict'
import { env } from 'node:process'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import type { Verdict } from '../../domain/monitors/verdict.ts'
import { runOutsideTransactionScope } from '../../platform/transaction-scope.ts'
import { insertResults, type ResultRow } from './results.ts'
import {
  buildDays,
  buildHours,
  type RollupResult,
  rebuildLate,
  rollupLagSeconds,
} from './rollups.ts'

// The figures at the end need a bigger run: MONITORS=100000 takes minutes.
const MONITORS = Number(env['MONITORS'] ?? 2_000)
const MAX_BYTES_PER_RESULT = 110
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MAX_BATCHES = 10_000

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('hours and days hold what asking every result on its own gives', async () => {
  const { database, monitors, day } = await setUpRollups(5)
  const rows = monitors.flatMap((no) => randomResults(no, day, 400))
  await insertAll(database, rows)
  await setProgress(database, day)
  await buildAll(() => buildHours(database.engine, 2))
  await buildAll(() => buildDays(database.engine, 2))

  assert.deepEqual(await read(database, 'result_hours', 'hour'), summarize(rows, HOUR_MS))
  assert.deepEqual(await read(database, 'result_days', 'day'), summarize(rows, DAY_MS))
})

test('void results and monitors that are gone leave no row', async () => {
  const { database, monitors, day } = await setUpRollups(2)
  const [kept = 0, gone = 0] = monitors
  await insertAll(database, [
    { ...result(kept, day), fate: 'SUPERSEDED' },
    result(kept, new Date(day.getTime() + HOUR_MS)),
    result(gone, day),
  ])
  await database.admin.query('delete from monitors where no = $1', [gone])
  await setProgress(database, day)
  await buildAll(() => buildHours(database.engine, 10))
  const hours = await read(database, 'result_hours', 'hour')
  assert.deepEqual(
    hours.map((row) => [row.no, row.at]),
    [[kept, day.getTime() + HOUR_MS]],
  )
})

test('building again changes nothing, not even a row version', async () => {
  const { database, monitors, day } = await setUpRollups(3)
  await insertAll(
    database,
    monitors.flatMap((no) => randomResults(no, day, 100)),
  )
  const build = async () => {
    await setProgress(database, day)
    const hours = await buildAll(() => buildHours(database.engine, 2))
    return hours + (await buildAll(() => buildDays(database.engine, 2)))
  }
  assert.ok((await build()) > 0)
  const before = await versions(database)
  assert.equal(await build(), 0)
  assert.deepEqual(await versions(database), before)
})

test('an hour is not built before ten minutes have passed since its end, nor a day before its hours', async () => {
  const { database, day } = await setUpRollups(1)
  await setProgress(database, day)
  assert.deepEqual(await buildDays(database.engine, 10), { idle: true, rows: 0 })
  await buildAll(() => buildHours(database.engine, 10))
  const { rows } = await database.admin.query(`
    select period + interval '70 minutes' > now() as waits,
           period + interval '70 minutes' <= now() + interval '1 hour' as next
      from upkeep_progress where task = 'HOURS'`)
  assert.deepEqual(rows, [{ waits: true, next: true }])
  const lag = await rollupLagSeconds(database.engine)
  assert.ok(lag > 0 && lag < 7_800, `${lag} s`)
})

test('a late result marks its hour, and hour and day are built again; one in time marks nothing', async () => {
  const { database, monitors, day } = await setUpRollups(2)
  const [no = 0, other = 0] = monitors
  const first = [...randomResults(no, day, 200), ...randomResults(other, day, 200)]
  await insertAll(database, first)
  await setProgress(database, day)
  await buildAll(() => buildHours(database.engine, 10))
  await buildAll(() => buildDays(database.engine, 10))
  await database.admin.query('delete from late_hours')

  await insertAll(database, [result(no, new Date())])
  assert.equal(await count(database, 'late_hours'), 0)
  const late = randomResults(no, new Date(day.getTime() + 5 * HOUR_MS + 1), 3)
  await insertAll(database, late)
  assert.ok((await count(database, 'late_hours')) > 0)
  await buildAll(() => rebuildLate(database.engine, 1))

  assert.equal(await count(database, 'late_hours'), 0)
  const all = [...first, ...late]
  assert.deepEqual(await read(database, 'result_hours', 'hour'), summarize(all, HOUR_MS))
  assert.deepEqual(await read(database, 'result_days', 'day'), summarize(all, DAY_MS))
})

test('a mark whose late result is not committed yet is left for the next round', async () => {
  const { database, monitors, day } = await setUpRollups(1)
  const [no = 0] = monitors
  const at = (minute: number) => new Date(day.getTime() + minute * 60_000)
  await setProgress(database, day)
  await buildAll(() => buildHours(database.engine, 10))
  await insertAll(database, [result(no, at(1))])

  await database.engine.transaction(undefined, async (tx) => {
    await insertResults(tx, [result(no, at(2))])
    const built = await runOutsideTransactionScope(() => rebuildLate(database.engine, 10))
    assert.deepEqual(built, { idle: true, rows: 0 })
  })
  assert.equal((await rebuildLate(database.engine, 10)).idle, false)
  const [hour] = await read(database, 'result_hours', 'hour')
  assert.equal((hour?.ok ?? 0) + (hour?.failed ?? 0), 2)
})

test('two janitors at once share the work: nothing is left out, nothing is wrong', async () => {
  const { database, monitors, day } = await setUpRollups(30)
  const rows = monitors.flatMap((no) => randomResults(no, day, 60))
  await insertAll(database, rows)
  await setProgress(database, day)
  const walk = async (build: () => Promise<RollupResult>) => {
    for (let i = 0; i < 600; i++) await build()
  }
  await Promise.all([
    walk(() => buildHours(database.engine, 7)),
    walk(() => buildHours(database.engine, 4)),
  ])
  await buildAll(() => buildHours(database.engine, 100))
  assert.deepEqual(await read(database, 'result_hours', 'hour'), summarize(rows, HOUR_MS))
})

test(`figures: bytes of a result, and the time to roll up an hour of ${MONITORS} monitors`, async (t) => {
  const { database, day } = await setUpRollups(1)
  const hour = new Date(day.getTime() + 6 * HOUR_MS)
  await database.admin.query(CLONE, [MONITORS - 1])
  // They are in the past only because an hour must be over; in production they would not be late.
  await database.admin.query('alter table results disable trigger mark_late_results')
  for (let minute = 0; minute < 60; minute++)
    await database.admin.query(MINUTE, [new Date(hour.getTime() + minute * 60_000)])
  const table = `results_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
  await database.admin.query(`vacuum analyze ${table}`)
  const { rows } = await database.admin.query<{ bytes: number; heap: number; rows: number }>(`
    select pg_total_relation_size('${table}')::float8 as bytes, pg_relation_size('${table}')::float8 as heap,
           (select count(*)::int from results) as rows`)
  const { bytes = 0, heap = 0, rows: stored = 1 } = rows[0] ?? {}
  const perRow = bytes / stored
  t.diagnostic(
    `${stored} results: ${perRow.toFixed(1)} B each, ${(heap / stored).toFixed(1)} B of it heap`,
  )
  assert.ok(perRow <= MAX_BYTES_PER_RESULT, `${perRow} B`)

  await setProgress(database, hour)
  const startedMs = performance.now()
  let batches = 0
  let slowestMs = 0
  for (let written = 0; written < MONITORS; batches++) {
    const batchMs = performance.now()
    written += (await buildHours(database.engine, 1_000)).rows
    slowestMs = Math.max(slowestMs, performance.now() - batchMs)
    assert.ok(batches <= MONITORS, 'the hour does not end')
  }
  const seconds = (performance.now() - startedMs) / 1000
  t.diagnostic(
    `hour: ${seconds.toFixed(2)} s in ${batches} batches, slowest ${slowestMs.toFixed(0)} ms`,
  )
  assert.equal(await count(database, 'result_hours'), MONITORS)
})

// In the order in which checks arrive: minute by minute, with monitors in random order.
const CLONE = `
  insert into monitors (id, org_id, name, type, url, method, expected_status, follow_redirects, verify_ssl,
    keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds,
    timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples)
  select gen_random_uuid(), org_id, name, type, url, method, expected_status, follow_redirects, verify_ssl,
    keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds,
    timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples
    from monitors, generate_series(1, $1::integer)`
const MINUTE = `
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region)
  select no, $1::timestamptz + no % 60000 * interval '1 millisecond', 0, 0, (random() * 500)::integer, 200, 1
    from monitors order by random()`

/** A database with monitors and a past day with its partitions. */
async function setUpRollups(monitorCount: number) {
  const database = await fixture.openDatabase()
  await database.admin.query(`set timezone to 'UTC'`)
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const day = new Date(today - 2 * DAY_MS)
  await database.admin.query('select ensure_partitions($1::date, 5)', [day.toISOString()])
  const orgId = await database.createOrganization()
  const monitors: number[] = []
  for (let i = 0; i < monitorCount; i++)
    monitors.push(
      (await database.tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings()))).no,
    )
  return { database, monitors, day }
}

async function setProgress({ admin }: TestDatabase, at: Date): Promise<void> {
  await admin.query('update upkeep_progress set period = $1, after_monitor_no = 0', [at])
}

async function buildAll(build: () => Promise<RollupResult>): Promise<number> {
  let written = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { idle, rows } = await build()
    if (idle) return written
    written += rows
  }
  throw new Error('The build does not end')
}

function insertAll({ engine }: TestDatabase, rows: ResultRow[]): Promise<void> {
  return engine.transaction(undefined, (tx) => insertResults(tx, rows))
}

function result(monitorNo: number, slot: Date): ResultRow {
  const seen = { responseMs: 10, statusCode: 200, causeCode: null, timings: null }
  const rest = { regionNo: null, fate: 'FOLDED', ...seen } as const
  return { monitorNo, slot, kind: 'SCHEDULED', verdict: 'PASSED', ...rest }
}

function randomResults(monitorNo: number, day: Date, howMany: number): ResultRow[] {
  const verdicts: Verdict[] = ['PASSED', 'PASSED', 'PASSED', 'SLOW', 'FAILED', 'INCONCLUSIVE']
  const pick = (n: number) => Math.floor(Math.random() * n)
  const slots = new Set(Array.from({ length: howMany }, () => day.getTime() + pick(DAY_MS / 2)))
  return [...slots].map((slot) => ({
    ...result(monitorNo, new Date(slot)),
    verdict: verdicts[pick(verdicts.length)] ?? 'PASSED',
    fate: pick(20) === 0 ? 'SUPERSEDED' : 'FOLDED',
    responseMs: pick(10) === 0 ? null : pick(1000),
  }))
}

type Summary = {
  no: number
  at: number
  ok: number
  failed: number
  inconclusive: number
  p50: number | null
  p95: number | null
  max: number | null
}

function summarize(rows: readonly ResultRow[], periodMs: number): Summary[] {
  const counted = rows.filter(({ fate }) => fate !== 'SUPERSEDED')
  const groups = Object.groupBy(
    counted,
    ({ monitorNo, slot }) => `${monitorNo} ${Math.floor(slot.getTime() / periodMs) * periodMs}`,
  )
  return Object.entries(groups)
    .map(([key, group = []]) => {
      const [no = 0, at = 0] = key.split(' ').map(Number)
      const of = (...verdicts: Verdict[]) => group.filter((row) => verdicts.includes(row.verdict))
      const passed = of('PASSED', 'SLOW')
      const times = passed.flatMap(({ responseMs }) => responseMs ?? []).toSorted((a, b) => a - b)
      const rank = (percent: number) => times[Math.ceil((percent * times.length) / 100) - 1] ?? null
      const counts = {
        ok: passed.length,
        failed: of('FAILED').length,
        inconclusive: of('INCONCLUSIVE').length,
      }
      return { no, at, ...counts, p50: rank(50), p95: rank(95), max: times.at(-1) ?? null }
    })
    .toSorted((a, b) => a.no - b.no || a.at - b.at)
}

async function read({ admin }: TestDatabase, table: string, period: string): Promise<Summary[]> {
  const { rows } = await admin.query(`
    select monitor_no::int as no, (extract(epoch from ${period} at time zone 'UTC') * 1000)::float8 as at,
           ok, failed, inconclusive, p50_ms as p50, p95_ms as p95, max_ms as max
      from ${table} order by 1, 2`)
  return rows
}

async function versions({ admin }: TestDatabase): Promise<unknown> {
  const { rows } = await admin.query(`
    select 'h' as what, monitor_no, hour::text as at, xmin::text, ctid::text from result_hours union all
    select 'd', monitor_no, day::text, xmin::text, ctid::text from result_days order by 1, 2, 3`)
  return rows
}

async function count({ admin }: TestDatabase, table: string): Promise<number> {
  const { rows } = await admin.query(`select count(*)::int as count from ${table}`)
  return rows[0].count
}
