import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant } from '../../../test/db-kit/fill-tenant.ts'
import { openLog } from '../../platform/observability/log.ts'
import { eraseDue } from './erase-due.ts'
import { ErasureStopped } from './erase-organization.ts'

const { log } = openLog('silent')

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const erase = (database: TestDatabase, stopping = () => false) =>
  eraseDue({ database: database.engine, log }, stopping)

async function deleteIn(database: TestDatabase, orgId: string, interval: string): Promise<void> {
  await database.admin.query(
    `update organizations set deleted_at = now() - interval '7 days', erase_at = now() + $2::interval where id = $1`,
    [orgId, interval],
  )
}

async function countRows(database: TestDatabase, orgId: string): Promise<Record<string, number>> {
  const tables = await database.admin.query<{ name: string; key: string }>(
    `select c.relname as name, case c.relname when 'organizations' then 'id' else 'org_id' end as key from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (c.relname = 'organizations' or exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id'))`,
  )
  const counts: Record<string, number> = {}
  for (const { name, key } of tables.rows) {
    const text = `select count(*)::int as n from ${name} where ${key} = $1`
    const { rows } = await database.admin.query<{ n: number }>(text, [orgId])
    if (rows[0]?.n) counts[name] = rows[0].n
  }
  return counts
}

test('erased when its days are over, and not a moment before; others are untouched', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  const { orgId: otherId } = await fillTenant(database)
  const others = await countRows(database, otherId)
  await deleteIn(database, orgId, '1 minute')
  assert.equal(await erase(database), 0)
  assert.ok(Object.keys(await countRows(database, orgId)).length > 25)
  await deleteIn(database, orgId, '0')
  assert.equal(await erase(database), 1)
  assert.deepEqual(await countRows(database, orgId), {})
  assert.deepEqual(await countRows(database, otherId), others)
  const { rows } = await database.admin.query(
    'select operator, action from operator_log where organization_id = $1',
    [orgId],
  )
  assert.deepEqual(rows, [{ operator: 'janitor', action: 'org delete' }])
  assert.equal(await erase(database), 0)
})

test('an organization that the operator is deleting is left to the command', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  await database.admin.query('update organizations set deleted_at = now() where id = $1', [orgId])
  assert.equal(await erase(database), 0)
})

test('a stop ends it between two batches, it cannot be undone, and the next round goes on', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  await deleteIn(database, orgId, '0')
  let batches = 0
  await assert.rejects(
    erase(database, () => {
      batches += 1
      return batches > 5
    }),
    ErasureStopped,
  )
  const { rows } = await database.admin.query<{ is_begun: boolean }>(
    `select erase_at = 'epoch' as is_begun from organizations where id = $1`,
    [orgId],
  )
  assert.equal(rows[0]?.is_begun, true)
  assert.equal(await erase(database), 1)
  assert.deepEqual(await countRows(database, orgId), {})
})

test('an undo that commits first wins', async () => {
  const database = await fixture.openDatabase()
  const { orgId } = await fillTenant(database)
  await deleteIn(database, orgId, '0')
  const before = await countRows(database, orgId)
  await database.admin.query('begin')
  await database.admin.query(
    'update organizations set deleted_at = null, erase_at = null where id = $1',
    [orgId],
  )
  const erasing = erase(database)
  await waitForBlocked(database)
  await database.admin.query('commit')
  assert.equal(await erasing, 0)
  assert.deepEqual(await countRows(database, orgId), before)
})

async function waitForBlocked(database: TestDatabase): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const { rows } = await database.admin.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    if ((rows[0]?.n ?? 0) > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail('The erasure did not wait for the undo')
}
