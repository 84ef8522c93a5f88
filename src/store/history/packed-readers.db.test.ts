// What every reader returns must be the same before and after the days it reads are packed, to the byte.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant, type Tenancy } from '../../../test/db-kit/fill-tenant.ts'
import {
  insertDay,
  midnight,
  packAll,
  passMidnight,
  rollUpTo,
  type StoredResult,
} from '../../../test/db-kit/packed-days.ts'
import { toPublicId } from '../../../test/db-kit/public-id.ts'
import { seedIncident } from '../../../test/db-kit/seed-incident.ts'
import type { Tenant } from '../core/tenants.ts'
import { listRegionChecks } from '../incidents/timeline.ts'
import { findCheck, findCheckEvidence, listChecks } from './check-log.ts'
import { packResults } from './packing.ts'
import { findRecordedResults } from './replay-results.ts'
import { findSeries } from './response-times.ts'
import { regionNo } from './results.ts'

const HOUR_MS = 3_600_000
const MINUTE_US = 60_000_000
const DAYS = [1, 2, 3, 4]
// Three phases, and the eleventh cause.
const FAILED_DETAIL = 3 | (11 << 8) | (24 << 16) | (11 << 24)

let fixture: DbFixture
let database: TestDatabase
let tenancy: Tenancy
before(async () => {
  fixture = await startDbFixture()
  await passMidnight()
  database = await fixture.openDatabase()
  await rollUpTo(database, 1)
  tenancy = await fillTenant(database)
  const regions = [await regionNo(database.engine, 'eu'), await regionNo(database.engine, 'us')]
  for (const ago of DAYS)
    await insertDay(database.admin, tenancy.monitorNo, midnight(ago), dayOf(ago, regions))
  // Through one midnight, and not over yet. The first one's evidence was checked with its slot.
  for (const [startedAt, resolvedAt] of [
    [slotOf(3, 23 * 60 + 30), slotOf(2, 15)],
    [slotOf(2, 300), slotOf(2, 360)],
  ] as const)
    await seedIncident(database.admin, toPublicId('mon', tenancy.monitorUuid), {
      startedAt: new Date(startedAt.getTime() + 40),
      resolvedAt,
    })
})
after(() => fixture.stop())

const slotOf = (daysAgo: number, minute: number) =>
  new Date(midnight(daysAgo).getTime() + minute * 60_000 + 12_345)

/** Every minute with everything that occurs: failures, slow and superseded checks, gaps, two regions, none. */
function dayOf(ago: number, regions: readonly number[]): StoredResult[] {
  const minutes = Array.from({ length: 1440 }, (_, minute) => minute).filter((n) => n % 97 !== 5)
  return minutes.map((minute) => ({
    us: minute * MINUTE_US + 12_345_000,
    kind: minute % 50 === 0 ? 1 : 0,
    region: minute % 11 === 0 ? null : (regions[minute % 2] ?? null),
    ...outcomeOf(ago, minute),
  }))
}

function outcomeOf(ago: number, minute: number) {
  const responseMs = 20 + ((minute * 37 + ago) % 900)
  const isOutage = ago === 2 && minute >= 300 && minute < 360
  if (isOutage || (minute * ago) % 61 === 0)
    return { verdict: 2, responseMs, statusCode: 503, detail: FAILED_DETAIL }
  const detail = minute % 3 === 0 ? null : minute * 65_793
  const verdict = [0, 0, 0, 1, 0, 3, 0, 4][(minute * 7 + ago) % 8] ?? 0
  if (verdict === 3) return { verdict, responseMs: null, statusCode: null, detail }
  return { verdict, responseMs, statusCode: 200, detail }
}

type Reader = (tenant: Tenant) => Promise<unknown>

const pageOf =
  (filter: Partial<Parameters<typeof listChecks>[2]>): Reader =>
  (tenant) =>
    listChecks(tenant, tenancy.monitorUuid, {
      from: midnight(5),
      before: midnight(0),
      limit: 100,
      ...filter,
    })

/** All pages, each beginning where the one before ended. */
const everyPage =
  (verdicts?: ['FAILED']): Reader =>
  async (tenant) => {
    const pages: unknown[] = []
    for (let end = midnight(0); ; ) {
      const page = await listChecks(tenant, tenancy.monitorUuid, {
        from: midnight(5),
        before: end,
        verdicts,
        limit: 90,
      })
      const last = page.at(-1)
      if (last === undefined) return pages
      pages.push(page)
      end = last.at
    }
  }

