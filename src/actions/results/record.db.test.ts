// Recording while others change the same monitors: on either path, a batch ends as if it had run alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import type { CheckResult } from '../../domain/incidents/apply-result.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import { nextSlotAt } from '../../domain/monitors/schedule.ts'
import { LeaseLost, registerScheduler } from '../../store/core/leases.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { type DueMonitor, loadDueMonitors } from '../../store/monitors/due.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'
import { createMonitor } from '../monitors/create.ts'
import { deleteMonitor } from '../monitors/delete.ts'
import { pauseMonitor } from '../monitors/pause.ts'
import { updateMonitor } from '../monitors/update.ts'
import { type RecordDeps, recordResults } from './record.ts'
import { recordPings } from './record-pings.ts'
import type { ResultWrite } from './result-batch.ts'

let fixture: DbFixture
let database: TestDatabase
let deps: RecordDeps
let orgId: string
before(async () => {
  // A concurrent vacuum keeps old row versions alive, so that new ones do not fit on the same page.
  fixture = await startDbFixture({ settings: { autovacuum: 'off' } })
  database = await fixture.openDatabase()
  deps = { database: database.engine, secrets: new OrganizationSecrets(database.masterKeys) }
  orgId = await database.createOrganization()
})
after(() => fixture.stop())

type Monitor = { no: number; uuid: string }
type Look = 'OK' | 'FAILED'

function create(changes: Partial<MonitorSettings> = {}): Promise<Monitor> {
  return database.tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings(changes)))
}

async function subjectOf({ no }: Monitor): Promise<DueMonitor> {
  const [subject] = await loadDueMonitors(deps.database, deps.secrets, [no])
  assert.ok(subject)
  return subject
}

/** A check of the due slot, based on the monitor as it was read. */
function check(
  subject: DueMonitor,
  look: Look = 'OK',
  changes: Partial<CheckResult> = {},
): ResultWrite {
  const slot = changes.slot ?? subject.nextDueAt ?? new Date()
  const [beganAt, endedAt] = [slot, new Date(slot.getTime() + 40)]
  const seen: CheckResult['seen'] = {
    causeCode: look === 'OK' ? null : 'CONNECTION_REFUSED',
    cause: look === 'OK' ? null : 'Connection refused',
    responseMs: look === 'OK' ? 40 : null,
    httpStatus: look === 'OK' ? 200 : null,
    certExpiresAt: null,
    domainExpiresAt: null,
    dnsAnswers: null,
  }
  const failure = { cause: 'CONNECTION_REFUSED', bytesSent: false, controlReached: null }
  const outcome: CheckResult['outcome'] =
    look === 'OK'
      ? { result: 'OK', responseMs: 40, sampled: true }
      : { result: 'FAILED', failure, failedSince: beganAt }
  const shared = { kind: 'SCHEDULED', slot, epoch: subject.epoch } as const
  const result: CheckResult = { ...shared, beganAt, endedAt, outcome, seen, ...changes }
  const evidence = {
    ...seen,
    checkedAt: endedAt,
    location: 'eu',
    outcome: look,
    resolvedIp: null,
    timings: null,
    bodyExcerpt: null,
    attempts: [],
  }
  return {
    monitorNo: subject.no,
    regionNo: null,
    known: { ...subject, incident: null, maintenance: [] },
    resolve: () => ({ result, evidence: () => evidence }),
  }
}

const record = (...recordings: ResultWrite[]) => recordResults(deps, undefined, recordings)

/** Creates a monitor and brings it to UP. */
async function createUp(changes: Partial<MonitorSettings> = {}): Promise<Monitor> {
  const monitor = await create(changes)
  await record(check(await subjectOf(monitor)))
  return monitor
}

// One by one: in parallel they would wait for the same few connections.
async function createMany(count: number): Promise<Monitor[]> {
  const monitors: Monitor[] = []
  for (let i = 0; i < count; i++) monitors.push(await createUp())
  return monitors
}

async function rows<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await database.admin.query(text, values)).rows as Row[]
}

