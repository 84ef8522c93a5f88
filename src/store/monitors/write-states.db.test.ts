import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { pauseMonitor } from '../../actions/monitors/pause.ts'
import { resumeMonitor } from '../../actions/monitors/resume.ts'
import { updateMonitor } from '../../actions/monitors/update.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import type { TenantTx } from '../core/tenants.ts'
import { findMonitorListItems } from '../views/monitor-list.ts'
import { type EngineMonitor, lockStates } from './states.ts'
import { writeStates } from './write-states.ts'

let fixture: DbFixture
let database: TestDatabase
let orgId: string
before(async () => {
  fixture = await startDbFixture({ own: true })
  database = await fixture.openDatabase()
  orgId = await database.createOrganization()
})
after(() => fixture.stop())

const run = <T>(work: (tx: TenantTx) => Promise<T>) => database.tenants.transaction(orgId, work)
const create = (changes: Partial<MonitorSettings> = {}) =>
  run((tx) => createMonitor(tx, sampleSettings({ type: 'SSL', url: 'shop.example', ...changes })))

/** Writes what has changed, as a check would. */
async function write(nos: readonly number[], changes: Partial<EngineMonitor>) {
  return database.engine.transaction(undefined, async (tx) => {
    const monitors = [...(await lockStates(tx, nos, tx.now)).values()]
    const writes = monitors.map((monitor) => ({
      before: monitor,
      after: { ...monitor, ...changes },
      notifiesOwner: false,
    }))
    return writeStates(tx, writes)
  })
}

async function issuerOf(no: number): Promise<string | null | undefined> {
  const { rows } = await database.admin.query<{ issuer: string | null }>(
    'select issuer from monitor_states where monitor_no = $1',
    [no],
  )
  return rows[0]?.issuer
}

test('an issuer is written although nothing else has changed, and read again as it was', async () => {
  const { no } = await create()
  assert.equal(await issuerOf(no), null)
  for (const issuer of ["Let's Encrypt", '<b>{"Acme", NULL}</b> \\', '😀'.repeat(120)]) {
    assert.ok(await write([no], { issuer }))
    assert.equal(await issuerOf(no), issuer)
    const known = await database.engine.transaction(undefined, (tx) => lockStates(tx, [no], tx.now))
    assert.equal(known.get(no)?.issuer, issuer)
    const [shown] = await findMonitorListItems(database.tenants.of(orgId), [no])
    assert.equal(shown?.issuer, issuer)
  }
})

test('writes of other values keep the issuer of each monitor', async () => {
  const [first, second] = [await create(), await create()]
  await write([first.no], { issuer: 'One' })
  await write([second.no], { issuer: 'Two' })
  const both = [first.no, second.no]
  assert.ok(await write(both, { lastResponseMs: 12 }), 'only the latest values')
  assert.ok(await write(both, { state: 'UP', certExpiresAt: new Date() }), 'the whole row')
  assert.deepEqual(await Promise.all(both.map(issuerOf)), ['One', 'Two'])
})

test('the database refuses an issuer of more than 120 characters', async () => {
  const { no } = await create()
  await assert.rejects(write([no], { issuer: 'x'.repeat(121) }), { code: '23514' })
  assert.equal(await issuerOf(no), null)
})

test('a new target or type clears the issuer; a pause and other settings keep it', async () => {
  // biome-ignore format: a table is read by its columns
  const rows: [patch: Partial<MonitorSettings>, isKept: boolean][] = [
    [{ name: 'Other' },                                true],
    [{ intervalSeconds: 600 },                         true],
    [{ verifySsl: false },                             true],
    [{ sslExpiryThresholdDays: 30 },                   true],
    [{ url: 'other.example' },                         false],
    [{ type: 'DOMAIN' },                               false],
    [{ type: 'HTTP', url: 'https://shop.example/' },   false],
  ]
  for (const [patch, isKept] of rows) {
    const { no, uuid } = await create()
    await write([no], { issuer: "Let's Encrypt" })
    await run((tx) => updateMonitor(tx, uuid, patch))
    assert.equal(await issuerOf(no), isKept ? "Let's Encrypt" : null, JSON.stringify(patch))
  }
  const { no, uuid } = await create()
  await write([no], { issuer: "Let's Encrypt" })
  await run((tx) => pauseMonitor(tx, uuid))
  await run((tx) => resumeMonitor(tx, uuid))
  assert.equal(await issuerOf(no), "Let's Encrypt")
})
