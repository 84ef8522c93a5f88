// Pending results belong to the lease they were run under. Once it is lost, the new owner of the shard runs the slot or
// writes it off, so recording a late result would record the slot twice.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { openLog } from '../../platform/observability/log.ts'
import { type Lease, registerScheduler } from '../../store/core/leases.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { type DueMonitor, loadDueMonitors } from '../../store/monitors/due.ts'
import { type FinishedCheck, NO_OBSERVATION } from '../probing/run-check.ts'
import { Applier } from './applier.ts'
import { toResultWrite } from './result-write.ts'

const MANY = 1100

let fixture: DbFixture
let database: TestDatabase
let secrets: OrganizationSecrets
let orgId: string
let lease: Lease
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  secrets = new OrganizationSecrets(database.masterKeys)
  orgId = await database.createOrganization()
  lease = await takeLease()
})
after(() => fixture.stop())

const takeLease = () =>
  registerScheduler(database.engine, {
    id: randomUUID(),
    name: 'test',
    region: 'eu',
    leaseSeconds: 600,
  })

function open() {
  const held: { lease: Lease | undefined } = { lease }
  const batches: number[] = []
  let lost = 0
  const applier = new Applier({
    database: database.engine,
    secrets,
    log: openLog('silent').log,
    lease: () => held.lease,
    onLeaseLost: async () => void (lost += 1),
    onApplied: ({ results }) => void batches.push(results),
  })
  return { applier, held, batches, lost: () => lost }
}

