import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { measureClockOffset } from './clock-watch.ts'

const NEAR_SECONDS = 0.5

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

for (const offset of [0, 90, -90])
  test(`a clock that is ${offset} s off the database's is measured`, async () => {
    const { engine } = await fixture.openDatabase()
    const measured = await measureClockOffset(engine, () => Date.now() + offset * 1000)
    assert.ok(Math.abs(measured - offset) < NEAR_SECONDS, `${measured}`)
  })
