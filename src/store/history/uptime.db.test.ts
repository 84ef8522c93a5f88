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
import type { MonitorState } from '../../domain/monitors/monitor.ts'
import type { Interval } from '../../domain/monitors/uptime.ts'
import { findHistories, findSpans, findUptimes } from './uptime.ts'

const RUNS = Number(env['RUNS'] ?? 200)
const MONITORS_PER_QUERY = 50
const T0 = Date.UTC(2026, 0, 5)
const LENGTH = 600
const STATES: MonitorState[] = ['UP', 'DOWN', 'DEGRADED', 'PENDING', 'PAUSED']
const REASONS = ['ENGINE_DOWN', 'OVERLAP', 'ORG_CAP', 'NO_PROBE', 'SUBSCRIPTION']
const INTERVALS = [30, 60, 90]
const at = (second: number) => new Date(T0 + second * 1000)
const within = (from: number, to: number): Interval => ({ from: at(from), to: at(to) })

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

/** In seconds. `to` is null while it continues. */
type Span = { from: number; to: number | null; state: MonitorState }
type Missed = { from: number; to: number; reason: string }
type History = { spans: Span[]; windows: Omit<Span, 'state'>[]; missed: Missed[] }

test(`uptime agrees with asking every second on its own, over ${RUNS} random histories`, async (t) => {
  const orgId = await database.createOrganization()
  const tenant = database.tenants.of(orgId)
  let measured = 0
  for (let done = 0; done < RUNS; done += MONITORS_PER_QUERY) {
    const monitors = await cloneMonitors(orgId, Math.min(MONITORS_PER_QUERY, RUNS - done))
    const histories = new Map(monitors.map(({ no }) => [no, randomHistory()]))
    await store(histories)
    const from = pick(LENGTH / 2)
    const to = LENGTH / 2 + pick(LENGTH / 2)
    const numbers = monitors.map(({ no }) => no)
    const found = await findUptimes(tenant, numbers, within(from, to))
    for (const { no, intervalSeconds } of monitors) {
      const history = histories.get(no)
      assert.ok(history)
      const expected = bruteForce(history, intervalSeconds, from, to)
      const ratio = found.get(no)?.ratio
      if (expected === null) assert.equal(ratio, null)
      else {
        measured += 1
        assert.ok(
          typeof ratio === 'number' && Math.abs(ratio - expected) < 1e-9,
          `${ratio} for ${expected}: ${JSON.stringify({ from, to, intervalSeconds, ...history })}`,
        )
      }
    }
  }
  t.diagnostic(`${measured} of ${RUNS} histories had measured time`)
  assert.ok(measured > RUNS / 4)
})

test("another organization's monitor has no history", async () => {
  const mine = await database.createOrganization()
  const theirs = await database.createOrganization()
  const { no } = await monitorOf(theirs)
  await store(
    new Map([[no, { spans: [{ from: 0, to: null, state: 'UP' }], windows: [], missed: [] }]]),
  )
  const ask = (orgId: string) => findSpans(database.tenants.of(orgId), no, within(0, 10))
  assert.deepEqual(await ask(mine), [])
  assert.deepEqual(await ask(theirs), [{ state: 'UP', from: at(0), to: null }])
})

test('what only touches the asked time is left out, and what reaches into it is whole', async () => {
  const orgId = await database.createOrganization()
  const { no } = await monitorOf(orgId, 60)
  await store(
    new Map([
      [
        no,
        {
          spans: [
            { from: 0, to: 100, state: 'UP' },
            { from: 100, to: 150, state: 'DOWN' },
            { from: 150, to: 300, state: 'UP' },
            { from: 300, to: null, state: 'DOWN' },
          ],
          windows: [
            { from: 50, to: 100 },
            { from: 250, to: null },
          ],
          missed: [
            { from: 30, to: 40, reason: 'NO_PROBE' }, // until 100
            { from: 20, to: 41, reason: 'NO_PROBE' }, // until 101
            { from: 120, to: 130, reason: 'OVERLAP' },
          ],
        },
      ],
    ]),
  )
  const tenant = database.tenants.of(orgId)
  const history = (await findHistories(tenant, [no], within(100, 300))).get(no)
  assert.deepEqual(
    history?.spans.map(({ state, from }) => [state, from]),
    [
      ['DOWN', at(100)],
      ['UP', at(150)],
    ],
  )
  assert.deepEqual(history?.outside, [within(20, 101), within(250, 300)])
})

test('the plan decides how far apart slots were', async () => {
  const orgId = await database.createOrganization('FREE')
  const { no } = await monitorOf(orgId, 300)
  await database.admin.query('update monitors set interval_seconds = 60 where no = $1', [no])
  const missed = [{ from: 0, to: 0, reason: 'ENGINE_DOWN' }]
  await store(new Map([[no, { spans: [], windows: [], missed }]]))
  const found = await findHistories(database.tenants.of(orgId), [no], within(0, 600))
  assert.deepEqual(found.get(no)?.outside, [within(0, 300)])
})

