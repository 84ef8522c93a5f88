import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ConcurrencyLimit } from './concurrency-limit.ts'

test('so many are inside at once, in the order they came, and what fails leaves too', async () => {
  const limit = new ConcurrencyLimit({ slots: 2, waiting: 10 })
  let inside = 0
  let most = 0
  const begun: number[] = []
  const work = (n: number) =>
    limit.run(async () => {
      begun.push(n)
      inside += 1
      most = Math.max(most, inside)
      await delay(2)
      inside -= 1
      if (n % 3 === 0) throw new Error('failed')
      return n
    })
  const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(work))
  assert.equal(most, 2)
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6])
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 3)
  assert.equal(await work(7), 7)
})

test('whoever finds too many waiting is turned away at once', async () => {
  const limit = new ConcurrencyLimit({ slots: 1, waiting: 2 })
  const held = Promise.withResolvers<void>()
  const first = [1, 2, 3].map(() => limit.run(() => held.promise))
  await assert.rejects(
    limit.run(async () => undefined),
    { code: 'rate_limited' },
  )
  held.resolve()
  await Promise.all(first)
  await limit.run(async () => undefined)
})
