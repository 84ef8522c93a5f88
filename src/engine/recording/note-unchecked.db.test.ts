// Checks without a result become notes about their monitors, and results end them, also after a restart.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import { openLog } from '../../platform/observability/log.ts'
import { SWEEP_START, sweepNotices } from '../../store/alerts/monitor-notices.ts'
import { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { loadDueMonitors } from '../../store/monitors/due.ts'
import { type FinishedCheck, NO_OBSERVATION } from '../probing/run-check.ts'
import { MonitorNotes } from './note-unchecked.ts'

let fixture: DbFixture
let database: TestDatabase
let secrets: OrganizationSecrets
let orgId: string
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  secrets = new OrganizationSecrets(database.masterKeys)
  orgId = await database.createOrganization()
  await database.admin.query(`insert into regions (name) values ('eu-west'), ('us-east')`)
})
after(() => fixture.stop())

const openNotes = () =>
  new MonitorNotes({
    database: database.engine,
    log: openLog('silent').log,
    now: () => new Date(),
  })

/** A monitor with a last result so many seconds ago. */
async function create(seconds: number, settings: Partial<MonitorSettings> = {}) {
  const name = `Monitor ${performance.now()}`
  const { no } = await database.tenants.transaction(orgId, (tx) =>
    createMonitor(tx, sampleSettings({ name, intervalSeconds: 60, ...settings })),
  )
  await database.admin.query(
    `update monitor_states set state = 'UP', last_checked_at = now() - make_interval(secs => $2),
            last_status_changed_at = now() - interval '1 day' where monitor_no = $1`,
    [no, seconds],
  )
  await database.admin.query(
    `update monitors set created_at = now() - interval '2 days' where no = $1`,
    [no],
  )
  return no
}

async function load(no: number) {
  const [monitor] = await loadDueMonitors(database.engine, secrets, [no])
  assert.ok(monitor)
  return monitor
}

function finished(outcome: FinishedCheck['outcome'], given: Partial<FinishedCheck> = {}) {
  const now = new Date()
  const times = { beganAt: now, endedAt: now }
  const place = { region: null, home: 'eu-west', base: 'eu-west', isPrivate: false, findings: [] }
  const evidence = () => {
    throw new Error('Nobody needs it')
  }
  return { outcome, ...times, ...place, observation: NO_OBSERVATION, evidence, ...given }
}
const NO_PROBE = finished({ result: 'INCONCLUSIVE', reason: 'NO_PROBE' })
const OK = { result: 'OK', responseMs: 12, sampled: true } as const
const FAILURE = { cause: 'TIMEOUT', bytesSent: false, controlReached: null }
const FAILED = { result: 'FAILED', failure: FAILURE, failedSince: new Date() } as const

async function check(notes: MonitorNotes, no: number, result: FinishedCheck): Promise<void> {
  notes.checked(await load(no), result)
  await notes.drained()
}

async function noteOf(no: number) {
  const { rows } = await database.admin.query(
    `select kind, reason, region, other_region, checks, ended_at is not null as "isOver",
            round(extract(epoch from notify_at - now()))::integer as "inSeconds"
       from monitor_notices where monitor_no = $1`,
    [no],
  )
  assert.ok(rows.length <= 1)
  return rows[0]
}

test('no result for a while: noted ahead of time, with the reason and where it should be checked', async () => {
  const [early, due, late] = [await create(60), await create(310), await create(4000)]
  const notes = openNotes()
  for (const no of [early, due, late]) await check(notes, no, NO_PROBE)
  assert.equal(await noteOf(early), undefined)
  const { inSeconds, ...note } = await noteOf(due)
  assert.deepEqual(note, {
    kind: 'NOT_CHECKED',
    reason: 'NO_PROBE',
    region: 'eu-west',
    other_region: null,
    checks: 0,
    isOver: false,
  })
  assert.ok(Math.abs(inSeconds - 110) <= 3, `${inSeconds} s`)
  assert.ok(Math.abs((await noteOf(late)).inSeconds - 30) <= 3, 'not before another check')
})

test('the region that was asked last is named, rather than the one that should have been', async () => {
  const no = await create(4000)
  const asked = finished({ result: 'INCONCLUSIVE', reason: 'NO_ROUTE' }, { region: 'us-east' })
  await check(openNotes(), no, asked)
  assert.deepEqual([(await noteOf(no)).reason, (await noteOf(no)).region], ['NO_ROUTE', 'us-east'])
})

