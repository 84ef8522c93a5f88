// Proofs that overlap: each writer knows only what it read before.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { updateMonitor } from '../../actions/monitors/update.ts'
import type { RegionProof } from '../../domain/regions/reach.ts'
import { regionNo } from '../history/results.ts'
import { writeProofs } from './region-proofs.ts'

const NOW = new Date('2026-11-14T12:00:00.000Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const PASSED: RegionProof = {
  region: 'eu',
  passedAt: ago(60),
  decidedAt: ago(60),
  triedAt: null,
  lostAt: null,
  address: '192.0.2.7',
  port: 443,
  isPrivate: false,
}

let fixture: DbFixture
let database: TestDatabase
let orgId: string
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  orgId = await database.createOrganization()
  await regionNo(database.engine, 'eu')
})
after(() => fixture.stop())

const create = () =>
  database.tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings()))

const write = (monitorNo: number, changes: Partial<RegionProof>, epoch = 0) =>
  database.engine.transaction(undefined, (tx) =>
    writeProofs(tx, [{ monitorNo, epoch, proof: { ...PASSED, ...changes } }]),
  )

type Row = Record<'passed_at' | 'decided_at' | 'tried_at' | 'lost_at', Date | null>
async function read(monitorNo: number): Promise<Row | undefined> {
  const { rows } = await database.admin.query<Row>(
    `select passed_at, decided_at, tried_at, lost_at from region_proofs where monitor_no = $1`,
    [monitorNo],
  )
  return rows[0]
}

test('a try that began before a pass and ends after it takes nothing back', async () => {
  const { no } = await create()
  await write(no, { lostAt: ago(30) })
  await write(no, { passedAt: ago(10), decidedAt: ago(10) })
  // It read the row while the region was lost.
  await write(no, { lostAt: ago(30), triedAt: ago(5) })
  assert.deepEqual(await read(no), {
    passed_at: ago(10),
    decided_at: ago(10),
    tried_at: ago(5),
    lost_at: null,
  })
})

test('a loss after the last pass stays, whoever writes next without knowing of it', async () => {
  const { no } = await create()
  await write(no, {})
  await write(no, { lostAt: ago(10) })
  await write(no, { triedAt: ago(5) })
  assert.deepEqual((await read(no))?.lost_at, ago(10))
})

test('another target starts over, and learns nothing from a try of the old one', async () => {
  const monitor = await create()
  await write(monitor.no, {})
  const patch = { url: 'https://other.example.com/' }
  await database.tenants.transaction(orgId, (tx) => updateMonitor(tx, monitor.uuid, patch))
  assert.equal(await read(monitor.no), undefined)
  await write(monitor.no, {})
  assert.equal(await read(monitor.no), undefined)
  await write(monitor.no, {}, 1)
  assert.deepEqual((await read(monitor.no))?.passed_at, ago(60))
})
