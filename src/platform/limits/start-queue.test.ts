import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StartQueue } from './start-queue.ts'

test('a few start at once', () => {
  const queue = new StartQueue()
  const started: number[] = []
  for (let n = 0; n < 5; n++) queue.run('a', () => started.push(n))
  assert.deepEqual(started, [0, 1, 2, 3, 4])
})

test('of hundreds, few start in one turn, all start, and in their order', async () => {
  const queue = new StartQueue()
  const started: number[] = []
  const perTurn: number[] = []
  for (let n = 0; n < 300; n++) queue.run('a', () => started.push(n))
  for (let before = 0; started.length < 300; before = started.length) {
    perTurn.push(started.length - before)
    await nextTurn()
  }
  assert.ok(Math.max(...perTurn) <= 8, `${perTurn}`)
  assert.deepEqual(
    started,
    Array.from({ length: 300 }, (_, n) => n),
  )
})

test('a long queue of one key delays another by a turn', async () => {
  const queue = new StartQueue()
  let ofA = 0
  for (let n = 0; n < 300; n++) queue.run('a', () => ofA++)
  const ofAWhenB = await new Promise<number>((resolve) => queue.run('b', () => resolve(ofA)))
  assert.ok(ofAWhenB < 20, `${ofAWhenB}`)
})