async function create(count: number): Promise<DueMonitor[]> {
  const { no, uuid } = await database.tenants.transaction(orgId, (tx) =>
    createMonitor(tx, sampleSettings({ name: `Copied ${performance.now()}` })),
  )
  // Copies it in one statement.
  const columns = (
    await database.admin.query<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = 'monitors'::regclass and attnum > 0 and attname not in ('no', 'id')`,
    )
  ).rows.map(({ name }) => name)
  const { rows } = await database.admin.query<{ no: string }>(
    `insert into monitors (id, ${columns}) select gen_random_uuid(), ${columns}
       from monitors, generate_series(2, $2::integer) where id = $1 returning no`,
    [uuid, count],
  )
  await database.admin.query(
    `insert into monitor_states (monitor_no, org_id, shard, state, next_due_at)
     select m.no, m.org_id, 1, s.state, s.next_due_at from monitor_states s, monitors m
      where s.monitor_no = $1 and m.no = any ($2)`,
    [no, rows.map((row) => row.no)],
  )
  return loadDueMonitors(database.engine, secrets, [no, ...rows.map((row) => Number(row.no))])
}

const NUMBERS = new Map([
  ['eu', 1],
  ['us', 2],
  ['ap', 3],
])

function resultWriteOf(monitor: DueMonitor, httpStatus = 200, regions?: FinishedCheck['regions']) {
  const slot = monitor.nextDueAt ?? new Date()
  const observation = { ...NO_OBSERVATION, responseMs: 12, httpStatus }
  const place = { region: null, home: undefined, base: undefined, isPrivate: false, findings: [] }
  const times = { beganAt: slot, endedAt: slot, ...place }
  const outcome = { result: 'OK', responseMs: 12, sampled: true } as const
  const { domainExpiresAt: _, ...shown } = observation
  const about = { checkedAt: slot, location: 'eu', outcome: 'OK', attempts: [] } as const
  const evidence = { ...shown, ...about, resolvedIp: null, timings: null, bodyExcerpt: null }
  const said = { outcome, observation, evidence: () => evidence }
  const check: FinishedCheck = { ...times, ...said, ...(regions && { regions }) }
  return toResultWrite(monitor, check, { kind: 'SCHEDULED', slot, numbers: NUMBERS })
}

async function verdicts(monitors: readonly DueMonitor[]): Promise<number[]> {
  const { rows } = await database.admin.query<{ verdict: number }>(
    'select verdict from results where monitor_no = any ($1) order by monitor_no',
    [monitors.map(({ no }) => no)],
  )
  return rows.map(({ verdict }) => verdict)
}

test('one result that cannot be stored is written down as undecided; the others are as they are', async () => {
  const monitors = await create(5)
  const { applier } = open()
  const after = await Promise.all(
    monitors.map((monitor, i) => applier.record(resultWriteOf(monitor, i === 2 ? 70_000 : 200))),
  )
  assert.deepEqual(await verdicts(monitors), [0, 0, 3, 0, 0])
  assert.deepEqual(
    after.map((monitor) => monitor?.state),
    ['UP', 'UP', 'PENDING', 'UP', 'UP'],
  )
})

test('more than one batch: all are recorded, each once, and drained means all of them', async () => {
  const monitors = await create(MANY)
  const { applier, batches } = open()
  const recorded = monitors.map((monitor) => applier.record(resultWriteOf(monitor)))
  await applier.drained()
  assert.deepEqual(await verdicts(monitors), Array(MANY).fill(0))
  assert.deepEqual(
    batches.toSorted((a, b) => b - a),
    [500, 500, 100],
  )
  assert.ok((await Promise.all(recorded)).every((monitor) => monitor?.state === 'UP'))
})

test('without a lease nothing is recorded, and the owner hears of it', async () => {
  const monitors = await create(3)
  const { applier, held, lost } = open()
  held.lease = undefined
  const after = await Promise.all(monitors.map((one) => applier.record(resultWriteOf(one))))
  assert.deepEqual([after, lost()], [[undefined, undefined, undefined], 1])
  assert.deepEqual(await verdicts(monitors), [])
})

test('a result whose lease was lost while it waited is not recorded under the next one', async () => {
  const [lost, kept] = await create(2)
  assert.ok(lost && kept)
  const { applier, held } = open()
  const next = await takeLease()
  const before = applier.record(resultWriteOf(lost))
  held.lease = next
  const after = applier.record(resultWriteOf(kept))
  assert.equal(await before, undefined)
  assert.equal((await after)?.state, 'UP')
  assert.deepEqual([await verdicts([lost]), await verdicts([kept])], [[], [0]])
})

test('many results are settled in groups, and the event loop has a turn in between', async () => {
  const monitors = await create(300)
  const { applier, batches } = open()
  let settled = 0
  let mostInATurn = 0
  let isOver = false
  const turn = () => {
    mostInATurn = Math.max(mostInATurn, settled)
    settled = 0
    if (!isOver) setImmediate(turn)
  }
  turn()
  const recorded = monitors.map((one) =>
    applier.record(resultWriteOf(one)).then(() => {
      settled += 1
    }),
  )
  await Promise.all(recorded)
  isOver = true
  assert.deepEqual(batches, [300])
  assert.ok(mostInATurn > 0 && mostInATurn <= 50, `${mostInATurn} at once`)
})

const regionRow = (region: string, outcome: 'OK' | 'FAILED' | 'NONE', httpStatus = 200) => ({
  region,
  outcome,
  hasPassed: true,
  observation: { ...NO_OBSERVATION, responseMs: 12, httpStatus },
})

async function regionRows(monitors: readonly DueMonitor[]): Promise<string[]> {
  const { rows } = await database.admin.query<{ line: string }>(
    `select o.region || ' ' || o.verdict as line
       from region_results o join results r on r.monitor_no = o.monitor_no and r.slot = o.slot
      where o.monitor_no = any ($1) order by o.monitor_no, o.slot, o.region`,
    [monitors.map(({ no }) => no)],
  )
  return rows.map(({ line }) => line)
}

test('what regions found is written with their result, and once, however often it is recorded', async () => {
  const [monitor] = await create(1)
  assert.ok(monitor)
  const { applier } = open()
  const found = [regionRow('eu', 'OK'), regionRow('us', 'FAILED'), regionRow('ap', 'NONE')]
  const first = resultWriteOf(monitor, 200, found)
  // Locked, because its state changes.
  assert.equal((await applier.record(first))?.state, 'UP')
  assert.deepEqual(await regionRows([monitor]), ['1 0', '2 2', '3 3'])
  // The slot ran twice, and other regions answered.
  const again = [regionRow('eu', 'FAILED'), regionRow('us', 'OK')]
  await applier.record(resultWriteOf(monitor, 200, again))
  assert.deepEqual(await regionRows([monitor]), ['1 0', '2 2', '3 3'])
  // The next slot changes only the latest values.
  const [next] = await loadDueMonitors(database.engine, secrets, [monitor.no])
  assert.ok(next)
  await applier.record(resultWriteOf(next, 200, again))
  assert.deepEqual(await regionRows([monitor]), ['1 0', '2 2', '3 3', '1 2', '2 0'])
  assert.deepEqual(await verdicts([monitor]), [0, 0])
})

test('a result whose regions cannot be stored is written down as undecided, without them', async () => {
  const monitors = (await create(2)).toSorted((a, b) => a.no - b.no)
  const { applier } = open()
  const wrong = [regionRow('eu', 'OK', 70_000)]
  await Promise.all(
    monitors.map((monitor, i) =>
      applier.record(resultWriteOf(monitor, 200, i === 0 ? wrong : [regionRow('us', 'OK')])),
    ),
  )
  assert.deepEqual(await verdicts(monitors), [3, 0])
  assert.deepEqual(await regionRows(monitors), ['2 0'])
})

test('without a lease no region has a row', async () => {
  const monitors = await create(1)
  const { applier, held } = open()
  held.lease = undefined
  await Promise.all(
    monitors.map((one) => applier.record(resultWriteOf(one, 200, [regionRow('eu', 'OK')]))),
  )
  assert.deepEqual(await regionRows(monitors), [])
})
