import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckTally } from './check-tally.ts'

const SECOND = 1000

test('with many checks the last half minute counts, with few the last two minutes', () => {
  const busy = new CheckTally()
  for (let second = 0; second < 100; second++) busy.note(second < 70, second * SECOND)
  const { decided, inconclusive } = busy.recent(99 * SECOND)
  assert.deepEqual({ decided, inconclusive }, { decided: 0, inconclusive: 30 })

  const calm = new CheckTally()
  calm.note(true, 0)
  calm.note(false, 40 * SECOND)
  assert.deepEqual(calm.recent(100 * SECOND), { decided: 1, inconclusive: 1 })
  assert.deepEqual(calm.recent(125 * SECOND), { decided: 0, inconclusive: 1 })
  assert.deepEqual(calm.recent(900 * SECOND), { decided: 0, inconclusive: 0 })
})
