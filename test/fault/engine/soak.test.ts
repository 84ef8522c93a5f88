// A steady run: hundreds of checks a second of every kind, and no memory is retained. `npm run long soak` is two hours of
// it on a cluster (test/long/soak.test.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStack } from '../../../tools/stack.ts'
import { openSoak, PLENTY } from './soak.ts'
import { assertFlat, assertVerdicts, describeHeld } from './soak-flat.ts'

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 60)
const CHECKS_PER_SECOND = Number(process.env['SOAK_RATE'] ?? 300)
const LEAST_DONE = 0.9

test(`soak for ${SECONDS} s at ${CHECKS_PER_SECOND} checks a second: nothing is kept`, async (t) => {
  const soak = await openSoak({
    seconds: SECONDS,
    checksPerSecond: CHECKS_PER_SECOND,
    start: (env) => startStack({ rateLimit: PLENTY, env }),
    roles: ['scheduler', 'probe', 'api'],
  })
  try {
    const course = await soak.run()
    const tallies = await soak.tally(course)
    const done = tallies.reduce((sum, { count }) => sum + count, 0)
    const due = soak.due(course)
    // Before the assertions: the figures of a failed run are useful too.
    t.diagnostic(
      `soak ${SECONDS} s: ${done} of ${due} checks, ${soak.callers.calls} pings, ${describeHeld(course.readings)}`,
    )
    assertFlat(soak, course.readings)
    assert.ok(done >= LEAST_DONE * due, `${done} of ${due} checks were done`)
    assertVerdicts(soak.targets.kinds, tallies)
    assert.ok(soak.callers.calls > 0 && soak.callers.failures === 0, 'pings were lost')
  } finally {
    await soak.close()
  }
})
