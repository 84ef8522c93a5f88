// Schedulers agree about the networks of regions through the database, and each acts on what it knows itself at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import type { CheckTarget } from '../../checks/registry.ts'
import type { CheckOutcome } from '../../domain/monitors/confirmation.ts'
import { openLog } from '../../platform/observability/log.ts'
import { regionNo } from '../../store/history/results.ts'
import { FIRST_ORGANIZATION, findReachedAddresses } from '../../store/monitors/egress-samples.ts'
import { EgressWatch } from './egress-watch.ts'
import type { ObservedAttempt } from './to-attempt.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

const LIMIT_MS = 60_000
const TARGET: CheckTarget = { type: 'PORT', host: 'shop.example', port: 443, timeoutSeconds: 1 }
const CHECK = { base: 'eu', isPrivate: false, isDown: false, sendsOnce: false, shard: 7 }
const EGRESS: CheckOutcome = { result: 'INCONCLUSIVE', reason: 'EGRESS' }
const PASSED: CheckOutcome = { result: 'OK', responseMs: 3, sampled: false }

async function openFixture() {
  const database = await fixture.openDatabase()
  const { engine } = database
  await regionNo(engine, 'eu')
  const clock = { ms: Date.now() }
  const at = (seconds: number) => new Date(clock.ms + seconds * 1000)
  const watch = () =>
    new EgressWatch({
      database: engine,
      log: openLog('silent').log,
      now: () => at(0),
      limitMs: LIMIT_MS,
      regions: () => ['eu'],
    })
  const times = (from: number) => ({ region: 'eu', startedAt: at(from), endedAt: at(from + 1) })
  const common = { durationMs: 1000, sent: false, stalled: false }
  const silence = (from: number, controlReached: boolean | null): ObservedAttempt => {
    const failure = { cause: 'TIMEOUT', bytesSent: false, controlReached }
    const finding = { ...common, outcome: 'FAILED', causeCode: 'TIMEOUT', cause: 'Timed out' }
    return {
      ...times(from),
      stalled: false,
      outcome: 'FAILED',
      failure,
      finding: { ...finding, controlReached } as ObservedAttempt['finding'],
    }
  }
  const pass = (from: number, resolvedIp: string): ObservedAttempt => ({
    ...times(from),
    stalled: false,
    outcome: 'OK',
    responseMs: 3,
    finding: { ...common, outcome: 'OK', resolvedIp, controlReached: null },
  })
  /** Of one check: its first attempt, and its second after which no address had answered. */
  const silent = (from: number) => [silence(from, null), silence(from + 2, false)]
  const failed = (from: number): CheckOutcome => {
    const failure = { cause: 'TIMEOUT', bytesSent: false, controlReached: null }
    return { result: 'FAILED', failure, failedSince: at(from) }
  }
  return { ...database, clock, at, watch, silent, silence, pass, failed }
}

test('a scheduler acts on its own knowledge at once, and the others when they read it', async () => {
  const { watch, silent, pass } = await openFixture()
  const [a, b] = [watch(), watch()]
  a.settle({ ...CHECK, no: 1 }, { target: TARGET, attempts: silent(-5) }, EGRESS)
  assert.deepEqual([a.doubtOf('eu'), b.doubtOf('eu')], ['DOUBT', 'NONE'])
  assert.equal(a.doubtOf('us'), 'NONE')
  await a.readDoubts()
  await b.readDoubts()
  assert.deepEqual([a.doubtOf('eu'), b.doubtOf('eu')], ['DOUBT', 'DOUBT'])

  b.settle({ ...CHECK, no: 2 }, { target: TARGET, attempts: [pass(-1, '10.0.0.1')] }, PASSED)
  assert.equal(b.doubtOf('eu'), 'DOUBT', 'a private address')
  b.settle({ ...CHECK, no: 2 }, { target: TARGET, attempts: [pass(-4, '11.22.1.10')] }, PASSED)
  assert.equal(b.doubtOf('eu'), 'DOUBT', 'it began before the addresses were asked')
  b.settle({ ...CHECK, no: 2 }, { target: TARGET, attempts: [pass(-1, '11.22.1.10')] }, PASSED)
  assert.equal(b.doubtOf('eu'), 'NONE')
  await b.readDoubts()
  await a.readDoubts()
  assert.equal(a.doubtOf('eu'), 'NONE')
})

test('a private target raises no doubt, and its first failure in one is remembered', async () => {
  const { watch, silent, silence, failed, at, clock } = await openFixture()
  const a = watch()
  const local = { ...CHECK, isPrivate: true, no: 3 }
  a.settle(local, { target: TARGET, attempts: [silence(-9, null)] }, failed(-9))
  assert.equal(a.doubtOf('eu'), 'NONE')
  a.settle({ ...CHECK, no: 1 }, { target: TARGET, attempts: silent(-5) }, EGRESS)
  const since = at(-2)
  a.settle(local, { target: TARGET, attempts: [silence(-2, null), silence(-1, null)] }, EGRESS)
  clock.ms += LIMIT_MS
  assert.equal(a.doubtOf('eu'), 'OVER')
  const outcome = a.settle(local, { target: TARGET, attempts: [silence(-1, null)] }, failed(-1))
  assert.ok(outcome.result === 'FAILED')
  assert.deepEqual(outcome.failedSince, since)
})

