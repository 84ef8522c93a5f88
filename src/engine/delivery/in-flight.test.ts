import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOST } from '../../domain/events/delivery-outcome.ts'
import { type Finished, InFlight } from './in-flight.ts'

const NOW_MS = 100_000

function finished(endpointId: string, atMs = NOW_MS): Finished {
  const delivery = { deliveryId: endpointId, number: 1, orgId: 'org', channel: 'WEBHOOK' as const }
  return { ...delivery, endpointId, manual: false, startedAt: new Date(0), result: LOST, atMs }
}

test('what is recorded leaves the hand; what ended meanwhile stays', () => {
  const inFlight = new InFlight()
  inFlight.begin(3)
  inFlight.finish(finished('a'))
  const batch = inFlight.batch(NOW_MS)
  inFlight.finish(finished('b'))
  inFlight.recorded(batch, new Set())
  assert.deepEqual([inFlight.count, inFlight.fresh], [2, 1])
  assert.deepEqual(
    inFlight.batch(NOW_MS).map(({ endpointId }) => endpointId),
    ['b'],
  )
})

test('what could not be recorded comes with the next batch, but hurries nobody', async () => {
  const inFlight = new InFlight()
  inFlight.begin(2)
  inFlight.finish(finished('a'))
  inFlight.finish(finished('b'))
  inFlight.recorded(inFlight.batch(NOW_MS), new Set(['a']))
  assert.deepEqual([inFlight.count, inFlight.fresh], [1, 0])
  assert.equal(inFlight.batch(NOW_MS).length, 1)
  const startMs = performance.now()
  await inFlight.sleep(30, 1)
  assert.ok(performance.now() - startMs >= 25)
})

test('a sleep ends when enough has ended, or when it is woken', async () => {
  const inFlight = new InFlight()
  inFlight.begin(3)
  const slept = inFlight.sleep(60_000, 2)
  inFlight.finish(finished('a'))
  inFlight.finish(finished('b'))
  await slept
  const again = inFlight.sleep(60_000, 9)
  inFlight.wake()
  await again
})

test('what was claimed too long ago is let go', () => {
  const inFlight = new InFlight()
  inFlight.begin(2)
  inFlight.finish(finished('old', NOW_MS - 26_000))
  inFlight.finish(finished('new', NOW_MS - 24_000))
  assert.equal(inFlight.batch(NOW_MS).length, 1)
  assert.equal(inFlight.count, 1)
})
