// What the database rejects for every caller, so that a race or a bug cannot get past it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, type Tenancy } from '../../../test/db-kit/fill-tenant.ts'

const UNIQUE = '23505'
const CHECK = '23514'
const REFERENCE = '23503'
const RACERS = 20

const OPEN_INCIDENT = `
  insert into incidents (id, org_id, monitor_id, started_at, cause, cause_code)
  values (gen_random_uuid(), $1, $2, now(), 'Timed out after 30 s', 'TIMEOUT')`

let fixture: DbFixture
let database: TestDatabase
let a: Tenancy
let b: Tenancy
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  a = await fillTenant(database)
  b = await fillTenant(database)
})
after(() => fixture.stop())

test('a monitor has at most one open incident, also when many open one at once', async () => {
  const values = [a.orgId, a.monitorUuid]
  await assert.rejects(database.admin.query(OPEN_INCIDENT, values), {
    code: UNIQUE,
    constraint: 'incidents_one_open',
  })
  await database.admin.query(
    `update incidents set resolved_at = now(), resolution = 'RECOVERED' where org_id = $1`,
    [a.orgId],
  )

  const pool = new pg.Pool({
    connectionString: fixture.postgres.databaseUrl(database.name, 'postgres'),
    max: RACERS,
  })
  const tries = await Promise.allSettled(
    Array.from({ length: RACERS }, () => pool.query(OPEN_INCIDENT, values)),
  )
  await pool.end()
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
})

type Refusal = [guarantee: string, code: string, statement: string]

