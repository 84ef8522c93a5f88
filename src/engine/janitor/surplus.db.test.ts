// Of the audit log and of resolved incidents the janitor keeps the newest, as many as the plan says.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Registry } from 'prom-client'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant } from '../../../test/db-kit/fill-tenant.ts'
import { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import { openLog } from '../../platform/observability/log.ts'
import { TASKS, type TaskDeps } from './tasks.ts'

const KEPT = 1_200

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

async function retain(database: TestDatabase): Promise<void> {
  const deps: TaskDeps = {
    database: database.engine,
    log: openLog('silent').log,
    metrics: new JanitorMetrics(new Registry()),
    resultRetentionDays: 30,
    auditRetentionDays: 400,
    pause: async () => {},
    stopping: () => false,
  }
  await TASKS.find(({ name }) => name === 'retention')?.run(deps)
}

async function counts(database: TestDatabase, orgId: string) {
  const { rows } = await database.admin.query<{ entries: number; incidents: number; open: number }>(
    `select (select count(*)::int from audit_log where org_id = $1) as entries,
            (select count(*)::int from incidents where org_id = $1) as incidents,
            (select count(*)::int from incidents where org_id = $1 and resolved_at is null) as open`,
    [orgId],
  )
  return rows[0]
}

async function grow(database: TestDatabase, orgId: string): Promise<void> {
  await database.admin.query(
    `insert into audit_log (id, org_id, at, actor_type, actor_name, action)
     select new_uuid(), $1, now() - make_interval(secs => n), 'OPERATOR', 'Test', 'entry ' || n
       from generate_series(1, 3000) n`,
    [orgId],
  )
  await database.admin.query(
    `insert into incidents (id, org_id, monitor_id, started_at, resolved_at, cause, cause_code, resolution)
     select new_uuid(), $1, m.id, now() - make_interval(secs => n), now() - make_interval(secs => n), 'x', 'TIMEOUT',
            'RECOVERED'
       from (select id from monitors where org_id = $1 limit 1) m, generate_series(1, 3000) n`,
    [orgId],
  )
}

test('the newest are kept, open incidents always, and other organizations are left alone', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  const { orgId: otherId } = await fillTenant(database)
  for (const id of [orgId, otherId]) await grow(database, id)
  // The oldest of all is still open.
  await database.admin.query(
    `update incidents set started_at = now() - interval '1 day' where org_id = $1 and resolved_at is null`,
    [orgId],
  )
  const before = await counts(database, otherId)
  await database.admin.query('update organizations set limit_overrides = $2 where id = $1', [
    orgId,
    { auditEntries: KEPT, incidents: KEPT },
  ])
  await retain(database)
  const after = await counts(database, orgId)
  const open = before?.open ?? 0
  assert.deepEqual(after, { entries: KEPT, incidents: KEPT + open, open })
  assert.deepEqual(await counts(database, otherId), before)
  const { rows } = await database.admin.query<{ newest: string }>(
    `select min(substring(action from 7)::int)::text || '-' || max(substring(action from 7)::int) as newest
       from audit_log where org_id = $1 and action like 'entry %'`,
    [orgId],
  )
  assert.match(rows[0]?.newest ?? '', /^1-1[12]\d\d$/)
})

test('it looks once in half an hour', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  await retain(database)
  await grow(database, orgId)
  await database.admin.query('update organizations set limit_overrides = $2 where id = $1', [
    orgId,
    { auditEntries: KEPT, incidents: KEPT },
  ])
  const before = await counts(database, orgId)
  await retain(database)
  assert.deepEqual(await counts(database, orgId), before)
  await database.admin.query(`update upkeep_progress set period = now() where task = 'SURPLUS'`)
  await retain(database)
  assert.equal((await counts(database, orgId))?.entries, KEPT)
})

test('nobody can have the whole log deleted', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  await assert.rejects(
    database.engine.query({ text: 'select forget_surplus_log_lines($1, 0, 100)' } as never, [
      orgId,
    ]),
  )
})
