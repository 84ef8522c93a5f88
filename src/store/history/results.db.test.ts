import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  type DbFixture,
  PROTOCOL,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import type { Tx } from '../core/db.ts'
import { insertNewResults, insertResults, isCollision, type ResultRow } from './results.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
beforeEach(() => database.admin.query('truncate results, late_hours'))
after(() => fixture.stop())

const result = (monitorNo: number, slot: Date, changes: Partial<ResultRow> = {}): ResultRow => ({
  monitorNo,
  slot,
  kind: 'SCHEDULED',
  verdict: 'PASSED',
  fate: 'FOLDED',
  responseMs: 12,
  statusCode: 200,
  regionNo: 1,
  causeCode: null,
  timings: null,
  ...changes,
})

const inside = <T>(work: (tx: Tx) => Promise<T>) => database.engine.transaction(undefined, work)

async function stored(): Promise<unknown[]> {
  return (await database.admin.query('select * from results order by monitor_no, slot')).rows
}

/** An instant with some seconds of the same day on either side. */
function noonOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + DAY_MS / 2)
}

test('new results lie in the table as others do, whatever they hold', async () => {
  const now = await inside(async (tx) => tx.now)
  const rows = [
    result(1, now),
    result(2, now, { responseMs: null, statusCode: null, regionNo: null }),
    result(2, new Date(now.getTime() + 1), { timings: { dnsMs: 3, firstByteMs: 60_000 } }),
    result(2, new Date(now.getTime() + 2), { verdict: 'FAILED', causeCode: 'TIMEOUT' }),
    result(3, new Date(now.getTime() + 1), { kind: 'DEADLINE', verdict: 'INCONCLUSIVE' }),
    result(9_007_199_254_740_991, now, { responseMs: 2_147_483_647, regionNo: -32_768 }),
  ]
  await inside((tx) => insertNewResults(tx, rows))
  const copied = await stored()
  await database.admin.query('truncate results')
  await inside((tx) => insertResults(tx, rows))
  assert.deepEqual(copied, await stored())
  assert.equal(copied.length, rows.length)
})

test('around midnight each result lies in the partition of its day', async () => {
  const midnight = new Date(noonOf(new Date()).getTime() + DAY_MS / 2)
  const rows = [result(1, new Date(midnight.getTime() - 1)), result(1, midnight)]
  await inside((tx) => insertNewResults(tx, rows))
  const { rows: places } = await database.admin.query(
    'select tableoid::regclass::text as place from results order by slot',
  )
  const name = (at: Date) => `results_${at.toISOString().slice(0, 10).replaceAll('-', '')}`
  const [first, second] = rows
  assert.deepEqual(
    places.map(({ place }) => place),
    [name(first?.slot ?? midnight), name(second?.slot ?? midnight)],
  )
})

test('a result that comes late marks its hour to be summed up again', async () => {
  const late = new Date(Date.now() - 2 * HOUR_MS)
  await inside((tx) => insertNewResults(tx, [result(1, late), result(2, new Date())]))
  const { rows } = await database.admin.query('select monitor_no::int as no from late_hours')
  assert.deepEqual(rows, [{ no: 1 }])
})

test('a slot that is recorded already collides, nothing of the batch stays, and the next one goes', async () => {
  const slot = new Date()
  await inside((tx) => insertNewResults(tx, [result(1, slot)]))
  const again = [result(2, slot), result(1, slot, { verdict: 'FAILED' })]
  await assert.rejects(
    inside((tx) => insertNewResults(tx, again)),
    isCollision,
  )
  assert.equal((await stored()).length, 1)
  await inside((tx) => insertResults(tx, again))
  const { rows } = await database.admin.query('select verdict from results order by monitor_no')
  assert.deepEqual(rows, [{ verdict: 0 }, { verdict: 0 }])
})

test('a day without a partition is refused, and the connection is as good as before', async () => {
  const faraway = new Date(Date.now() + 300 * DAY_MS)
  await assert.rejects(inside((tx) => insertNewResults(tx, [result(1, faraway)])))
  for (let i = 0; i < 4; i++)
    await inside((tx) => insertNewResults(tx, [result(i + 1, new Date())]))
  assert.equal((await stored()).length, 4)
})

test('what fits no column is refused, by the fast protocol before it is sent', async () => {
  const odd = result(1, new Date(), { statusCode: 70_000 })
  const refusal = PROTOCOL === 'plain' ? { code: '22003' } : RangeError
  for (const insert of [insertNewResults, insertResults])
    await assert.rejects(
      inside((tx) => insert(tx, [odd])),
      refusal,
    )
})

test('the partitions that the janitor makes take results too', async () => {
  const day = new Date(Date.now() + 50 * DAY_MS)
  const date = day.toISOString().slice(0, 10)
  await database.engine.query({ name: 'ensure', text: 'select ensure_partitions($1, 1)' }, [date])
  await inside((tx) => insertNewResults(tx, [result(1, day)]))
  assert.equal((await stored()).length, 1)
})
