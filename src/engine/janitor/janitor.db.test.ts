import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant } from '../../../test/db-kit/fill-tenant.ts'
import { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import { openLog } from '../../platform/observability/log.ts'
import { startJanitor } from './janitor.ts'

const TASKS = 12
const MAX_ROUND_MS = 30_000
const MAX_STOP_MS = 2_000

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('one round: hours are built, old partitions dropped, deleted monitors and old history removed', async () => {
  const database = await fixture.openDatabase()
  const { monitorNo, orgId } = await fillTenant(database)
  const gone = 1_000_000
  await database.admin.query(`select ensure_partitions((now() at time zone 'UTC')::date - 33, 4)`)
  for (const [statement, values] of [
    [`update organizations set plan = 'FREE' where id = $1`, [orgId]],
    [
      `insert into results (monitor_no, slot, kind, verdict, response_ms)
       select no, now() - interval '3 hours', 0, 0, 10 from unnest($1::bigint[]) no`,
      [[monitorNo, gone]],
    ],
    // Thirty days old, and rolled up long ago.
    [
      `insert into results (monitor_no, slot, kind, verdict, response_ms)
       values ($1, date_trunc('day', now(), 'UTC') - 30 * interval '24 hours', 0, 0, 10)`,
      [monitorNo],
    ],
    [`delete from late_hours where hour < now() - interval '20 days'`, []],
    [
      `insert into result_hours (monitor_no, hour, ok, failed, inconclusive)
       values ($1, now() - interval '40 days', 1, 0, 0)`,
      [monitorNo],
    ],
    [`insert into deleted_monitors values ($1, now() - interval '1 hour')`, [gone]],
    [`insert into sign_in_windows values ('over', now() - interval '16 minutes', 9)`, []],
  ] as const)
    await database.admin.query(statement, [...values])

  const metrics = await round(database)
  assert.equal(metrics.match(/^upvane_janitor_last_ok_timestamp_seconds\{/gm)?.length, TASKS)
  assert.doesNotMatch(metrics, /^upvane_janitor_failures_total\{/m)
  // Three days of six tables, and one more of those kept for seven days.
  assert.match(metrics, /^upvane_janitor_dropped_partitions_total 19$/m)
  const { rows } = await database.admin.query(
    `select (select count(*)::int from results where monitor_no = $2) as gone,
            (select count(*)::int from deleted_monitors) as markers,
            (select count(*)::int from sign_in_windows) as attempts,
            (select count(*)::int from result_hours where monitor_no = $1
               and hour = date_trunc('hour', now() - interval '3 hours')) as built,
            (select count(*)::int from result_hours where monitor_no = $1
               and hour < now() - interval '30 days') as outlived,
            (select count(*)::int from pg_inherits where inhparent = 'results'::regclass) as partitions,
            (select array_agg((now() at time zone 'UTC')::date - day) from packed_days) as packed`,
    [monitorNo, gone],
  )
  // Yesterday, today and seven days ahead. The day that is exactly thirty days old is packed.
  assert.deepEqual(rows, [
    { gone: 0, markers: 0, attempts: 0, built: 1, outlived: 0, partitions: 9, packed: [30] },
  ])
})

test('lines of the audit logs go after their days, and newer ones stay', async () => {
  const database = await fixture.openDatabase()
  const orgId = await database.createOrganization()
  for (const days of [1, 29, 31, 500]) {
    const id = `uuid_floor(now() - make_interval(days => $1))`
    await database.admin.query(
      `insert into audit_log (id, org_id, at, actor_type, actor_name, action)
       values (${id}, $2, now(), 'OPERATOR', 'Test', 'day ' || $1::text)`,
      [days, orgId],
    )
    await database.admin.query(
      `insert into operator_log (id, operator, action) values (${id}, 'Test', 'day ' || $1::text)`,
      [days],
    )
  }
  await round(database)
  const { rows } = await database.admin.query<{ action: string }>(
    `select action from audit_log where action like 'day %'
     union all select action from operator_log where action like 'day %' order by 1`,
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['day 1', 'day 1', 'day 29', 'day 29'],
  )
})

test('a task that fails is counted, and keeps the others from nothing', async () => {
  const database = await fixture.openDatabase()
  await database.admin.query('revoke execute on function drop_expired_partition from upvane_engine')
  const metrics = await round(database)
  assert.match(metrics, /^upvane_janitor_failures_total\{task="drops"\} 1$/m)
  assert.equal(metrics.match(/^upvane_janitor_last_ok_timestamp_seconds\{/gm)?.length, TASKS - 1)
})

/** Waits until every task has ended, stops the janitor during its pause, and returns the metrics. */
async function round({ engine }: TestDatabase): Promise<string> {
  const registry = new Registry()
  const { log, close } = openLog('silent')
  const metrics = new JanitorMetrics(registry)
  const janitor = startJanitor({
    database: engine,
    log,
    metrics,
    resultRetentionDays: 30,
    auditRetentionDays: 30,
  })
  const done = /^upvane_janitor_last_ok_timestamp_seconds\{task="audit_log"\}/m
  for (let waitedMs = 0; waitedMs < MAX_ROUND_MS; waitedMs += 50) {
    if (done.test(await registry.metrics())) break
    await delay(50)
  }
  const startedMs = performance.now()
  await janitor.stop()
  assert.ok(performance.now() - startedMs < MAX_STOP_MS)
  close()
  return registry.metrics()
}