test('an outage begins with its first failed attempt in doubt; without a memory, with the doubt', async () => {
  const { watch, silent, failed, at, clock } = await openFixture()
  const a = watch()
  a.gained([7])
  clock.ms += 60_000
  const [first, raised] = [at(-3), at(-5)]
  a.settle({ ...CHECK, no: 1 }, { target: TARGET, attempts: silent(-5) }, EGRESS)
  a.settle({ ...CHECK, no: 2 }, { target: TARGET, attempts: silent(-3) }, EGRESS)
  a.settle({ ...CHECK, no: 2 }, { target: TARGET, attempts: silent(20) }, EGRESS)
  await a.readDoubts()
  clock.ms += LIMIT_MS
  const restarted = watch()
  restarted.gained([7])
  await restarted.readDoubts()
  const sinceOf = (one: EgressWatch, no: number, lastCheckedAt: Date | null) => {
    const outcome = one.settle(
      { ...CHECK, no, lastCheckedAt },
      { target: TARGET, attempts: silent(-2) },
      failed(-2),
    )
    return outcome.result === 'FAILED' ? outcome.failedSince : undefined
  }
  const early = at(-500)
  assert.deepEqual(sinceOf(a, 2, early), first)
  assert.deepEqual(sinceOf(a, 9, early), at(-2), 'it did not fail before')
  assert.deepEqual(sinceOf(restarted, 2, early), raised)
  assert.deepEqual(sinceOf(restarted, 2, at(-30)), at(-30), 'never before its last result')
})

test('what a probe asks, and when', async () => {
  const { watch, silent, admin, tenants, createOrganization } = await openFixture()
  const networks = await plant({ admin, tenants, createOrganization }, [3, 0])
  const a = watch()
  const [attempt] = silent(-3)
  assert.ok(attempt !== undefined)
  const never = { when: 'NEVER', pairs: [] }
  assert.deepEqual(a.taskFor(CHECK, 'eu', [attempt]), { when: 'START', pairs: [] })
  await a.readSamples()
  const { when, pairs } = a.taskFor(CHECK, 'eu', [attempt])
  assert.deepEqual([when, pairs.toSorted()], ['START', networks.toSorted()])
  assert.deepEqual(a.taskFor(CHECK, 'eu', []), never)
  assert.equal(a.taskFor({ ...CHECK, sendsOnce: true }, 'eu', []).when, 'SILENCE')
  // Only the operator's control targets speak for a private target.
  const own = a.taskFor({ ...CHECK, isPrivate: true }, 'eu', [attempt])
  assert.deepEqual(own, { when: 'START', pairs: [] })
  assert.deepEqual(a.taskFor({ ...CHECK, isDown: true }, 'eu', [attempt]), never)
  assert.deepEqual(a.taskFor(CHECK, 'us', [attempt]), never, 'another region met silence too')
})

type Planted = Pick<
  Awaited<ReturnType<DbFixture['openDatabase']>>,
  'admin' | 'tenants' | 'createOrganization'
>

/** For each organization so many monitors that passed, each in a network of its own. */
async function plant({ admin, tenants, createOrganization }: Planted, sizes: readonly number[]) {
  const pairs: string[] = []
  for (const [i, size] of sizes.entries()) {
    const orgId = await createOrganization()
    for (let network = 0; network < size; network++) {
      const monitor = await tenants.transaction(orgId, (tx) =>
        createMonitor(tx, sampleSettings({})),
      )
      const address = `11.${i}.${network}.10`
      pairs.push(`${address}:443`)
      await admin.query(
        `insert into region_proofs (org_id, monitor_no, region, passed_at, address, port)
         select $1, $2, no, now() - interval '60 days', $3, 443 from regions where name = 'eu'`,
        [orgId, monitor.no, address],
      )
      await admin.query(`update monitor_states set state = 'UP' where monitor_no = $1`, [
        monitor.no,
      ])
    }
  }
  return pairs
}

test('addresses of monitors that work are found, however old, and of no others', async () => {
  const { engine, admin, tenants, createOrganization } = await openFixture()
  await plant({ admin, tenants, createOrganization }, [6, 2, 1])
  const find = async () => (await findReachedAddresses(engine, 'eu', FIRST_ORGANIZATION)).reached
  assert.equal((await find()).length, 9)
  assert.deepEqual((await findReachedAddresses(engine, 'us', FIRST_ORGANIZATION)).reached, [])
  const hide = async (change: string, left: number) => {
    await admin.query(change)
    assert.equal((await find()).length, left, change)
  }
  await hide(`update region_proofs set is_private = true where address = '11.0.0.10'`, 8)
  await hide(`update region_proofs set port = null where address = '11.0.1.10'`, 7)
  await hide(`update region_proofs set passed_at = null where address = '11.0.2.10'`, 6)
  await hide(`update region_proofs set address = '11.0.4.99' where address = '11.0.3.10'`, 5)
  await hide(
    `update monitor_states set state = 'DOWN'
      where monitor_no = (select monitor_no from region_proofs where address = '11.0.5.10')`,
    4,
  )
})
