import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { HeartbeatClock } from '../../domain/monitors/heartbeat-clock.ts'
import { toClock } from './columns.ts'
import { clockText } from './write-states.ts'

const at = fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true })
const clocks: fc.Arbitrary<HeartbeatClock> = fc.record(
  {
    startedAt: at,
    lastPing: fc.option(fc.record({ at, passed: fc.boolean() })),
    runs: fc.array(fc.record({ rid: fc.option(fc.string({ unit: 'binary' })), startedAt: at })),
    missedAt: fc.option(at),
    lostMs: fc.nat(),
    recoversAt: at,
  },
  { requiredKeys: ['startedAt', 'lastPing', 'runs', 'missedAt'] },
)

test('a clock is written as JSON.stringify would', () => {
  assert.equal(clockText(null), null)
  fc.assert(
    fc.property(clocks, (clock) => {
      const { startedAt, lastPing, runs, missedAt, lostMs, recoversAt } = clock
      const ordered = {
        startedAt,
        lastPing: lastPing && { at: lastPing.at, passed: lastPing.passed },
        runs,
        missedAt,
        lostMs,
        recoversAt,
      }
      const text = JSON.stringify(ordered)
      assert.equal(clockText(clock), text)
      assert.equal(clockText(toClock(JSON.parse(text))), text)
    }),
  )
})
