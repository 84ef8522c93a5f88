// What a scheduler plans, with a clock the test controls: each slot once, even if its shard, its monitor, or the
// database goes away in between.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Registry } from 'prom-client'
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
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { nextSlotAt } from '../../domain/monitors/schedule.ts'
import { SchedulerMetrics } from '../../platform/metrics/scheduler-metrics.ts'
import { claimShards, registerScheduler } from '../../store/core/leases.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { readStates } from '../../store/monitors/states.ts'
import { DatabaseClock } from '../database-clock.ts'
import { type Planned, Planner } from './planner.ts'

const OWNER = '019aa000-0000-7000-8000-000000000001'
const SHARDS = Array.from({ length: 256 }, (_, i) => i)

let fixture: DbFixture
let database: TestDatabase
let orgId: string
before(async () => {
  fixture = await startDbFixture({ own: true })
})
beforeEach(async () => {
  database = await fixture.openDatabase()
  orgId = await database.createOrganization()
  const scheduler = { id: OWNER, name: 'test', region: 'eu', leaseSeconds: 600 }
  await registerScheduler(database.engine, scheduler)
  await claimShards(database.engine, OWNER, 256)
})
after(() => fixture.stop())

function open(engine = database.engine) {
  const clock = new DatabaseClock()
  const ownership = { schedulerId: OWNER, shards: SHARDS, owned: new Set(SHARDS) }
  const planner = new Planner({
    database: engine,
    secrets: new OrganizationSecrets(database.masterKeys),
    clock,
    metrics: new SchedulerMetrics(new Registry()),
    ownership: { ...ownership, owns: (shard) => ownership.owned.has(shard) },
    waiting: () => 0,
  })
  const setTime = (at: Date) => clock.set(at.getTime(), performance.now(), performance.now())
  /** Plans shortly before, as a running scheduler does, then takes what is due at `at`. */
  const takeAt = async (at: Date): Promise<Planned[]> => {
    setTime(new Date(at.getTime() - 500))
    await planner.plan()
    setTime(at)
    return planner.takeDue(at)
  }
  setTime(new Date())
  return { planner, owned: ownership.owned, setTime, takeAt }
}

const run = <T>(work: (tx: TenantTx) => Promise<T>) => database.tenants.transaction(orgId, work)
const create = () => run((tx) => createMonitor(tx, sampleSettings({ intervalSeconds: 60 })))
const slotsOf = (taken: readonly Planned[]) => taken.map(({ slot, monitor }) => [monitor.no, slot])

type ReadRow = { monitorNo?: number; subscriptionActive?: boolean }

/** The database, where something happens between each query and its reader. */
function afterEachQuery(happen: (rows: ReadRow[]) => void | Promise<void>) {
  const { engine } = database
  return new Proxy(engine, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target).bind(target)
      return async (...args: Parameters<typeof engine.query>) => {
        const rows = await target.query(...args)
        await happen(rows as ReadRow[])
        return rows
      }
    },
  })
}

/** Moves the monitor to its next slot, as if its check had been recorded. */
async function advance({ no, uuid, nextDueAt }: Monitor, from = nextDueAt): Promise<Date> {
  const next = nextSlotAt({ uuid, intervalSeconds: 60 }, from ?? new Date())
  await database.admin.query('update monitor_states set next_due_at = $2 where monitor_no = $1', [
    no,
    next,
  ])
  return next
}

async function stateOf({ no }: Monitor) {
  return (await readStates(database.engine, [no], new Date())).get(no)
}

test('a new monitor is run at once, and its next slot without being read from its shard again', async () => {
  const { planner, takeAt } = open()
  await planner.readShards()
  const monitor = await create()
  const [first, ...more] = await takeAt(new Date())
  assert.deepEqual([first?.slot, first?.monitor.no, more], [monitor.nextDueAt, monitor.no, []])
  assert.ok(first)
  const next = await advance(monitor)
  planner.settle(first, await stateOf(monitor))
  assert.deepEqual(slotsOf(await takeAt(new Date(next.getTime() - 1))), [])
  assert.deepEqual(slotsOf(await takeAt(next)), [[monitor.no, next]])
})

test('a monitor that is due is found with its shard, and is not taken twice', async () => {
  const monitor = await create()
  const { planner, takeAt } = open()
  await planner.readShards()
  assert.equal((await takeAt(new Date())).length, 1)
  await planner.readShards()
  assert.deepEqual(await takeAt(new Date()), [])
  assert.equal(monitor.state, 'PENDING')
})

test('edited while its shard is being read: the edit counts, not what was read before it', async () => {
  const monitor = await run((tx) => createMonitor(tx, sampleSettings({ intervalSeconds: 86_400 })))
  await database.admin.query(
    `update monitor_states set next_due_at = now() + interval '20 hours', due_unread = false where monitor_no = $1`,
    [monitor.no],
  )
  let edit: (() => Promise<void>) | undefined
  const hooked = afterEachQuery(async (rows) => {
    // After the slots of the shard were read, and before they are noted.
    if (!rows.some((row) => row.monitorNo === monitor.no)) return
    const work = edit
    edit = undefined
    await work?.()
  })
  const { planner, takeAt } = open(hooked)
  let next: Date | null | undefined
  edit = async () => {
    const edited = await run((tx) => updateMonitor(tx, monitor.uuid, { intervalSeconds: 60 }))
    next = edited?.after.nextDueAt
    await planner.plan()
  }
  await planner.readShards()
  assert.equal(edit, undefined)
  assert.ok(next)
  assert.deepEqual(slotsOf(await takeAt(next)), [[monitor.no, next]])
})

