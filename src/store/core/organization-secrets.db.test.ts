import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  newMasterKeys,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { rotateKeys } from '../../operator/rotate-keys.ts'
import type { MasterKeys } from '../../platform/crypto/encryption.ts'
import { findMonitor } from '../monitors/monitors.ts'
import { OrganizationSecrets } from './organization-secrets.ts'
import { Tenants } from './tenants.ts'

const ORGANIZATIONS = 250
const READERS = 4
type Kept = { orgId: string; uuid: string; secret: string }

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('rotate-keys under load: no read fails, and afterwards the old master key is not needed', async (t) => {
  const database = await fixture.openDatabase()
  const kept = await keepSecrets(database)
  const old = database.masterKeys
  const fresh = newMasterKeys('second')
  const both: MasterKeys = { current: 'second', byId: new Map([...fresh.byId, ...old.byId]) }

  let rotating = true
  const readers = Array.from({ length: READERS }, async () => {
    let reads = 0
    // At least one full round after the last key was rewrapped.
    for (let last = false; !last; ) {
      last = !rotating
      reads += await readAll(database, both, kept)
    }
    return reads
  })
  const { rotated } = await rotateKeys(database.engine, new OrganizationSecrets(both))
  rotating = false
  const reads = (await Promise.all(readers)).reduce((sum, count) => sum + count, 0)
  t.diagnostic(`${rotated} keys wrapped anew during ${reads} reads`)

  assert.equal(rotated, ORGANIZATIONS)
  assert.equal(await readAll(database, fresh, kept), ORGANIZATIONS)
  await assert.rejects(readAll(database, old, kept), /Master key "second" is not configured/)
  assert.deepEqual(await rotateKeys(database.engine, new OrganizationSecrets(both)), { rotated: 0 })
})

test('two rotations at once wrap each key, and every secret still opens', async () => {
  const database = await fixture.openDatabase()
  const kept = await keepSecrets(database)
  const fresh = newMasterKeys('second')
  const both = { current: 'second', byId: new Map([...fresh.byId, ...database.masterKeys.byId]) }
  await Promise.all([
    rotateKeys(database.engine, new OrganizationSecrets(both)),
    rotateKeys(database.engine, new OrganizationSecrets(both)),
  ])
  assert.equal(await readAll(database, fresh, kept), ORGANIZATIONS)
})

test("one organization's sealed value does not open for another, nor in another place", async () => {
  const database = await fixture.openDatabase()
  const [a, b] = [await database.createOrganization(), await database.createOrganization()]
  const place = { table: 'monitors', row: 'x', column: 'request_body' }
  const [ours, theirs] = await Promise.all([a, b].map((org) => database.tenants.of(org).cipher()))
  assert.ok(ours && theirs)
  const value = ours.seal(place, 'secret')
  assert.equal(ours.unseal(place, value), 'secret')
  assert.throws(() => theirs.unseal(place, value))
  for (const changed of [{ table: 'events' }, { row: 'y' }, { column: 'request_headers' }])
    assert.throws(() => ours.unseal({ ...place, ...changed }, value))
})

test('a list of master keys that is wrong, or lost one, is noticed', async () => {
  const database = await fixture.openDatabase()
  await database.createOrganization()
  const closed = (keys: MasterKeys) =>
    new OrganizationSecrets(keys).findUndecryptable(database.engine)
  const { current } = database.masterKeys
  assert.equal(await closed(database.masterKeys), undefined)
  assert.equal(await closed(newMasterKeys('second')), current)
  assert.equal(await closed(newMasterKeys(current)), current)
})

async function keepSecrets(database: TestDatabase): Promise<Kept[]> {
  const kept: Kept[] = []
  for (let index = 0; index < ORGANIZATIONS; index++) {
    const orgId = await database.createOrganization()
    const secret = `secret ${index}`
    const given = sampleSettings({ requestBody: secret })
    const { uuid } = await database.tenants.transaction(orgId, (tx) => createMonitor(tx, given))
    kept.push({ orgId, uuid, secret })
  }
  return kept
}

/** Like a process that has just started, with no key in memory. Returns how many secrets were read. */
async function readAll(database: TestDatabase, keys: MasterKeys, kept: Kept[]): Promise<number> {
  const tenants = new Tenants(database.app, new OrganizationSecrets(keys))
  for (const { orgId, uuid, secret } of kept) {
    const monitor = await findMonitor(tenants.of(orgId), uuid)
    assert.equal(monitor?.requestBody, secret)
  }
  return kept.length
}
