import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant } from '../../../test/db-kit/fill-tenant.ts'
import { findNeededRegions } from './self-watch.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const settle = (database: TestDatabase, orgId: string, region: string) =>
  database.admin.query('update organizations set home_region = $2 where id = $1', [orgId, region])

test('regions are needed by monitors that are checked from them', async () => {
  const database = await fixture.openDatabase()
  const needed = async () => (await findNeededRegions(database.engine)).toSorted()
  const { orgId } = await fillTenant(database)
  assert.deepEqual(await needed(), [null], 'of an organization without a home')
  await settle(database, orgId, 'eu-west')
  assert.deepEqual(await needed(), ['eu-west'])
  const { orgId: otherId } = await fillTenant(database)
  await settle(database, otherId, 'eu-west')
  assert.deepEqual(await needed(), ['eu-west'], 'once')
  await settle(database, otherId, 'us-east')
  assert.deepEqual(await needed(), ['eu-west', 'us-east'])

  await database.admin.query('update organizations set deleted_at = now() where id = $1', [otherId])
  assert.deepEqual(await needed(), ['eu-west'], 'not by a deleted organization')
  await database.admin.query(`update monitor_states set state = 'PAUSED', next_due_at = null`)
  assert.deepEqual(await needed(), [], 'not by a paused monitor')
})
