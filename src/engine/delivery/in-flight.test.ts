import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Finished, Hand } from './in-flight.ts'
import { LOST } from './settle.ts'

const NOW_MS = 100_000

function finished(endpointId: string, atMs = NOW_MS): Finished {
  const delivery = { deliveryId: endpointId, number: 1, orgId: 'org', channel: 'WEBHOOK' as const }
  return { ...delivery, endpointId, manual: false, startedAt: new Date(0), result: LOST, atMs }
}

test('what is recorded leaves the hand; what ended meanwhile stays', () => {
  const hand = new Hand()
  hand.begin(3)
  hand.finish(finished('a'))
  const batch = hand.batch(NOW_MS)
  hand.finish(finished('b'))
  hand.recorded(batch, new Set())
  assert.deepEqual([hand.count, hand.fresh], [2, 1])
  assert.deepEqual(
    hand.batch(NOW_MS).map(({ endpointId }) => endpointId),
    ['b'],
  )
})

test('what could not be recorded comes with the next batch, but hurries nobody', async () => {
  const hand = new Hand()
  hand.begin(2)
  hand.finish(finished('a'))
  hand.finish(finished('b'))
  hand.recorded(hand.batch(NOW_MS), new Set(['a']))
  assert.deepEqual([hand.count, hand.fresh], [1, 0])
  assert.equal(hand.batch(NOW_MS).length, 1)
  const startMs = performance.now()
  await hand.sleep(30, 1)
  assert.ok(performance.now() - startMs >= 25)
})

test('a sleep ends when enough has ended, or when it is woken', async () => {
  const hand = new Hand()
  hand.begin(3)
  const slept = hand.sleep(60_000, 2)
  hand.finish(finished('a'))
  hand.finish(finished('b'))
  await slept
  const again = hand.sleep(60_000, 9)
  hand.wake()
  await again
})

test('what was claimed too long ago is let go', () => {
  const hand = new Hand()
  hand.begin(2)
  hand.finish(finished('old', NOW_MS - 26_000))
  hand.finish(finished('new', NOW_MS - 24_000))
  assert.equal(hand.batch(NOW_MS).length, 1)
  assert.equal(hand.count, 1)
})
