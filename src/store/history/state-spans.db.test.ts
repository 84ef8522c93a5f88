// Row-level security of spans: a change of one monitor must not read all monitors of its organization.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'

const ORGANIZATIONS = 60
const LARGE = 2000

let fixture: DbFixture
let database: TestDatabase
let orgId: string
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  orgId = await database.createOrganization()
  await fillMonitors()
})
after(() => fixture.stop())

/** One large organization among many small ones: PostgreSQL expects all to be small. */
async function fillMonitors(): Promise<void> {
  const { admin } = database
  await admin.query(
    `insert into organizations (id, name, plan, private_targets)
       select new_uuid(), 'Small ' || n, 'FREE', false from generate_series(1, $1) n`,
    [ORGANIZATIONS],
  )
  await admin.query(
    `insert into monitors (id, org_id, name, type, url, method, expected_status, follow_redirects, verify_ssl, keyword_match,
                           dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds,
                           timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples)
     select new_uuid(), o.id, 'M', 'HTTP', 'https://example.com', 'GET', '{200}', true, true, 'EXISTS', 'A', true, 14, 60, 10,
            60, 'LAST', 3
       from organizations o, generate_series(1, case when o.id = $1 then $2::integer else 1 end)`,
    [orgId, LARGE],
  )
  for (const table of ['state_spans', 'maintenance_spans'])
    await admin.query(
      table === 'state_spans'
        ? `insert into state_spans (monitor_no, started_at, state) select no, now(), 'UP' from monitors`
        : `insert into maintenance_spans (monitor_no, started_at, window_id) select no, now(), new_uuid() from monitors`,
    )
  await admin.query('analyze')
}

/** The plan for a member of the large organization. */
async function explain(statement: string): Promise<string> {
  const { admin } = database
  await admin.query('begin')
  try {
    await admin.query(`select set_config('app.org', $1, true)`, [orgId])
    await admin.query('set local role upvane_app')
    const { rows } = await admin.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await admin.query('rollback')
  }
}

const no = '(select max(monitor_no) from state_spans)'
const STATEMENTS = [
  `update state_spans set ended_at = now() where monitor_no = ${no} and ended_at is null`,
  `delete from state_spans where monitor_no = ${no}`,
  `select * from state_spans where monitor_no = ${no}`,
  `update maintenance_spans set ended_at = now() where monitor_no = ${no}`,
]
for (const statement of STATEMENTS)
  test(`looks up one monitor: ${statement.slice(0, 40)}`, async () => {
    assert.doesNotMatch(await explain(statement), /hashed SubPlan/)
  })

test('without the hint of migration 0052 all monitors would be read', async () => {
  const { admin } = database
  const isOwn = 'exists (select from monitors m where m.no = monitor_no)'
  const [statement = ''] = STATEMENTS
  await admin.query(`alter policy tenant on state_spans using (${isOwn})`)
  await admin.query(`alter policy tenant_write on state_spans using (${isOwn})`)
  assert.match(await explain(statement), /hashed SubPlan/)
})
