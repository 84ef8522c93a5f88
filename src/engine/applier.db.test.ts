// What waits to be recorded belongs to the lease it was run under. When that is lost, whoever has the shard
// now runs the slot or writes it off, and a result that came after all would put it on record twice.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type DbBench, startDbBench, type TestDatabase } from '../../test/db-kit/db-bench.ts'
import { settings } from '../../test/db-kit/settings.ts'
import { createMonitor } from '../actions/create-monitor.ts'
import type { Recording } from '../actions/record-results.ts'
import { openLog } from '../platform/log.ts'
import { type Lease, registerScheduler } from '../store/leases.ts'
import { OrganizationSecrets } from '../store/organization-secrets.ts'
import { Applier } from './applier.ts'
import { NOTHING_SEEN } from './run-check.ts'

const MINUTE_MS = 60_000

let bench: DbBench
let database: TestDatabase
let orgId: string
before(async () => {
  bench = await startDbBench()
  database = await bench.openDatabase()
  orgId = await database.createOrganization()
})
after(() => bench.stop())

const lease = (name: string): Promise<Lease> =>
  registerScheduler(database.engine, { id: randomUUID(), name, region: 'eu', leaseSeconds: 300 })

async function openApplier() {
  const held = { lease: await lease('first') }
  const applier = new Applier({
    database: database.engine,
    secrets: new OrganizationSecrets(database.masterKeys),
    log: openLog('silent').log,
    lease: () => held.lease,
    onLeaseLost: async () => {},
    onApplied: () => {},
  })
  return { applier, held }
}

/** A monitor with a slot that is due, and what a check of it found. */
async function dueSlot(): Promise<{ no: number; passed: Recording }> {
  const { no, epoch } = await database.tenants.transaction(orgId, (tx) =>
    createMonitor(tx, settings()),
  )
  const slot = new Date(Date.now() - MINUTE_MS)
  await database.admin.query('update monitor_states set next_due_at = $2 where monitor_no = $1', [
    no,
    slot,
  ])
  const times = { slot, beganAt: slot, endedAt: slot }
  const outcome = { result: 'OK', responseMs: 5, sampled: true } as const
  const landing = { ...times, kind: 'SCHEDULED', epoch, outcome, seen: NOTHING_SEEN } as const
  const { domainExpiresAt: _, ...shown } = NOTHING_SEEN
  const trace = { resolvedIp: null, timings: null, bodyExcerpt: null }
  const facts = { ...shown, ...trace, checkedAt: slot, location: 'eu', attempts: [] }
  const decided = { landing, facts: { ...facts, outcome: 'OK' as const } }
  return { no, passed: { monitorNo: no, regionNo: null, resolve: () => decided } }
}

async function resultsOf(no: number): Promise<number> {
  const { rows } = await database.admin.query(
    'select count(*)::int as n from results where monitor_no = $1',
    [no],
  )
  return rows[0].n
}

test('a result is recorded under the lease it was handed over with', async () => {
  const { applier } = await openApplier()
  const { no, passed } = await dueSlot()
  assert.equal((await applier.record(passed))?.state, 'UP')
  assert.equal(await resultsOf(no), 1)
})

test('a result whose lease was lost while it waited is not recorded under the next one', async () => {
  const { applier, held } = await openApplier()
  const [lost, kept, next] = [await dueSlot(), await dueSlot(), await lease('second')]
  const before = applier.record(lost.passed)
  held.lease = next
  const after = applier.record(kept.passed)
  assert.equal(await before, undefined)
  assert.equal((await after)?.state, 'UP')
  assert.deepEqual([await resultsOf(lost.no), await resultsOf(kept.no)], [0, 1])
})
