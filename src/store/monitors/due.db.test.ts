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
import { claimShards, registerScheduler } from '../core/leases.ts'
import type { TenantTx } from '../core/tenants.ts'
import { claimMoved, readDueChecks, readShard } from './due.ts'

const OWNER = '019aa000-0000-7000-8000-000000000001'
const OTHER = '019aa000-0000-7000-8000-000000000002'
const MANY = 1000

let fixture: DbFixture
let database: TestDatabase
let orgId: string
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  orgId = await database.createOrganization('FREE')
  for (const id of [OWNER, OTHER]) {
    const scheduler = { id, name: id, region: 'eu', leaseSeconds: 600 }
    await registerScheduler(database.engine, scheduler)
  }
  await claimShards(database.engine, OWNER, 256)
})
after(() => fixture.stop())

const run = <T>(work: (tx: TenantTx) => Promise<T>) => database.tenants.transaction(orgId, work)
const create = () => run((tx) => createMonitor(tx, sampleSettings({ intervalSeconds: 300 })))
const take = async (scheduler = OWNER) =>
  (await claimMoved(database.engine, scheduler, MANY)).map(({ monitorNo }) => monitorNo)

test('a new monitor is told to the owner of its shard, once', async () => {
  const { no, nextDueAt, uuid } = await create()
  assert.deepEqual(await take(OTHER), [])
  const [due, ...more] = await claimMoved(database.engine, OWNER, MANY)
  const shard = Number.parseInt(uuid.slice(-2), 16)
  const grid = { uuid, intervalSeconds: 300 }
  const expected = { monitorNo: no, shard, epoch: 0, dueAt: nextDueAt, type: 'HTTP', ...grid }
  assert.deepEqual([{ ...due }, more], [expected, []])
  assert.deepEqual(await take(), [])
})

test('resumed, retargeted and given another interval: told again; a pause leaves nothing to tell', async () => {
  const { no, uuid } = await create()
  await take()
  await run((tx) => updateMonitor(tx, uuid, { url: 'https://other.example/' }))
  assert.deepEqual(await take(), [no])
  await run((tx) => updateMonitor(tx, uuid, { intervalSeconds: 600 }))
  assert.deepEqual(await take(), [no])
  await run((tx) => pauseMonitor(tx, uuid))
  assert.deepEqual(await take(), [])
  await run((tx) => resumeMonitor(tx, uuid))
  assert.deepEqual(await take(), [no])
})

test('what is being changed just now holds up nobody, and is told afterwards', async () => {
  const [first, second] = [await create(), await create()]
  await database.admin.query('begin')
  await database.admin.query('select from monitor_states where monitor_no = $1 for update', [
    first.no,
  ])
  assert.deepEqual(await take(), [second.no])
  await database.admin.query('commit')
  assert.deepEqual(await take(), [first.no])
})

test('a shard is read page by page: what is due, not faster than the plan allows', async () => {
  const made = await Promise.all(Array.from({ length: 9 }, create))
  const paused = made.at(-1)?.uuid ?? ''
  await run((tx) => pauseMonitor(tx, paused))
  await database.admin.query('update monitor_states set shard = 7')
  await database.admin.query('update monitors set interval_seconds = 30')
  const due = (
    await database.admin.query<{ no: number }>(
      'select monitor_no::int as no from monitor_states where next_due_at is not null order by 1',
    )
  ).rows.map(({ no }) => no)
  const read: number[] = []
  for (let afterNo = 0; ; ) {
    const page = await readShard(database.engine, 7, { afterNo, limit: 4 })
    read.push(...page.map(({ monitorNo }) => monitorNo))
    if (page.length < 4) break
    afterNo = page.at(-1)?.monitorNo ?? 0
  }
  assert.deepEqual(read, due)
  const whole = await readDueChecks(database.engine, read)
  assert.deepEqual(
    new Set(whole.map(({ intervalSeconds }) => intervalSeconds)),
    new Set([300]),
    'FREE checks every five minutes',
  )
})
