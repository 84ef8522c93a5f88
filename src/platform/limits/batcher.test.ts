import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Batcher, type BatcherOptions } from './batcher.ts'

const OPTIONS = {
  gatherMs: 1,
  gatherMoreMs: 1,
  maxBatch: 10,
  backlogThreshold: 10,
  maxConcurrent: 2,
}

/** Batches stay in flight until they are released. */
function start(options: Partial<BatcherOptions<number>> = {}) {
  const begun: number[][] = []
  const inFlight: PromiseWithResolvers<void>[] = []
  const batcher = new Batcher<number>({
    ...OPTIONS,
    ...options,
    work(batch) {
      const held = Promise.withResolvers<void>()
      begun.push(batch)
      inFlight.push(held)
      return held.promise
    },
  })
  const addMany = (count: number, from = 0) => {
    for (let piece = from; piece < from + count; piece++) batcher.add(piece)
  }
  const untilBegun = async (count: number) => {
    while (begun.length < count) await turn()
  }
  const letGo = () => {
    for (const { resolve } of inFlight.splice(0)) resolve()
  }
  return { lanes: batcher, begun, addMany, untilBegun, letGo }
}

describe('lanes', () => {
  test('pieces of a moment are done together, in their order', async () => {
    const { begun, addMany, untilBegun } = start()
    addMany(3)
    await untilBegun(1)
    assert.deepEqual(begun, [[0, 1, 2]])
  })

  test('a second lane is opened when many wait for the first, and no third', async () => {
    const { lanes: batcher, begun, addMany, untilBegun } = start()
    addMany(1)
    await untilBegun(1)
    addMany(9, 1)
    assert.equal(batcher.waiting, 9)
    addMany(21, 10)
    await untilBegun(2)
    assert.deepEqual(begun[1]?.length, 10)
    assert.equal(batcher.waiting, 20)
  })

  test('one that few wait for is not opened', async () => {
    const { lanes: batcher, begun, addMany, untilBegun } = start({ gatherMs: 0 })
    addMany(1)
    await untilBegun(1)
    addMany(9, 1)
    for (let count = 0; count < 50; count++) await turn()
    assert.equal(begun.length, 1)
    assert.equal(batcher.waiting, 9)
  })

  test('drained when nothing waits and nothing is in hand, also of what came meanwhile', async () => {
    const { lanes: batcher, begun, addMany, untilBegun, letGo } = start()
    let isDrained = false
    addMany(1)
    const drained = batcher.drained().then(() => {
      isDrained = true
    })
    await untilBegun(1)
    addMany(1, 1)
    assert.equal(isDrained, false)
    letGo()
    await untilBegun(2)
    assert.equal(isDrained, false)
    letGo()
    await drained
    assert.deepEqual(begun, [[0], [1]])
  })

  test('what comes when a lane is just over opens the next', async () => {
    const { lanes: batcher, addMany, untilBegun, letGo } = start()
    addMany(1)
    await untilBegun(1)
    letGo()
    await batcher.drained()
    addMany(1, 1)
    await untilBegun(2)
  })
})
