import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type DbBench, startDbBench } from '../../../test/db-kit/db-bench.ts'
import { measureClockOffset } from './clock-watch.ts'

const NEAR_SECONDS = 0.5

let bench: DbBench
before(async () => {
  bench = await startDbBench()
})
after(() => bench.stop())

for (const offset of [0, 90, -90])
  test(`a clock that is ${offset} s off the database's is measured`, async () => {
    const { engine } = await bench.openDatabase()
    const measured = await measureClockOffset(engine, () => Date.now() + offset * 1000)
    assert.ok(Math.abs(measured - offset) < NEAR_SECONDS, `${measured}`)
  })