test('paused before its slot: not run; resumed: run at once', async () => {
  const monitor = await create()
  const next = await advance(monitor)
  const { planner, takeAt } = open()
  await planner.readShards()
  await run((tx) => pauseMonitor(tx, monitor.uuid))
  assert.deepEqual(await takeAt(next), [])
  const resumed = await run((tx) => resumeMonitor(tx, monitor.uuid))
  const [taken] = await takeAt(new Date(Date.now() + 1000))
  assert.deepEqual(taken?.slot, resumed?.nextDueAt)
})

test('retargeted while its slot waits for its millisecond: run in its new form, once', async () => {
  const monitor = await create()
  const next = await advance(monitor)
  const { planner, setTime } = open()
  await planner.readShards()
  setTime(new Date(next.getTime() - 500))
  await planner.plan()
  await run((tx) => updateMonitor(tx, monitor.uuid, { url: 'https://new.example/' }))
  await planner.plan()
  setTime(next)
  const [taken, ...more] = planner.takeDue(next)
  assert.deepEqual([taken?.monitor.url, more], ['https://new.example/', []])
})

test('retargeted while its check is under way: run again as soon as that is recorded', async () => {
  const monitor = await create()
  const { planner, takeAt } = open()
  await planner.readShards()
  const [running] = await takeAt(new Date())
  assert.ok(running)
  const changed = await run((tx) => updateMonitor(tx, monitor.uuid, { url: 'https://b.example/' }))
  assert.deepEqual(await takeAt(new Date()), [])
  planner.settle(running, await stateOf(monitor))
  const [again] = await takeAt(new Date(Date.now() + 1000))
  assert.deepEqual([again?.slot, again?.monitor.epoch], [changed?.after.nextDueAt, 1])
})

test('a lost shard: its slot is no longer ours, neither waiting nor under way', async () => {
  const monitor = await create()
  const { planner, owned, takeAt } = open()
  await planner.readShards()
  const [running] = await takeAt(new Date())
  assert.ok(running)
  owned.clear()
  planner.forget(SHARDS)
  assert.equal(planner.holds(running), false)
  planner.settle(running, await stateOf(monitor))
  await planner.readShards()
  assert.deepEqual(await takeAt(new Date(Date.now() + 120_000)), [])
})

test('the database is away when a slot comes near: it is run when it is back', async () => {
  const monitor = await create()
  const next = await advance(monitor)
  const { planner, takeAt, setTime } = open()
  await planner.readShards()
  setTime(new Date(next.getTime() - 900))
  // Removes what each step of planning reads: changes made elsewhere, and the monitor itself.
  for (const table of ['shards', 'subscriptions']) {
    await database.admin.query(`alter table ${table} rename to away`)
    await assert.rejects(planner.plan())
    await database.admin.query(`alter table away rename to ${table}`)
  }
  assert.deepEqual(slotsOf(await takeAt(next)), [[monitor.no, next]])
})

test('many slots come near while the database is away: none of them is left behind', async () => {
  const monitors = await Promise.all(Array.from({ length: 120 }, create))
  const next = new Date(Date.now() + 60_000)
  await database.admin.query('update monitor_states set next_due_at = $1', [next])
  const { planner, takeAt, setTime } = open()
  await planner.readShards()
  setTime(new Date(next.getTime() - 900))
  await database.admin.query('alter table subscriptions rename to away')
  await assert.rejects(planner.plan())
  await database.admin.query('alter table away rename to subscriptions')
  assert.equal((await takeAt(next)).length, monitors.length)
})

test('after an outage the newest slot is run once and the others are a range', async () => {
  const monitor = await create()
  const first = await advance(monitor)
  const { planner, takeAt } = open()
  const back = new Date(first.getTime() + 10 * 60_000 + 20_000)
  await takeAt(back)
  await planner.readShards()
  const taken: Planned[] = []
  for (let second = 1; second <= 45; second++)
    taken.push(...(await takeAt(new Date(back.getTime() + second * 1000))))
  const [one, ...more] = taken
  assert.ok(one && more.length === 0)
  assert.deepEqual(one.missed?.fromSlot, first)
  assert.deepEqual(one.missed?.toSlot, new Date(one.slot.getTime() - 60_000))
  assert.equal(one.missed?.reason, 'ENGINE_DOWN')
})

