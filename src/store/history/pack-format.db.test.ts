import assert from 'node:assert/strict'
import { env } from 'node:process'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { fillTenant } from '../../../test/db-kit/fill-tenant.ts'
import {
  insertDay,
  midnight,
  packAll,
  readResults,
  rollUpTo,
  type StoredResult,
} from '../../../test/db-kit/packed-days.ts'

const RUNS = Math.min(Number(env['RUNS'] ?? 40), 2_000)
const DAY_MS = 86_400_000
const DAY_US = 86_400_000_000
const ARRAYS = [
  'gaps',
  'codes',
  'ms_high',
  'ms_low',
  'detail_0',
  'detail_1',
  'detail_2',
  'detail_3',
]

let fixture: DbFixture
let database: TestDatabase
let monitorNo: number
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
  await database.admin.query(`set timezone to 'UTC'`)
  await rollUpTo(database, 1)
  monitorNo = (await fillTenant(database)).monitorNo
})
after(() => fixture.stop())

// Not days ago, which are other days after midnight.
const startDay = midnight(0).getTime()
let used = 2
const nextDay = () =>
  [new Date(startDay - used * DAY_MS), new Date(startDay - (used++ - 1) * DAY_MS)] as const

/** Every day is packed only once, so each history gets its own. */
async function roundTrip(rows: readonly StoredResult[]) {
  const [from, to] = nextDay()
  await insertDay(database.admin, monitorNo, from, rows)
  const before = await readResults(database.admin, monitorNo, [from, to])
  const packed = await packAll(database.engine)
  const after = await readResults(database.admin, monitorNo, [from, to])
  const { rows: left } = await database.admin.query(
    'select 1 from results where monitor_no = $1 and slot >= $2 and slot < $3',
    [monitorNo, from, to],
  )
  return { before, packed, after, left: left.length }
}

const smallint = fc.integer({ min: -32_768, max: 32_767 })
const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 4 })
const storedResult: fc.Arbitrary<StoredResult> = fc.record({
  us: fc.oneof(
    fc.integer({ min: 0, max: DAY_US - 1 }),
    // On the minute, as most are.
    fc.integer({ min: 0, max: 1439 }).map((minute) => minute * 60_000_000),
    fc.constantFrom(0, 1, DAY_US - 1),
  ),
  kind: fc.integer({ min: 0, max: 255 }),
  verdict: fc.integer({ min: 0, max: 255 }),
  responseMs: nullable(
    fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 2_147_483_647 })),
  ),
  statusCode: nullable(fc.oneof(fc.constantFrom(200, 503), smallint)),
  region: nullable(fc.oneof(fc.integer({ min: 1, max: 3 }), smallint)),
  detail: nullable(fc.integer({ min: -2_147_483_648, max: 2_147_483_647 })),
})

test(`any day of results is the same after packing, over ${RUNS} generated days`, async () => {
  const histories = fc.uniqueArray(storedResult, {
    selector: ({ us }) => us,
    minLength: 1,
    maxLength: 80,
  })
  await fc.assert(
    fc.asyncProperty(histories, async (rows) => {
      const { before, packed, after, left } = await roundTrip(rows)
      assert.equal(before.length, rows.length)
      assert.equal(packed, rows.length)
      assert.deepEqual(after, before)
      assert.equal(left, 0)
    }),
    { numRuns: RUNS },
  )
})

const plain: StoredResult = {
  us: 0,
  kind: 0,
  verdict: 0,
  responseMs: 120,
  statusCode: 200,
  region: 1,
  detail: 3 | (11 << 8) | (24 << 16) | (80 << 24),
}
const everyMinute = (change: (minute: number) => Partial<StoredResult>) =>
  Array.from({ length: 1440 }, (_, minute) => ({
    ...plain,
    us: minute * 60_000_000 + 12_345_000,
    ...change(minute),
  }))

// biome-ignore format: a table is read by its columns
const days: [name: string, rows: StoredResult[]][] = [
  ['one result at the first instant',         [plain]],
  ['one result at the last instant',          [{ ...plain, us: DAY_US - 1 }]],
  ['nothing but nulls',                       everyMinute(() => ({ responseMs: null, statusCode: null, region: null, detail: null }))],
  ['every value of a byte',                   everyMinute((n) => ({ responseMs: n, detail: n * 0x01_01_01_01 | 0 }))],
  ['an outage of an hour',                    everyMinute((n) => (n >= 600 && n < 660 ? { verdict: 2, responseMs: null, statusCode: 503 } : {}))],
  ['regions in turn',                         everyMinute((n) => ({ region: 1 + (n % 3) }))],
  ['the largest and the smallest numbers',    [{ ...plain, responseMs: 2_147_483_647, statusCode: -32_768, region: 32_767, detail: -2_147_483_648 }, { ...plain, us: 1, detail: 0, responseMs: 0 }]],
  ['two results a microsecond apart',         [plain, { ...plain, us: 1 }]],
]
for (const [name, rows] of days)
  test(`packed and read again: ${name}`, async () => {
    const { before, after, left } = await roundTrip(rows)
    assert.equal(before.length, rows.length)
    assert.deepEqual(after, before)
    assert.equal(left, 0)
  })

// Packs without a wanted verdict are not even unpacked, so what marks them must be right.
// biome-ignore format: a table is read by its columns
const searches: [verdicts: number[] | null, found: number[]][] = [
  [null,       [0, 2, 4, 62, 63, 255]],
  [[2],        [2]],
  [[0, 4],     [0, 4]],
  [[62],       [62]],
  [[255, 63],  [63, 255]],
  [[1],        []],
  [[],         []],
]
test('packed_results finds the wanted verdicts and no other', async () => {
  const [from, to] = nextDay()
  const rows = [0, 2, 4, 62, 63, 255].map((verdict, us) => ({ ...plain, us, verdict }))
  await insertDay(database.admin, monitorNo, from, rows)
  await packAll(database.engine)
  for (const [verdicts, expected] of searches) {
    const { rows: found } = await database.admin.query<{ verdict: number }>(
      'select verdict from packed_results($1, $2, $3, $4) order by slot',
      [monitorNo, from, to, verdicts],
    )
    assert.deepEqual(
      found.map(({ verdict }) => verdict),
      expected,
      JSON.stringify(verdicts),
    )
  }
})

test('a usual day costs at most 10 bytes a result, and an hourly monitor less than half of its rows', async (t) => {
  const noise = (n: number, most: number) => (n * 7919 + ((n * n) % 977) * 31) % most
  const usual = everyMinute((n) => {
    const detail = [4, 30, 40, 70].reduce(
      (sum, most, phase) => sum | (noise(n + phase, most) << (8 * phase)),
      0,
    )
    return { responseMs: 90 + noise(n, 160), detail }
  })
  for (const [rows, most] of [
    [usual, 10],
    [usual.filter((_, n) => n % 60 === 0), 50],
  ] as const) {
    await roundTrip(rows)
    const { rows: sizes } = await database.admin.query<{ bytes: number }>(
      `select 48 + ${ARRAYS.map((name) => `pg_column_size(${name})`).join(' + ')} as bytes
         from result_packs where monitor_no = $1 and results = $2 order by day limit 1`,
      [monitorNo, rows.length],
    )
    const perResult = (sizes[0]?.bytes ?? Number.NaN) / rows.length
    t.diagnostic(`${rows.length} results: ${perResult.toFixed(1)} B each`)
    assert.ok(perResult <= most, `${perResult} B`)
  }
})