const seriesOf =
  (from: Date, to: Date, bucketSeconds: number): Reader =>
  (tenant) =>
    findSeries(tenant, tenancy.monitorNo, { from, to, bucketSeconds, source: 'RAW' })

const readers: Record<string, Reader> = {
  'check log, newest page': pageOf({}),
  'check log, a page within a packed day': pageOf({ before: slotOf(3, 700) }),
  'check log, a page over midnight': pageOf({ before: slotOf(2, 30) }),
  'check log, a page over the edge of what is packed': pageOf({ before: slotOf(1, 40) }),
  'check log, an exact period': pageOf({ from: slotOf(3, 10), before: slotOf(3, 20) }),
  'check log, one verdict': pageOf({ verdicts: ['INCONCLUSIVE'], limit: 25 }),
  'check log, no verdict at all': pageOf({ verdicts: [] }),
  'check log, all pages': everyPage(),
  'check log, all pages of failures': everyPage(['FAILED']),
  'check log, a monitor that does not exist': (tenant) =>
    listChecks(tenant, '00000000-0000-7000-8000-000000000000', {
      from: midnight(5),
      before: midnight(0),
      limit: 100,
    }),
  'one check': (tenant) => findCheck(tenant, tenancy.monitorUuid, slotOf(3, 700)),
  'one failed check': (tenant) => findCheck(tenant, tenancy.monitorUuid, slotOf(2, 301)),
  'a check that does not exist': (tenant) =>
    findCheck(tenant, tenancy.monitorUuid, new Date(slotOf(3, 700).getTime() + 1)),
  'evidence of a check': (tenant) => findCheckEvidence(tenant, tenancy.monitorUuid, slotOf(2, 300)),
  'no evidence of the check before': (tenant) =>
    findCheckEvidence(tenant, tenancy.monitorUuid, slotOf(2, 299)),
  'chart of a day': seriesOf(midnight(3), midnight(2), 600),
  'chart over the edge of what is packed': seriesOf(
    new Date(midnight(1).getTime() - 3 * HOUR_MS),
    new Date(midnight(1).getTime() + 3 * HOUR_MS),
    60,
  ),
  replay: (tenant) =>
    findRecordedResults(tenant, tenancy.monitorUuid, { from: midnight(5), to: midnight(0) }),
  'replay of part of a day': (tenant) =>
    findRecordedResults(tenant, tenancy.monitorUuid, { from: slotOf(3, 1), to: slotOf(3, 5) }),
  'regions of an incident': (tenant) =>
    listRegionChecks(tenant, tenancy.monitorUuid, { from: slotOf(2, 300), to: slotOf(2, 360) }),
  'regions of an incident over midnight': (tenant) =>
    listRegionChecks(tenant, tenancy.monitorUuid, {
      from: new Date(slotOf(3, 23 * 60 + 30).getTime() + 40),
      to: slotOf(2, 15),
    }),
  'regions of an incident since then': (tenant) =>
    listRegionChecks(tenant, tenancy.monitorUuid, { from: slotOf(3, 100), to: new Date() }),
}

test('every reader returns the same before packing, while a day is packed, and after it', async () => {
  const tenant = database.tenants.of(tenancy.orgId)
  const readAll = async () => {
    const found: Record<string, string> = {}
    for (const [name, read] of Object.entries(readers))
      found[name] = JSON.stringify((await read(tenant)) ?? null)
    return found
  }
  const rows = await readAll()
  assert.ok((rows['check log, all pages']?.length ?? 0) > 100_000)
  assert.notEqual(rows['one failed check'], 'null')
  assert.notEqual(rows['evidence of a check'], 'null')
  assert.equal(rows['no evidence of the check before'], 'null')

  // One day after the other, so that each lies at the edge once.
  await database.admin.query(`update upkeep_progress set period = $1`, [midnight(3)])
  assert.ok((await packAll(database.engine)) > 1_000)
  assert.deepEqual(await readAll(), rows, 'the oldest day is packed')
  await database.admin.query(`update upkeep_progress set period = $1`, [midnight(0)])
  // Begins the next day and writes its pack, which is not published yet.
  for (let batch = 0; batch < 2; batch++) await packResults(database.engine, 100)
  assert.deepEqual(await readAll(), rows, 'a day is written')
  assert.ok((await packAll(database.engine)) > 1_000)
  assert.deepEqual(await readAll(), rows, 'all days before yesterday are packed')
  const { rows: left } = await database.admin.query(
    'select 1 from results where monitor_no = $1 and slot < $2 limit 1',
    [tenancy.monitorNo, midnight(1)],
  )
  assert.equal(left.length, 0, 'nothing was read from rows')
})