test('a check without a result is repeated then, as it is by then, and counts', async () => {
  const monitor = await create()
  const next = await advance(monitor)
  const { planner, takeAt } = open()
  await planner.readShards()
  const [first] = await takeAt(next)
  assert.ok(first)
  const again = new Date(next.getTime() + 5000)
  planner.repeat(first, again)
  assert.equal(planner.holds(first), false)
  assert.deepEqual(await takeAt(new Date(again.getTime() - 1)), [])
  const [second, ...more] = await takeAt(again)
  assert.deepEqual([second?.slot, second?.repeats, second?.missed, more], [next, 1, undefined, []])
  assert.ok(second)
  // Its next slot has come in the meantime.
  const late = new Date(next.getTime() + 61_000)
  planner.repeat(second, late)
  const [third] = await takeAt(late)
  const [run, missed] = [
    new Date(next.getTime() + 60_000),
    { fromSlot: next, toSlot: next, count: 1 },
  ]
  assert.deepEqual([third?.slot, third?.repeats], [run, 2])
  assert.deepEqual(third?.missed, { ...missed, reason: 'ENGINE_DOWN' })
})

test('overdue when its monitor has been read: run at once, without being read again', async () => {
  const monitor = await create()
  const next = await advance(monitor)
  // Past its next slot too, which then runs in its place.
  const late = new Date(next.getTime() + 68_000)
  let reads = 0
  const slow = afterEachQuery((rows) => {
    if (!rows.some(({ subscriptionActive }) => subscriptionActive)) return
    reads += 1
    setTime(late)
  })
  const { planner, setTime } = open(slow)
  await planner.readShards()
  setTime(new Date(next.getTime() - 500))
  await planner.plan()
  const taken = planner.takeDue(late)
  const newest = new Date(next.getTime() + 60_000)
  assert.deepEqual([slotsOf(taken), reads], [[[monitor.no, newest]], 1])
  assert.deepEqual(taken[0]?.missed?.fromSlot, next)
})

test('without a subscription the slot is written off and the schedule goes on', async () => {
  const monitor = await create()
  const next = await advance(monitor)
  await database.admin.query(`update subscriptions set status = 'CANCELED' where org_id = $1`, [
    orgId,
  ])
  const { planner, takeAt } = open()
  await planner.readShards()
  assert.deepEqual(await takeAt(next), [])
  const { rows } = await database.admin.query('select from_slot, reason from missed')
  assert.deepEqual(rows, [{ from_slot: next, reason: 'SUBSCRIPTION' }])
  await database.admin.query(`update subscriptions set status = 'ACTIVE' where org_id = $1`, [
    orgId,
  ])
  const after = new Date(next.getTime() + 60_000)
  assert.deepEqual(slotsOf(await takeAt(after)), [[monitor.no, after]])
})

test('a shard that is lost and taken again while it is read is read again', async () => {
  const monitor = await create()
  await advance(monitor, new Date(Date.now() + 600_000))
  // More than two pages of the same shard.
  await database.admin.query('set session_replication_role = replica')
  await database.admin.query(
    `insert into monitors overriding system value
     select (jsonb_populate_record(m, jsonb_build_object('no', 1000000 + n, 'id', gen_random_uuid()))).*
       from monitors m, generate_series(1, 4500) n`,
  )
  await database.admin.query(
    `insert into monitor_states select (jsonb_populate_record(s, jsonb_build_object('monitor_no', 1000000 + n))).*
       from monitor_states s, generate_series(1, 4500) n`,
  )
  await database.admin.query('reset session_replication_role')
  const { planner } = open()
  const reading = planner.readShards()
  while (planner.size === 0) await nextTurn()
  planner.forget(SHARDS)
  await reading
  assert.ok(planner.size < 4501)
  await planner.readShards()
  assert.equal(planner.size, 4501)
})

test('large shards are compared over several rounds, a bounded number of slots each', async () => {
  const monitor = await create()
  const next = await advance(monitor, new Date(Date.now() + 60_000))
  // Copies of its row in one shard, after which the next shards are compared.
  await database.admin.query('set session_replication_role = replica')
  await database.admin.query(
    `insert into monitor_states (monitor_no, org_id, shard, state, next_due_at)
     select 1000000 + n, org_id, 0, 'UP', now() + interval '1 day' from monitor_states, generate_series(1, 2500) n
      where monitor_no = $1`,
    [monitor.no],
  )
  await database.admin.query('reset session_replication_role')
  const { planner, takeAt } = open()
  await planner.readShards()
  const sooner = new Date(next.getTime() - 30_000)
  await database.admin.query('update monitor_states set next_due_at = $2 where monitor_no = $1', [
    monitor.no,
    sooner,
  ])
  for (let round = 0; round < 243; round++) await planner.readShards()
  assert.deepEqual(slotsOf(await takeAt(sooner)), [[monitor.no, sooner]])
})

test('a slot that somebody moved without a word is found by comparing', async () => {
  const monitor = await create()
  const next = await advance(monitor, new Date(Date.now() + 60_000))
  const { planner, takeAt } = open()
  await planner.readShards()
  const sooner = new Date(next.getTime() - 30_000)
  await database.admin.query('update monitor_states set next_due_at = $2 where monitor_no = $1', [
    monitor.no,
    sooner,
  ])
  for (let round = 0; round < 240; round++) await planner.readShards()
  assert.deepEqual(slotsOf(await takeAt(sooner)), [[monitor.no, sooner]])
})
