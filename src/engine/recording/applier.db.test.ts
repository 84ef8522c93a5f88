// What waits to be recorded belongs to the lease it was run under. When that is lost, whoever has the shard
// now runs the slot or writes it off, and a result that came after all would put it on record twice.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type DbBench, startDbBench, type TestDatabase } from '../../../test/db-kit/db-bench.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { openLog } from '../../platform/observability/log.ts'
import { type Lease, registerScheduler } from '../../store/core/leases.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { loadSubjects, type Subject } from '../../store/monitors/due.ts'
import { type FinishedCheck, NOTHING_SEEN } from '../probing/run-check.ts'
import { Applier } from './applier.ts'
import { checkRecording } from './recording.ts'

const MANY = 1100

let bench: DbBench
let database: TestDatabase
let secrets: OrganizationSecrets
let orgId: string
let lease: Lease
before(async () => {
  bench = await startDbBench()
  database = await bench.openDatabase()
  secrets = new OrganizationSecrets(database.masterKeys)
  orgId = await database.createOrganization()
  lease = await takeLease()
})
after(() => bench.stop())

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

async function create(count: number): Promise<Subject[]> {
  const { no, uuid } = await database.tenants.transaction(orgId, (tx) =>
    createMonitor(tx, sampleSettings({ name: `Copied ${performance.now()}` })),
  )
  // Copies of it, made at once.
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
  return loadSubjects(database.engine, secrets, [no, ...rows.map((row) => Number(row.no))])
}

function recordingOf(subject: Subject, httpStatus = 200) {
  const slot = subject.nextDueAt ?? new Date()
  const seen = { ...NOTHING_SEEN, responseMs: 12, httpStatus }
  const times = { beganAt: slot, endedAt: slot, region: null }
  const outcome = { result: 'OK', responseMs: 12, sampled: true } as const
  const { domainExpiresAt: _, ...shown } = seen
  const about = { checkedAt: slot, location: 'eu', outcome: 'OK', attempts: [] } as const
  const facts = { ...shown, ...about, resolvedIp: null, timings: null, bodyExcerpt: null }
  const check: FinishedCheck = { ...times, outcome, seen, facts: () => facts }
  return checkRecording(subject, check, { kind: 'SCHEDULED', slot, regionNo: null })
}

async function verdicts(subjects: readonly Subject[]): Promise<number[]> {
  const { rows } = await database.admin.query<{ verdict: number }>(
    'select verdict from results where monitor_no = any ($1) order by monitor_no',
    [subjects.map(({ no }) => no)],
  )
  return rows.map(({ verdict }) => verdict)
}

test('one result that cannot be stored is written down as undecided; the others are as they are', async () => {
  const subjects = await create(5)
  const { applier } = open()
  const after = await Promise.all(
    subjects.map((subject, i) => applier.record(recordingOf(subject, i === 2 ? 70_000 : 200))),
  )
  assert.deepEqual(await verdicts(subjects), [0, 0, 3, 0, 0])
  assert.deepEqual(
    after.map((monitor) => monitor?.state),
    ['UP', 'UP', 'PENDING', 'UP', 'UP'],
  )
})

test('more than one batch: all are recorded, each once, and drained means all of them', async () => {
  const subjects = await create(MANY)
  const { applier, batches } = open()
  const recorded = subjects.map((subject) => applier.record(recordingOf(subject)))
  await applier.drained()
  assert.deepEqual(await verdicts(subjects), Array(MANY).fill(0))
  assert.deepEqual(
    batches.toSorted((a, b) => b - a),
    [500, 500, 100],
  )
  assert.ok((await Promise.all(recorded)).every((monitor) => monitor?.state === 'UP'))
})

test('without a lease nothing is recorded, and the owner hears of it', async () => {
  const subjects = await create(3)
  const { applier, held, lost } = open()
  held.lease = undefined
  const after = await Promise.all(subjects.map((one) => applier.record(recordingOf(one))))
  assert.deepEqual([after, lost()], [[undefined, undefined, undefined], 1])
  assert.deepEqual(await verdicts(subjects), [])
})

test('a result whose lease was lost while it waited is not recorded under the next one', async () => {
  const [lost, kept] = await create(2)
  assert.ok(lost && kept)
  const { applier, held } = open()
  const before = applier.record(recordingOf(lost))
  held.lease = await takeLease()
  const after = applier.record(recordingOf(kept))
  assert.equal(await before, undefined)
  assert.equal((await after)?.state, 'UP')
  assert.deepEqual([await verdicts([lost]), await verdicts([kept])], [[], [0]])
})