const refusals: Refusal[] = [
  [
    "an incident belongs to its monitor's organization",
    REFERENCE,
    `insert into incidents (id, org_id, monitor_id, started_at, resolved_at, resolution, cause, cause_code)
     values (gen_random_uuid(), :b, :monitor, now(), now(), 'RECOVERED', 'x', 'TIMEOUT')`,
  ],
  [
    "a state row belongs to its monitor's organization",
    REFERENCE,
    'update monitor_states set org_id = :b where monitor_no = :no',
  ],
  [
    'an alert contact of another organization cannot be attached',
    REFERENCE,
    `insert into monitor_alert_contacts (org_id, monitor_id, contact_id)
     select :a, :monitor, id from alert_contacts where org_id = :b`,
  ],
  [
    'a step of an escalation has no contact of another organization',
    REFERENCE,
    `insert into escalation_contacts (org_id, policy_id, step, contact_id)
     select p.org_id, p.id, 1, c.id from escalation_policies p, alert_contacts c
      where p.org_id = :a and c.org_id = :b`,
  ],
  [
    'an escalation belongs to a monitor or to a tag',
    CHECK,
    'update escalation_policies set monitor_id = null where org_id = :a',
  ],
  [
    'a paused monitor is not due',
    CHECK,
    `update monitor_states set state = 'PAUSED' where monitor_no = :no`,
  ],
  [
    'states are the five of the contract',
    CHECK,
    `update monitor_states set state = 'OK' where monitor_no = :no`,
  ],
  [
    'types are the eight of the contract',
    CHECK,
    `update monitors set type = 'FTP' where id = :monitor`,
  ],
  ['an HTTP monitor has a url', CHECK, 'update monitors set url = null where id = :monitor'],
  ['an HTTP url is not empty', CHECK, `update monitors set url = '' where id = :monitor`],
  ['a PING monitor has a host', CHECK, `update monitors set type = 'PING' where id = :monitor`],
  [
    'a PORT monitor has a port',
    CHECK,
    `update monitors set type = 'PORT', host = 'x' where id = :monitor`,
  ],
  [
    'a KEYWORD monitor has a keyword',
    CHECK,
    `update monitors set type = 'KEYWORD' where id = :monitor`,
  ],
  [
    'a CRON monitor has its address',
    CHECK,
    `update monitors set type = 'CRON' where id = :monitor`,
  ],
  ['a name is not empty', CHECK, `update monitors set name = '' where id = :monitor`],
  [
    'an interval is at least 30 s',
    CHECK,
    'update monitors set interval_seconds = 29 where id = :monitor',
  ],
  [
    'a timeout is at most 60 s',
    CHECK,
    'update monitors set timeout_seconds = 61 where id = :monitor',
  ],
  ['a port is a port', CHECK, 'update monitors set port = 65536 where id = :monitor'],
  [
    'expected statuses are not empty',
    CHECK,
    `update monitors set expected_status = '{}' where id = :monitor`,
  ],
  [
    'an incident that ended says how',
    CHECK,
    'update incidents set resolved_at = now() where org_id = :b and resolved_at is null',
  ],
  [
    'an incident does not end before it began',
    CHECK,
    `update incidents set resolved_at = started_at - interval '1 s', resolution = 'RECOVERED' where org_id = :b`,
  ],
  [
    'an acknowledgement says who',
    CHECK,
    'update incidents set acknowledged_at = now() where org_id = :b',
  ],
  [
    'a note needs an acknowledgement',
    CHECK,
    `update incidents set acknowledge_note = 'x' where org_id = :b`,
  ],
  [
    'cause codes are those of the contract',
    CHECK,
    `update incidents set cause_code = 'BAD' where org_id = :b`,
  ],
  [
    'an incident has one first evidence',
    UNIQUE,
    `insert into incident_evidence (id, org_id, incident_id, part, checked_at, evidence)
     select gen_random_uuid(), org_id, incident_id, part, checked_at, evidence
       from incident_evidence where org_id = :b and part = 'OPENED'`,
  ],
  [
    'usage does not fall below zero',
    CHECK,
    'update organization_usage set monitors = -1 where org_id = :a',
  ],
  [
    'two keys never share a hash',
    UNIQUE,
    `insert into api_keys (id, org_id, name, access, hash, last4)
     select gen_random_uuid(), :b, name, access, hash, last4 from api_keys where org_id = :a`,
  ],
  ['access is one of two', CHECK, `update api_keys set access = 'ADMIN' where org_id = :a`],
  [
    'only a full key is for assistants that write',
    CHECK,
    `update api_keys set access = 'READ_ONLY', mcp_writes = true where org_id = :a`,
  ],
  [
    'past due says since when',
    CHECK,
    `update subscriptions set status = 'PAST_DUE' where org_id = :a`,
  ],
  [
    'an idempotency record is finished or reserved, never both',
    CHECK,
    'update idempotency_records set token = gen_random_uuid() where org_id = :a',
  ],
  [
    'only a success is stored for replay',
    CHECK,
    'update idempotency_records set status = 404 where org_id = :a',
  ],
  [
    'an enabled endpoint has no reason',
    CHECK,
    `update webhook_endpoints set disabled_reason = 'GONE' where org_id = :a`,
  ],
  [
    'an endpoint has one current secret',
    UNIQUE,
    `insert into webhook_secrets (id, org_id, endpoint_id, secret, hint)
     select new_uuid(), org_id, endpoint_id, secret, hint from webhook_secrets where org_id = :a`,
  ],
  [
    'a pending delivery has a next attempt',
    CHECK,
    'update deliveries set next_attempt_at = null where org_id = :a',
  ],
  [
    'a finished delivery says when',
    CHECK,
    `update deliveries set status = 'FAILED', next_attempt_at = null where org_id = :a`,
  ],
  [
    'one delivery has each attempt number once',
    UNIQUE,
    'insert into attempts select delivery_id, number, new_uuid(), org_id, trigger, started_at from attempts where org_id = :a',
  ],
  [
    'one slot has one result',
    UNIQUE,
    'insert into results (monitor_no, slot, kind, verdict) select monitor_no, slot, 0, 0 from results where monitor_no = :no',
  ],
  ['shards end at 255', CHECK, 'update monitor_states set shard = 256 where monitor_no = :no'],
]

for (const [guarantee, code, statement] of refusals) {
  test(`${guarantee} (${code})`, async () => {
    const text = statement
      .replaceAll(':a', `'${a.orgId}'`)
      .replaceAll(':b', `'${b.orgId}'`)
      .replaceAll(':monitor', `'${a.monitorUuid}'`)
      .replaceAll(':no', String(a.monitorNo))
    await database.admin.query('begin')
    try {
      await assert.rejects(database.admin.query(text), { code })
    } finally {
      await database.admin.query('rollback')
    }
  })
}
