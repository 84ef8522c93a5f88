import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import type { UptimeWindow } from '../../domain/monitors/uptime-ranges.ts'
import type { Tenant } from '../../store/core/tenants.ts'
import { UptimeCache } from './uptime-cache.ts'

const MINUTE_MS = 60_000
const WINDOWS: UptimeWindow[] = ['24h', '7d']
const log = pino({ level: 'silent' })

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

/** A monitor that was down for a quarter of the last day, and an observer of what is read for it. */
async function createCase() {
  const orgId = await database.createOrganization()
  const create = () =>
    database.tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings()))
  const { no } = await create()
  await database.admin.query('delete from state_spans where monitor_no = $1', [no])
  await setDownHours(no, 6)
  const own = database.tenants.of(orgId)
  let reads = 0
  const tenant: Tenant = {
    ...own,
    query: (statement, values) => {
      reads += 1
      return own.query(statement, values)
    },
  }
  return { no, tenant, create, reads: () => reads }
}

async function setDownHours(no: number, hours: number): Promise<void> {
  await database.admin.query('delete from state_spans where monitor_no = $1', [no])
  await database.admin.query(
    `insert into state_spans (monitor_no, started_at, ended_at, state)
     values ($1, now() - interval '1 day', now() - make_interval(hours => $2), 'UP'),
            ($1, now() - make_interval(hours => $2), null, 'DOWN')`,
    [no, hours],
  )
}

/** The database's time differs by the milliseconds between the statements. */
function assertClose(found: readonly (number | null)[] | undefined, expected: number): void {
  assert.equal(found?.length, WINDOWS.length)
  for (const ratio of found ?? [])
    assert.ok(ratio !== null && Math.abs(ratio - expected) < 0.001, `${ratio} for ${expected}`)
}

async function databaseTime(): Promise<Date> {
  const { rows } = await database.admin.query<{ now: Date }>('select now() as now')
  const [{ now } = { now: new Date() }] = rows
  return now
}

test('UptimeCache: computes once, and again only when it is five minutes old', async () => {
  const { no, tenant, reads } = await createCase()
  let nowMs = 0
  const cache = new UptimeCache(log, () => nowMs)
  const read = async () => {
    const found = await cache.ratiosOf({ tenant, windows: WINDOWS, at: await databaseTime() }, [no])
    return found.get(no)
  }
  assertClose(await read(), 0.75)
  await setDownHours(no, 12)
  nowMs = 4 * MINUTE_MS
  assertClose(await read(), 0.75)
  assert.equal(reads(), 1)

  // Stale: the old value at once, the new one after that.
  nowMs = 6 * MINUTE_MS
  assertClose(await read(), 0.75)
  for (let tries = 0; tries < 100 && ((await read())?.[0] ?? 1) > 0.6; tries++) await delay(20)
  assertClose(await read(), 0.5)
  assert.equal(reads(), 2)
})

test('UptimeCache: a value that is too old is computed before the response', async () => {
  const { no, tenant } = await createCase()
  let nowMs = 0
  const cache = new UptimeCache(log, () => nowMs)
  const read = async () =>
    (await cache.ratiosOf({ tenant, windows: WINDOWS, at: await databaseTime() }, [no])).get(no)
  assertClose(await read(), 0.75)
  await setDownHours(no, 12)
  nowMs = 16 * MINUTE_MS
  assertClose(await read(), 0.5)
})

test('UptimeCache: a new monitor is computed at once, without reading the others again', async () => {
  const { no, tenant, create, reads } = await createCase()
  const cache = new UptimeCache(log, () => 0)
  const read = async (nos: number[]) =>
    cache.ratiosOf({ tenant, windows: WINDOWS, at: await databaseTime() }, nos)
  await read([no])
  const added = await create()
  const both = await read([no, added.no])
  assertClose(both.get(no), 0.75)
  assert.deepEqual(both.get(added.no), [null, null])
  assert.equal(reads(), 2)
})

test("UptimeCache: another organization's monitor has nothing measured", async () => {
  const mine = await createCase()
  const theirs = await createCase()
  const cache = new UptimeCache(log, () => 0)
  const at = await databaseTime()
  await cache.ratiosOf({ tenant: theirs.tenant, windows: WINDOWS, at }, [theirs.no])
  const found = await cache.ratiosOf({ tenant: mine.tenant, windows: WINDOWS, at }, [theirs.no])
  assert.deepEqual(found.get(theirs.no), [null, null])
})