// biome-ignore format: a table is read by its columns
const results: [what: string, outcome: FinishedCheck['outcome'], isOver: boolean][] = [
  ['passes',               OK,                                             true],
  ['fails',                FAILED,                                         true],
  ['has no result again',  { result: 'INCONCLUSIVE', reason: 'EGRESS' },   false],
]
for (const [what, outcome, isOver] of results)
  test(`a check after a restart ${what}: ${isOver ? 'it is over' : 'it goes on'}`, async () => {
    const no = await create(4000)
    await check(openNotes(), no, NO_PROBE)
    await check(openNotes(), no, finished(outcome, { region: 'eu-west' }))
    assert.equal((await noteOf(no)).isOver, isOver)
  })

test('a repeated note is not written again, not even after a restart', async () => {
  const no = await create(4000)
  const notes = openNotes()
  await check(notes, no, NO_PROBE)
  const versionOf = async () =>
    (await database.admin.query('select xmin from monitor_notices where monitor_no = $1', [no]))
      .rows[0]?.xmin
  const before = await versionOf()
  await check(notes, no, NO_PROBE)
  await check(openNotes(), no, NO_PROBE)
  assert.equal(await versionOf(), before)
})

test('DOMAIN: never noted, because a registry may refuse to answer for days', async () => {
  const no = await create(100_000, { type: 'DOMAIN', url: 'example.com' })
  await check(openNotes(), no, NO_PROBE)
  assert.equal(await noteOf(no), undefined)
})

test('a deleted monitor spoils no note of others', async () => {
  const [gone, kept] = [await create(4000), await create(4000)]
  const notes = openNotes()
  const monitors = [await load(gone), await load(kept)]
  await database.admin.query('delete from monitors where no = $1', [gone])
  for (const monitor of monitors) notes.checked(monitor, NO_PROBE)
  await notes.drained()
  assert.equal((await noteOf(kept)).kind, 'NOT_CHECKED')
})

