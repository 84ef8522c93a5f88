// Which private addresses probes need, in PostgreSQL.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { regionNo } from '../history/results.ts'
import { findPrivateAddresses } from './private-addresses.ts'

let fixture: DbFixture
let database: TestDatabase

before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

type Reached = { address: string; isPrivate?: boolean; passed?: boolean }

/** A monitor of an organization at home in `us`, and where `eu` reached it. */
async function add(orgId: string, url: string, reached?: Reached): Promise<number> {
  const settings = sampleSettings({ type: 'HTTP', url })
  const { no } = await database.tenants.transaction(orgId, (tx) => createMonitor(tx, settings))
  if (reached === undefined) return no
  const { address, isPrivate = true, passed = true } = reached
  await database.admin.query(
    `insert into region_proofs (org_id, monitor_no, region, passed_at, address, port, is_private)
     values ($1, $2, $3, case when $4 then now() end, $5, 443, $6)`,
    [orgId, no, await regionNo(database.engine, 'eu'), passed, address, isPrivate],
  )
  return no
}

async function createOrganization(mayBePrivate: boolean): Promise<string> {
  const orgId = await database.createOrganization()
  await database.admin.query(
    `update organizations set private_targets = $2, home_region = 'us' where id = $1`,
    [orgId, mayBePrivate],
  )
  return orgId
}

test('private addresses: what is written is needed at home, and what a name resolved to where it was reached', async () => {
  const orgId = await createOrganization(true)
  await add(orgId, 'https://10.0.0.1/health')
  await add(orgId, 'http://[fd00::1]:8080/')
  const named = await add(orgId, 'https://intranet.example/', { address: '10.0.0.2' })
  await add(orgId, 'https://ipv6.example/', { address: 'fd00::2' })
  await add(orgId, 'https://failed.example/', { address: '10.0.0.3', passed: false })
  await add(orgId, 'https://public.example/', { address: '11.0.0.4', isPrivate: false })
  await add(orgId, 'https://unknown.example/')
  const other = await createOrganization(false)
  await add(other, 'https://other.example/', { address: '10.0.0.5' })

  const find = () => database.engine.transaction(undefined, findPrivateAddresses)
  const written = [
    { region: 'us', address: '10.0.0.1' },
    { region: 'us', address: 'fd00::1' },
  ]
  const ofIpv6 = { region: 'eu', address: 'fd00::2' }
  assert.deepEqual(await find(), [{ region: 'eu', address: '10.0.0.2' }, ofIpv6, ...written])
  await database.admin.query(
    `update monitor_states set state = 'PAUSED', next_due_at = null where monitor_no = $1`,
    [named],
  )
  assert.deepEqual(await find(), [ofIpv6, ...written])
})
