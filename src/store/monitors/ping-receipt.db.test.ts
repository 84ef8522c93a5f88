import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { readReceipt, recordReceiving } from './ping-receipt.ts'

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('noteReceiving: moves the end of the record; a gap becomes an outage, once', async () => {
  const { engine, admin } = await fixture.openDatabase()
  assert.deepEqual(await readReceipt(engine), { until: new Date(0), outages: [] })
  await recordReceiving(engine, 'eu')
  const { until, outages } = await readReceipt(engine)
  assert.ok(Math.abs(Date.now() - until.getTime()) < 5000)
  assert.deepEqual(outages, [], 'nothing is missing before the first start')

  await admin.query(`update ping_receipt set until = until - interval '1 hour'`)
  // Several processes start at the same time.
  await Promise.all(Array.from({ length: 8 }, () => recordReceiving(engine, 'eu')))
  const after = await readReceipt(engine)
  assert.equal(after.outages.length, 1)
  const [latest] = after.outages.toSorted((a, b) => b.endedAt.getTime() - a.endedAt.getTime())
  assert.equal(latest?.startedAt.getTime(), until.getTime() - 3_600_000)
  assert.ok(latest.endedAt >= until && latest.endedAt <= after.until)
})

test('noteReceiving: a clock that was set back neither shortens the record nor opens a gap', async () => {
  const { engine, admin } = await fixture.openDatabase()
  await recordReceiving(engine, 'eu')
  await admin.query(`update ping_receipt set until = now() + interval '1 hour'`)
  const ahead = await readReceipt(engine)
  await recordReceiving(engine, 'eu')
  assert.deepEqual(await readReceipt(engine), ahead)
})