test('figures: 90 days of history of 5,000 monitors', async (t) => {
  const own = await fixture.openDatabase()
  const orgId = await own.createOrganization()
  await own.tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings()))
  await own.admin.query(CLONE, [orgId, 4_999])
  await own.admin.query(`
    insert into state_spans (monitor_no, started_at, ended_at, state)
    select no, now() - n * interval '9 days', now() - (n - 1) * interval '9 days',
           case n % 2 when 0 then 'UP' else 'DOWN' end
      from monitors, generate_series(2, 11) n`)
  await own.admin.query('vacuum analyze state_spans, monitors')
  const { rows } = await own.admin.query<{ no: string }>('select no from monitors')
  const numbers = rows.map(({ no }) => Number(no))
  const last90Days = { from: new Date(Date.now() - 90 * 86_400_000), to: new Date() }
  let bestMs = Number.POSITIVE_INFINITY
  for (let i = 0; i < 7; i++) {
    const startedMs = performance.now()
    const found = await findUptimes(own.tenants.of(orgId), numbers, last90Days)
    bestMs = Math.min(bestMs, performance.now() - startedMs)
    assert.equal(found.size, 5_000)
  }
  t.diagnostic(`${bestMs.toFixed(0)} ms for 5,000 monitors with 10 spans each`)
  assert.ok(bestMs < 2_000)
})

function pick(n: number): number {
  return Math.floor(Math.random() * n)
}

function oneOf<V>(values: readonly [V, ...V[]] | readonly V[]): V {
  return values[pick(values.length)] as V
}

// Times extend beyond both ends of the queried period.
const second = () => pick(LENGTH + 200) - 100

function randomHistory(): History {
  const changes = [...new Set(Array.from({ length: pick(12) }, second))].toSorted((a, b) => a - b)
  const spans = changes.map((from, i) => ({
    from,
    to: changes[i + 1] ?? null,
    state: oneOf(STATES),
  }))
  const windows = Array.from({ length: pick(4) }, () => {
    const from = second()
    return { from, to: pick(5) === 0 ? null : from + pick(200) }
  })
  const starts = [...new Set(Array.from({ length: pick(4) }, second))]
  const missed = starts.map((from) => ({ from, to: from + pick(120), reason: oneOf(REASONS) }))
  return { spans, windows, missed }
}

function bruteForce(
  { spans, windows, missed }: History,
  intervalSeconds: number,
  from: number,
  to: number,
): number | null {
  let up = 0
  let down = 0
  for (let now = from; now < to; now++) {
    const covers = (span: { from: number; to: number | null }) =>
      span.from <= now && (span.to === null || now < span.to)
    const unknown = missed.some(
      (gap) => gap.reason !== 'OVERLAP' && gap.from <= now && now < gap.to + intervalSeconds,
    )
    if (unknown || windows.some(covers)) continue
    const state = spans.find(covers)?.state
    if (state === 'UP' || state === 'DEGRADED') up++
    if (state === 'DOWN') down++
  }
  return up + down === 0 ? null : up / (up + down)
}

const CLONE = `
  insert into monitors (id, org_id, name, type, url, method, expected_status, follow_redirects, verify_ssl,
    keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds,
    timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples)
  select gen_random_uuid(), org_id, name, type, url, method, expected_status, follow_redirects, verify_ssl,
    keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days,
    (array[${INTERVALS}])[1 + n % ${INTERVALS.length}],
    timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples
    from (select * from monitors where org_id = $1 limit 1) m, generate_series(1, $2::integer) n
  returning no::int as no, interval_seconds as "intervalSeconds"`

async function cloneMonitors(orgId: string, count: number) {
  await monitorOf(orgId)
  const { rows } = await database.admin.query<{ no: number; intervalSeconds: number }>(CLONE, [
    orgId,
    count,
  ])
  return rows
}

function monitorOf(orgId: string, intervalSeconds = 300) {
  return database.tenants.transaction(orgId, (tx) =>
    createMonitor(tx, sampleSettings({ intervalSeconds })),
  )
}

async function store(histories: ReadonlyMap<number, History>): Promise<void> {
  const rows = <K extends keyof History>(part: K) =>
    JSON.stringify(
      [...histories].flatMap(([no, history]) => history[part].map((r) => ({ no, ...r }))),
    )
  const time = (name: string) => `to_timestamp(${T0 / 1000} + ${name})`
  const from = (columns: string) => `from json_to_recordset($1) as r (no bigint, ${columns})`
  const { admin } = database
  await admin.query('delete from state_spans where monitor_no = any ($1)', [[...histories.keys()]])
  await admin.query(
    `insert into state_spans (monitor_no, started_at, ended_at, state)
     select no, ${time('r.from')}, ${time('r.to')}, state ${from('"from" int, "to" int, state text')}`,
    [rows('spans')],
  )
  await admin.query(
    `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
     select no, ${time('r.from')}, ${time('r.to')}, gen_random_uuid() ${from('"from" int, "to" int')}`,
    [rows('windows')],
  )
  await admin.query(
    `insert into missed (monitor_no, from_slot, to_slot, count, reason)
     select no, ${time('r.from')}, ${time('r.to')}, 1, reason ${from('"from" int, "to" int, reason text')}`,
    [rows('missed')],
  )
}