test('more than one batch at once: all are noted, each once', async () => {
  const no = await create(4000)
  const monitor = await load(no)
  const columns = (
    await database.admin.query<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = 'monitors'::regclass and attnum > 0 and attname not in ('no', 'id')`,
    )
  ).rows.map(({ name }) => name)
  const { rows } = await database.admin.query<{ no: string }>(
    `insert into monitors (id, ${columns}) select gen_random_uuid(), ${columns}
       from monitors, generate_series(1, 1100) where no = $1 returning no`,
    [no],
  )
  const notes = openNotes()
  for (const row of rows)
    for (let time = 0; time < 2; time++) notes.checked({ ...monitor, no: Number(row.no) }, NO_PROBE)
  await notes.drained()
  const noted = await database.admin.query(
    'select from monitor_notices where monitor_no = any ($1)',
    [rows.map((row) => row.no)],
  )
  assert.equal(noted.rowCount, 1100)
})

async function loseHome(no: number, triedSeconds: number | null): Promise<void> {
  await database.admin.query(
    `insert into region_proofs as p (org_id, monitor_no, region, passed_at, lost_at, tried_at)
     select $1, $2, no, now(), date_trunc('second', now()) - interval '400 seconds',
            now() - make_interval(secs => $3)
       from regions where name = 'eu-west'
     on conflict (monitor_no, region) do update set tried_at = excluded.tried_at`,
    [orgId, no, triedSeconds],
  )
}

test('home fails and another region passes: counted, and certain once a try failed as well', async () => {
  const no = await create(60)
  const elsewhere = finished(OK, { region: 'us-east', base: 'us-east' })
  await check(openNotes(), no, elsewhere)
  assert.equal(await noteOf(no), undefined, 'home was not lost')
  await loseHome(no, null)
  for (let i = 0; i < 3; i++) await check(openNotes(), no, elsewhere)
  const { inSeconds, ...note } = await noteOf(no)
  assert.deepEqual(note, {
    kind: 'FAILS_FROM_HOME',
    reason: null,
    region: 'eu-west',
    other_region: 'us-east',
    checks: 4,
    isOver: false,
  })
  assert.equal(inSeconds, null)
  await loseHome(no, 5)
  await check(openNotes(), no, elsewhere)
  assert.equal((await noteOf(no)).inSeconds, 0)
})

// biome-ignore format: a table is read by its columns
const notCounted: [what: string, check: FinishedCheck][] = [
  ['home passes',                  finished(OK, { region: 'eu-west' })],
  ['the other region fails too',   finished(FAILED, { region: 'us-east' })],
  ['another region is home now',   finished(OK, { region: 'us-east', home: 'us-east' })],
  ['no result',                    NO_PROBE],
]
for (const [what, result] of notCounted)
  test(`home was lost, and ${what}: not counted`, async () => {
    const no = await create(60)
    await loseHome(no, 5)
    await check(openNotes(), no, result)
    assert.equal(await noteOf(no), undefined)
  })

test('home was not lost: not counted, and no note of another monitor is spoiled', async () => {
  const [proven, lost] = [await create(60), await create(60)]
  await loseHome(proven, 5)
  await loseHome(lost, 5)
  await database.admin.query('update region_proofs set lost_at = null where monitor_no = $1', [
    proven,
  ])
  const notes = openNotes()
  const elsewhere = finished(OK, { region: 'us-east' })
  for (const monitor of [await load(proven), await load(lost)]) notes.checked(monitor, elsewhere)
  await notes.drained()
  assert.equal(await noteOf(proven), undefined)
  assert.equal((await noteOf(lost)).checks, 2)
})

test('a request that may not be tried needs no try', async () => {
  const no = await create(60, { method: 'POST' })
  await loseHome(no, null)
  const elsewhere = finished(OK, { region: 'us-east' })
  for (let i = 0; i < 2; i++) await check(openNotes(), no, elsewhere)
  assert.equal((await noteOf(no)).inSeconds, 0)
})

async function chooseEach(no: number): Promise<void> {
  await database.admin.query(
    `insert into region_settings (id, org_id, monitor_id, regions, mode, updated_at)
     select gen_random_uuid(), org_id, id, '{eu-west,us-east}', 'EACH', now() from monitors where no = $1`,
    [no],
  )
}
const sweep = () => sweepNotices(database.engine, SWEEP_START, 10_000)
const leftOut = (reason: 'NO_PROBE' | 'NOT_PROVEN', since: Date | null) =>
  finished(OK, { region: null, regions: [], leftOut: { region: 'us-east', reason, since } })
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

test('a region without a probe is noted after a while, for five minutes after it was last seen', async () => {
  const no = await create(60)
  await chooseEach(no)
  const notes = openNotes()
  await check(notes, no, leftOut('NO_PROBE', minutesAgo(1)))
  assert.equal(await noteOf(no), undefined, 'a restart is no news')
  await check(notes, no, leftOut('NO_PROBE', minutesAgo(4)))
  const { kind, reason, region, inSeconds } = await noteOf(no)
  assert.deepEqual([kind, reason, region], ['REGION_LEFT_OUT', 'NO_PROBE', 'us-east'])
  assert.ok(Math.abs(inSeconds - 60) <= 3, `${inSeconds} s`)

  await sweep()
  assert.notEqual(await noteOf(no), undefined, 'other regions pass, and it goes on')
  await database.admin.query(
    `insert into region_results (monitor_no, slot, region, verdict)
     select $1, now(), no, 0 from regions where name = 'us-east'`,
    [no],
  )
  await sweep()
  assert.equal(await noteOf(no), undefined, 'it answers again')
})

test('a region that never reached the target is noted once, until it has or is no longer chosen', async () => {
  for (const end of [
    `insert into region_proofs (org_id, monitor_no, region, passed_at)
     select m.org_id, m.no, g.no, now() from monitors m, regions g where m.no = $1 and g.name = 'us-east'`,
    `update region_settings set mode = 'FIRST' where monitor_id = (select id from monitors where no = $1)`,
  ]) {
    const no = await create(60)
    await database.admin.query('delete from region_settings')
    await chooseEach(no)
    await check(openNotes(), no, leftOut('NOT_PROVEN', null))
    const first = await noteOf(no)
    await check(openNotes(), no, leftOut('NOT_PROVEN', null))
    await sweep()
    const second = await noteOf(no)
    assert.deepEqual([second.kind, second.reason], ['REGION_LEFT_OUT', 'NOT_PROVEN'])
    assert.ok(Math.abs(first.inSeconds - 300) <= 3 && second.inSeconds <= first.inSeconds)
    await database.admin.query(end, [no])
    await sweep()
    assert.equal(await noteOf(no), undefined)
  }
})
