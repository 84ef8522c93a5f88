// The counter of stored responses is exact whoever writes or deletes them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant } from '../../../test/db-kit/fill-tenant.ts'
import { eraseOrganization } from '../../engine/janitor/erase-organization.ts'
import { deleteExpiredResponses } from '../history/retention.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const store = (database: TestDatabase, orgId: string, key: string, bytes: number) =>
  database.admin.query(
    `insert into idempotency_records (org_id, key, fingerprint, status, body, expires_at)
     values ($1, $2, sha256('x'), 200, convert_to(repeat('x', $3), 'UTF8'), now() + interval '1 day')
     on conflict (org_id, key) do update set body = excluded.body, status = 200, token = null`,
    [orgId, key, bytes],
  )

async function assertExact(database: TestDatabase): Promise<number[]> {
  const { rows } = await database.admin.query<{ counted: number; actual: number }>(
    `select coalesce(u.bytes, 0)::float8 as counted,
            (select coalesce(sum(stored_response_bytes(key, body, location)), 0)::float8
               from idempotency_records r where r.org_id = o.id) as actual
       from organizations o left join stored_response_usage u on u.org_id = o.id order by o.id`,
  )
  for (const { counted, actual } of rows) assert.equal(counted, actual)
  return rows.map(({ counted }) => counted)
}

test('stored, replaced, reserved, released, expired: exact for each organization', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  const { orgId: otherId } = await fillTenant(database)
  await assertExact(database)
  for (let at = 0; at < 20; at++)
    await store(database, at % 2 ? orgId : otherId, `k${at}`, at * 999)
  const [first = 0] = await assertExact(database)
  assert.ok(first > 90_000)
  await store(database, orgId, 'k1', 500_000)
  await database.admin.query(
    `insert into idempotency_records (org_id, key, fingerprint, token, expires_at)
     values ($1, 'reserved', sha256('x'), gen_random_uuid(), now() + interval '1 minute')`,
    [orgId],
  )
  await assertExact(database)
  await database.admin.query(`delete from idempotency_records where key in ('reserved', 'k2')`)
  await assertExact(database)
  await database.admin.query(
    `update idempotency_records set expires_at = now() - interval '1 second' where key like 'k%'`,
  )
  await assertExact(database)
  assert.ok((await deleteExpiredResponses(database.engine, 5)) === 5)
  await assertExact(database)
  await deleteExpiredResponses(database.engine, 5_000)
  assert.deepEqual(await assertExact(database), [0, 0])
})

test('a reservation counts as much as the longest response of a check', async () => {
  const database = await fixture.openDatabase()
  const { rows } = await database.admin.query<{ reserved: number; stored: number }>(
    `select stored_response_bytes('k', null, null)::float8 as reserved,
            stored_response_bytes('k', convert_to(repeat('x', 3800), 'UTF8'), null)::float8 as stored`,
  )
  assert.ok((rows[0]?.reserved ?? 0) > (rows[0]?.stored ?? 0))
})

test('the counter goes with its organization, and nothing is left', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  await fillTenant(database)
  await store(database, orgId, 'large', 100_000)
  await eraseOrganization(database.engine, orgId, { operator: 'test' })
  const { rows } = await database.admin.query(
    'select 1 from stored_response_usage where org_id = $1',
    [orgId],
  )
  assert.equal(rows.length, 0)
  assert.equal((await assertExact(database)).length, 1)
})

test('deleting by two at once, and storing meanwhile, neither waits forever nor loses a byte', async () => {
  const database = await fixture.openDatabase()
  const organizations = [await fillTenant(database), await fillTenant(database)].map(
    (one) => one.orgId,
  )
  await database.admin.query(
    `insert into idempotency_records (org_id, key, fingerprint, status, body, expires_at)
     select o, 'old' || n, sha256('x'), 200, '\\x00', now() - interval '1 second'
       from unnest($1::uuid[]) o, generate_series(1, 2000) n`,
    [organizations],
  )
  const sweep = async () => {
    while ((await deleteExpiredResponses(database.engine, 100)) > 0);
  }
  const storing = (async () => {
    for (let at = 0; at < 100; at++)
      await store(database, organizations[at % 2] ?? '', `new${at}`, at * 100)
  })()
  await Promise.all([sweep(), sweep(), storing])
  const counted = await assertExact(database)
  assert.ok(counted.every((bytes) => bytes > 200_000))
})
