import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from './fair-queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('one key waits for itself and for nobody else', async () => {
  const queue = new FairQueue({ capacity: 100, perKey: 2 })
  const ends: (() => void)[] = []
  const started: string[] = []
  const task = (name: string) => () => {
    started.push(name)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  for (const name of ['a1', 'a2', 'a3', 'a4']) queue.run('a', task(name))
  queue.run('b', task('b1'))
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
  assert.equal(queue.size, 5)

  ends[0]?.()
  await turn()
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3'])

  const drained = queue.drained()
  for (let i = 1; i < 5; i++) {
    ends[i]?.()
    await turn()
  }
  await drained
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3', 'a4'])
  assert.equal(queue.size, 0)
})

test('what waits counts against the capacity too', () => {
  const queue = new FairQueue({ capacity: 3, perKey: 1 })
  const never = () => new Promise(() => {})
  queue.run('a', never)
  queue.run('a', never)
  assert.ok(queue.hasRoom(1))
  assert.ok(!queue.hasRoom(2))
})