async function stateOf({ no }: Monitor) {
  const [row] = await rows<Record<string, unknown>>(
    `select state, epoch, next_due_at, last_slot, samples, due_unread from monitor_states where monitor_no = $1`,
    no,
  )
  return row
}

const resultsOf = ({ no }: Monitor) =>
  rows<{ slot: Date; verdict: number }>(
    'select slot, verdict from results where monitor_no = $1 order by slot',
    no,
  )

const incidentsOf = ({ uuid }: Monitor) =>
  rows<{ id: string; resolved_at: Date | null; last_cause_code: string }>(
    'select id, resolved_at, last_cause_code from incidents where monitor_id = $1 order by started_at',
    uuid,
  )

/** Records while another transaction that holds the monitor's row is open; then that one commits. */
async function recordDuring(
  statement: string,
  monitor: Monitor,
  recording: ResultWrite,
): Promise<void> {
  await database.admin.query('begin')
  await database.admin.query('select from monitor_states where monitor_no = $1 for no key update', [
    monitor.no,
  ])
  await database.admin.query(statement, [monitor.no])
  const recorded = record(recording)
  for (;;) {
    const waiting = await rows('select from pg_locks where not granted')
    if (waiting.length > 0) break
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  await database.admin.query('commit')
  await recorded
}

test('a passing check of a monitor that is UP: result, samples and schedule, nothing else', async () => {
  const monitor = await createUp()
  const subject = await subjectOf(monitor)
  const after = await record(check(subject))
  const next = nextSlotAt(subject, subject.nextDueAt ?? new Date())
  assert.deepEqual(after.get(monitor.no)?.nextDueAt, next)
  assert.deepEqual(await stateOf(monitor), {
    state: 'UP',
    epoch: 0,
    next_due_at: next,
    last_slot: subject.nextDueAt,
    samples: [40, 40],
    // No scheduler has read it since it was created.
    due_unread: true,
  })
  assert.equal((await resultsOf(monitor)).length, 2)
  const told = await rows(`select from events where position($1 in body) > 0`, monitor.uuid)
  assert.equal(told.length, 0)
})

test('what it returns is known well enough to record the next check by', async () => {
  const monitor = await createUp()
  let known: EngineMonitor | undefined
  for (let i = 0; i < 3; i++) {
    const subject = await subjectOf(monitor)
    const recording = check(subject)
    known = (await record(known === undefined ? recording : { ...recording, known })).get(
      monitor.no,
    )
    assert.equal(known?.version, (await subjectOf(monitor)).version)
  }
  assert.equal((await resultsOf(monitor)).length, 4)
})

test('paused while its check was under way: the result is void and the monitor stays paused', async () => {
  const monitor = await createUp()
  const recording = check(await subjectOf(monitor))
  await database.tenants.transaction(orgId, (tx) => pauseMonitor(tx, monitor.uuid))
  await record(recording)
  const [, late] = await resultsOf(monitor)
  assert.equal(late?.verdict, 4)
  assert.equal((await stateOf(monitor))?.['state'], 'PAUSED')
})

test('paused in the moment it is recorded: the same', async () => {
  const monitor = await createUp()
  const pause = `update monitor_states set state = 'PAUSED', epoch = epoch + 1, next_due_at = null
                  where monitor_no = $1`
  await recordDuring(pause, monitor, check(await subjectOf(monitor)))
  const [, late] = await resultsOf(monitor)
  assert.equal(late?.verdict, 4)
  assert.equal((await stateOf(monitor))?.['state'], 'PAUSED')
})

test('another check was recorded meanwhile: samples of both are kept', async () => {
  const monitor = await createUp()
  const subject = await subjectOf(monitor)
  const asked = check(subject, 'OK', { kind: 'REQUESTED', slot: new Date() })
  await record(asked)
  await record(check(subject))
  const state = await stateOf(monitor)
  assert.deepEqual([state?.['samples'], (await resultsOf(monitor)).length], [[40, 40, 40], 3])
})

test('a setting that judges was changed meanwhile: the new one judges', async () => {
  const monitor = await createUp({ degradedSamples: 1 })
  const recording = check(await subjectOf(monitor))
  const patch = { degradedThresholdMs: 10 }
  await database.tenants.transaction(orgId, (tx) => updateMonitor(tx, monitor.uuid, patch))
  await record(recording)
  assert.equal((await stateOf(monitor))?.['state'], 'DEGRADED')
})

test('a slot that is recorded stays as it is, and the schedule goes on', async () => {
  const monitor = await createUp()
  const subject = await subjectOf(monitor)
  await database.admin.query(
    'insert into results (monitor_no, slot, kind, verdict) values ($1, $2, 0, 3)',
    [monitor.no, subject.nextDueAt],
  )
  await record(check(subject))
  assert.deepEqual(
    (await resultsOf(monitor)).map(({ verdict }) => verdict),
    [0, 3],
  )
  const next = nextSlotAt(subject, subject.nextDueAt ?? new Date())
  assert.deepEqual((await stateOf(monitor))?.['next_due_at'], next)
})

test('the same batch again, as after a commit whose answer was lost, changes nothing', async () => {
  const [first, second] = [await createUp(), await createUp()]
  const recordings = [check(await subjectOf(first)), check(await subjectOf(second), 'FAILED')]
  await record(...recordings)
  const states = async () => [await stateOf(first), await stateOf(second)]
  const before = await states()
  await record(...recordings)
  assert.deepEqual(await states(), before)
  for (const monitor of [first, second]) assert.equal((await resultsOf(monitor)).length, 2)
})

test('a monitor that was deleted meanwhile leaves nothing, and holds up nobody', async () => {
  const [gone, kept] = [await createUp(), await createUp()]
  const recordings = [check(await subjectOf(gone)), check(await subjectOf(kept))]
  await database.tenants.transaction(orgId, (tx) => deleteMonitor(tx, gone.uuid))
  const after = await record(...recordings)
  assert.deepEqual([...after.keys()], [kept.no])
  assert.equal((await resultsOf(gone)).length, 1)
  assert.equal((await resultsOf(kept)).length, 2)
})

test('two results of one monitor in one batch are folded in their order', async () => {
  const monitor = await createUp()
  const subject = await subjectOf(monitor)
  const slot = subject.nextDueAt ?? new Date()
  const next = nextSlotAt(subject, slot)
  await record(check(subject, 'FAILED'), check(subject, 'OK', { slot: next }))
  const [incident, ...more] = await incidentsOf(monitor)
  assert.ok(incident?.resolved_at && more.length === 0)
  assert.equal((await stateOf(monitor))?.['state'], 'UP')
})

test('many incidents open, go on and end in one batch', async () => {
  const monitors = await createMany(12)
  const batch = async (look: (i: number) => Look) =>
    record(...(await Promise.all(monitors.map(async (m, i) => check(await subjectOf(m), look(i))))))
  await batch((i) => (i < 8 ? 'FAILED' : 'OK'))
  await batch((i) => (i < 4 ? 'OK' : 'FAILED'))
  const shapes: boolean[][] = []
  for (const monitor of monitors)
    shapes.push((await incidentsOf(monitor)).map(({ resolved_at }) => resolved_at === null))
  assert.deepEqual(shapes, [
    ...Array.from({ length: 4 }, () => [false]),
    ...Array.from({ length: 8 }, () => [true]),
  ])
  const evidence = await rows<{ part: string; n: number }>(
    `select part, count(*)::int as n from incident_evidence e join incidents i on i.id = e.incident_id
      where i.monitor_id = any ($1) group by part order by part`,
    monitors.map(({ uuid }) => uuid),
  )
  assert.deepEqual(evidence, [
    { part: 'LAST_FAILURE', n: 12 },
    { part: 'OPENED', n: 12 },
    { part: 'RESOLVED', n: 4 },
  ])
})

const OPEN_WINDOW = `
  insert into maintenance_spans (monitor_no, started_at, window_id)
  values ($1, now() - interval '1 hour', gen_random_uuid())`

test('a window that was opened after the monitor was read keeps its incident away', async () => {
  const monitor = await createUp()
  const recording = check(await subjectOf(monitor), 'FAILED')
  await database.admin.query(OPEN_WINDOW, [monitor.no])
  await record(recording)
  assert.equal((await stateOf(monitor))?.['state'], 'DOWN')
  assert.deepEqual(await incidentsOf(monitor), [])
})

test('a window that is being opened holds its row: the check waits for it', async () => {
  const monitor = await createUp()
  await recordDuring(OPEN_WINDOW, monitor, check(await subjectOf(monitor), 'FAILED'))
  assert.equal((await stateOf(monitor))?.['state'], 'DOWN')
  assert.deepEqual(await incidentsOf(monitor), [])
})

test('DNS answers that were seen in a window are not the usual ones', async () => {
  const monitor = await createUp({ type: 'DNS', url: 'example.org' })
  const nothing = { causeCode: null, cause: null, certExpiresAt: null, domainExpiresAt: null }
  const seen = { ...nothing, responseMs: 40, httpStatus: null, dnsAnswers: ['192.0.2.1'] }
  const look = async () => {
    await record(check(await subjectOf(monitor), 'OK', { seen }))
    return (await subjectOf(monitor)).dnsBaseline?.answers
  }
  await database.admin.query(OPEN_WINDOW, [monitor.no])
  assert.equal(await look(), undefined)
  await database.admin.query('delete from maintenance_spans where monitor_no = $1', [monitor.no])
  assert.deepEqual(await look(), ['192.0.2.1'])
})

test('without its lease nothing is recorded', async () => {
  const monitor = await createUp()
  const id = '019aa000-0000-7000-8000-00000000beef'
  const lease = await registerScheduler(deps.database, {
    id,
    name: 'test',
    region: 'eu',
    leaseSeconds: 60,
  })
  const recording = check(await subjectOf(monitor))
  await database.admin.query('delete from schedulers where id = $1', [id])
  await assert.rejects(recordResults(deps, lease, [recording]), LeaseLost)
  assert.equal((await resultsOf(monitor)).length, 1)
})

test('a ping tells the owner of the shard when the deadline comes sooner, and only then', async () => {
  const job = { type: 'CRON', url: null, expectedPeriodSec: 3600, graceSeconds: 60 } as const
  const monitor = await create(job)
  const read = () =>
    database.admin.query('update monitor_states set due_unread = false where monitor_no = $1', [
      monitor.no,
    ])
  const { heartbeatToken: token } = await subjectOf(monitor)
  const ping = (signal: 'SUCCESS' | 'START') =>
    recordPings(deps, [
      { token: token ?? '', signal, rid: null, body: null, receivedMs: performance.now() },
    ])
  await read()
  await ping('SUCCESS')
  assert.equal((await stateOf(monitor))?.['due_unread'], false)
  await ping('START')
  assert.equal((await stateOf(monitor))?.['due_unread'], true)
})

test('a check rewrites the state row where it lies, and touches no index of it', async () => {
  const monitors = await createMany(20)
  const lap = async () =>
    record(...(await Promise.all(monitors.map(async (m) => check(await subjectOf(m))))))
  const pages = async () => {
    const found = await rows<{ page: number }>(
      `select ((ctid::text)::point)[0]::int as page from monitor_states
        where monitor_no = any ($1) order by monitor_no`,
      monitors.map(({ no }) => no),
    )
    return found.map(({ page }) => page)
  }
  // The first checks release the space reserved for later row versions.
  for (let i = 0; i < 3; i++) await lap()
  let [before, moved] = [await pages(), 0]
  for (let i = 0; i < 5; i++) {
    await lap()
    const now = await pages()
    moved += now.filter((page, at) => page !== before[at]).length
    before = now
  }
  // Earlier tests left some pages fuller than others: a few rows still move.
  assert.ok(moved <= 10, `${moved} of 100 moved`)

  const indexed = await rows<{ name: string }>(
    `select distinct a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid
      where i.indrelid = 'monitor_states'::regclass
        and (a.attnum = any (i.indkey) or pg_get_expr(i.indpred, i.indrelid) ~ a.attname) order by 1`,
  )
  assert.deepEqual(
    indexed.map(({ name }) => name),
    ['due_unread', 'monitor_no', 'shard'],
  )
})
