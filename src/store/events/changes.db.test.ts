import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, type Tenancy } from '../../../test/db-kit/fill-tenant.ts'
import type { ChangePosition } from '../../domain/events/change-position.ts'
import { MAX_CHANGES } from '../../domain/events/row-change.ts'
import type { Db } from '../core/db.ts'
import { findChanges, findPosition } from './changes.ts'

const WRITERS = 4
const CHANGES_EACH = 40
const DEADLINE_MS = 20_000

let fixture: DbFixture
let database: TestDatabase
let own: Tenancy
let other: Tenancy

before(async () => {
  fixture = await startDbFixture({ own: true })
  database = await fixture.openDatabase()
  own = await fillTenant(database)
  other = await fillTenant(database)
})
after(() => fixture?.stop())

const admin = (text: string, values: unknown[] = []) => database.admin.query(text, values)
const ofOwn = (from: ChangePosition, db: Db = database.engine) => findChanges(db, [own.orgId], from)

const EVENT = `insert into events (id, org_id, type, occurred_at, body)
  values (new_uuid(), $1, 'monitor.updated', now(), $2) returning id`
const bodyOf = (id: string) => JSON.stringify({ data: { monitor: { id } } })

async function connect(): Promise<pg.Client> {
  const url = fixture.postgres.databaseUrl(database.name, 'postgres')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

test('each kind of change is told with what it is about, and told once', async () => {
  const start = await findPosition(database.engine)
  assert.deepEqual((await ofOwn(start)).rows, {
    monitors: [],
    incidents: [],
    receivers: [],
    events: [],
    deeds: [],
  })
  await admin(`update monitor_states set last_response_ms = 42 where monitor_no = $1`, [
    own.monitorNo,
  ])
  await admin(`update incidents set acknowledge_note = acknowledge_note where id = $1`, [
    own.incidentUuid,
  ])
  await admin(`update webhook_endpoints set failing_since = now() where org_id = $1`, [own.orgId])
  await admin(EVENT, [own.orgId, bodyOf('mon_x')])
  await admin(
    `insert into audit_log (id, org_id, at, actor_type, actor_name, action, resource_id)
     values (new_uuid(), $1, now(), 'OPERATOR', 'Test', 'createKey', 'key_x')`,
    [own.orgId],
  )
  await admin(
    `insert into incident_timeline (id, org_id, incident_id, type, at, message)
     values (new_uuid(), $1, $2, 'ALERT_SENT', now(), 'Told')`,
    [own.orgId, own.incidentUuid],
  )
  const { rows, position } = await ofOwn(start)
  const [monitor] = rows.monitors
  assert.deepEqual([monitor?.uuid, monitor?.responseMs], [own.monitorUuid, 42])
  assert.deepEqual(
    rows.incidents.map(({ uuid, monitorUuid }) => [uuid, monitorUuid]),
    [[own.incidentUuid, own.monitorUuid]],
  )
  assert.deepEqual(
    rows.receivers.map(({ kind, failingSince }) => [kind, failingSince !== null]),
    [['ENDPOINT', true]],
  )
  assert.deepEqual(
    rows.events.map(({ type, about }) => [type, about]),
    [['monitor.updated', 'mon_x']],
  )
  assert.deepEqual(rows.deeds.map(({ resourceId }) => resourceId).toSorted(), ['inc_', 'key_x'])
  for (const kind of Object.values((await ofOwn(position)).rows)) assert.deepEqual(kind, [])
})

test('an outage is told with the beginning of its incident, not with the end of the check that found it', async () => {
  const start = await findPosition(database.engine)
  const { rows: incidents } = await admin(
    `update monitor_states set state = 'DOWN', last_status_changed_at = now() where monitor_no = $1
     returning (select started_at from incidents where id = $2) as at`,
    [own.monitorNo, own.incidentUuid],
  )
  const { rows } = await ofOwn(start)
  const { at } = incidents[0] as { at: Date }
  assert.equal(new Date(rows.monitors[0]?.since ?? 0).getTime(), at.getTime())
})

test('what began earlier and ends later is told when it ends', async () => {
  const slow = await connect()
  try {
    const start = await findPosition(database.engine)
    await slow.query('begin')
    const late = await slow.query<{ id: string }>(EVENT, [own.orgId, bodyOf('mon_late')])
    // Ids are ordered by millisecond.
    await delay(2)
    const early = await admin(EVENT, [own.orgId, bodyOf('mon_early')])
    const first = await ofOwn(start)
    assert.deepEqual(
      first.rows.events.map(({ uuid }) => uuid),
      [(early.rows[0] as { id: string }).id],
    )
    assert.ok(first.position.running.length > 0)
    assert.deepEqual((await ofOwn(first.position)).rows.events, [])
    await slow.query('commit')
    const second = await ofOwn(first.position)
    assert.deepEqual(
      second.rows.events.map(({ uuid }) => uuid),
      [late.rows[0]?.id],
    )
    assert.ok((late.rows[0]?.id ?? '') < (early.rows[0] as { id: string }).id)
  } finally {
    await slow.end()
  }
})

test('an organization is told of nothing but its own, and asks for nobody else', async () => {
  const start = await findPosition(database.engine)
  await admin(EVENT, [other.orgId, bodyOf('mon_other')])
  await admin('update monitor_states set last_response_ms = 7 where monitor_no = $1', [
    other.monitorNo,
  ])
  assert.deepEqual((await ofOwn(start)).rows.events, [])
  assert.deepEqual((await ofOwn(start)).rows.monitors, [])
  // As a tenant, even a query for another organization finds nothing.
  const stranger = await findChanges(database.tenants.of(own.orgId), [other.orgId], start)
  assert.deepEqual([stranger.rows.events, stranger.rows.monitors], [[], []])
  const both = await findChanges(database.engine, [own.orgId, other.orgId], start)
  assert.deepEqual(
    both.rows.events.map(({ orgId }) => orgId),
    [other.orgId],
  )
})

test('a crowd is cut off for the organization that has it, and for no other', async () => {
  const start = await findPosition(database.engine)
  await admin(
    `insert into events (id, org_id, type, occurred_at, body)
     select new_uuid(), $1, 'monitor.updated', now(), '{}' from generate_series(1, 1000)`,
    [own.orgId],
  )
  await admin(EVENT, [other.orgId, bodyOf('mon_other')])
  const { rows } = await findChanges(database.engine, [own.orgId, other.orgId], start)
  const count = (orgId: string) => rows.events.filter((row) => row.orgId === orgId).length
  assert.equal(count(own.orgId), MAX_CHANGES.events + 1)
  assert.equal(count(other.orgId), 1)
})

test(`${WRITERS} writers at once: each of their changes is told exactly once`, async () => {
  const told = new Map<string, number>()
  const wanted = new Set<string>()
  let position = await findPosition(database.engine)
  const read = async () => {
    const found = await ofOwn(position)
    position = found.position
    for (const { uuid } of found.rows.events) told.set(uuid, (told.get(uuid) ?? 0) + 1)
  }
  let writing = WRITERS
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    const client = await connect()
    for (let change = 0; change < CHANGES_EACH; change += 1) {
      await client.query('begin')
      const { rows } = await client.query<{ id: string }>(EVENT, [own.orgId, bodyOf('mon_x')])
      await client.query('select pg_sleep($1)', [((change * (writer + 1)) % 7) / 500])
      const isKept = change % 5 !== 0
      await client.query(isKept ? 'commit' : 'rollback')
      if (isKept) wanted.add(rows[0]?.id ?? '')
    }
    await client.end()
    writing -= 1
  })
  const deadlineMs = Date.now() + DEADLINE_MS
  while (writing > 0 && Date.now() < deadlineMs) await read()
  await Promise.all(writers)
  await read()
  assert.deepEqual(new Set(told.keys()), wanted)
  assert.deepEqual([...new Set(told.values())], [1])
})
