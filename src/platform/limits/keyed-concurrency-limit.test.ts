import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../api-error.ts'
import {
  KeyedConcurrencyLimit,
  type KeyedLimitOptions,
  type Release,
} from './keyed-concurrency-limit.ts'

const limitOf = (options: Partial<KeyedLimitOptions> = {}) =>
  new KeyedConcurrencyLimit({
    total: 4,
    perKey: 2,
    maxWaitingPerKey: 10,
    maxWaitMs: 1_000,
    ...options,
  })

/** Acquires slots by name and records the order in which they were granted. */
function takerOf(limit: KeyedConcurrencyLimit) {
  const given: { name: string; release: Release }[] = []
  const order: string[] = []
  return {
    order,
    async take(key: string, name: string): Promise<void> {
      const release = await limit.acquire(key).catch(() => undefined)
      // Refused after the test has ended.
      if (release === undefined) return
      given.push({ name, release })
      order.push(name)
    },
    async freeOldest(): Promise<void> {
      given.shift()?.release()
      await delay(0)
    },
  }
}

test('a key runs as many as it may; the others of it wait in order', async () => {
  const limit = limitOf({ total: 10 })
  const taker = takerOf(limit)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void taker.take('a', name)
  await delay(0)
  assert.deepEqual(taker.order, ['a1', 'a2'])
  await taker.freeOldest()
  await taker.freeOldest()
  assert.deepEqual(taker.order, ['a1', 'a2', 'a3', 'a4'])
  assert.deepEqual(limit.stats, { running: 2, waiting: 1, keys: 1 })
})

test('a full key holds up no other key', async () => {
  const limit = limitOf()
  const taker = takerOf(limit)
  for (let n = 1; n <= 8; n++) void taker.take('a', `a${n}`)
  void taker.take('b', 'b1')
  await delay(0)
  assert.deepEqual(taker.order, ['a1', 'a2', 'b1'])
})

test('when all slots are taken, keys get free ones in turn, however long their queues', async () => {
  const limit = limitOf({ total: 2, perKey: 2 })
  const taker = takerOf(limit)
  for (let n = 1; n <= 6; n++) void taker.take('a', `a${n}`)
  for (let n = 1; n <= 2; n++) void taker.take('b', `b${n}`)
  void taker.take('c', 'c1')
  await delay(0)
  for (let n = 0; n < 7; n++) await taker.freeOldest()
  assert.deepEqual(taker.order, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5', 'a6'])
})

test('over the bound of its queue a key is refused, and only that key', async () => {
  const limit = limitOf({ maxWaitingPerKey: 3 })
  for (let n = 0; n < 5; n++) limit.acquire('a').catch(() => {})
  await assert.rejects(
    limit.acquire('a'),
    (error) =>
      error instanceof ApiError &&
      error.code === 'rate_limited' &&
      error.headers['Retry-After'] === '1',
  )
  const release = await limit.acquire('b')
  release()
})

test('what waited too long is refused, and does not take a slot later', async () => {
  const limit = limitOf({ perKey: 1, maxWaitMs: 20 })
  const release = await limit.acquire('a')
  await assert.rejects(limit.acquire('a'), ApiError)
  assert.deepEqual(limit.stats, { running: 1, waiting: 0, keys: 1 })
  release()
  assert.deepEqual(limit.stats, { running: 0, waiting: 0, keys: 0 })
})

test('a slot is freed once, whatever the work does', async () => {
  const limit = limitOf({ perKey: 1 })
  const release = await limit.acquire('a')
  release()
  release()
  await assert.rejects(
    limit.run('a', async () => {
      throw new TypeError('broken')
    }),
    TypeError,
  )
  assert.deepEqual(limit.stats, { running: 0, waiting: 0, keys: 0 })
})

test('many keys in disorder never exceed either limit, and leave nothing behind', async () => {
  const limit = limitOf({ total: 7, perKey: 2, maxWaitingPerKey: 1_000, maxWaitMs: 60_000 })
  const running = new Map<string, number>()
  let [all, most, mostOfKey] = [0, 0, 0]
  const work = async (key: string) => {
    all += 1
    running.set(key, (running.get(key) ?? 0) + 1)
    most = Math.max(most, all)
    mostOfKey = Math.max(mostOfKey, running.get(key) ?? 0)
    await (Math.random() < 0.5 ? delay(0) : Promise.resolve())
    all -= 1
    running.set(key, (running.get(key) ?? 0) - 1)
  }
  const tasks = Array.from({ length: 5_000 }, (_, n) => {
    const key = `k${(n * 7919) % 20}`
    return limit.run(key, () => work(key))
  })
  await Promise.all(tasks)
  assert.deepEqual([most, mostOfKey], [7, 2])
  assert.deepEqual(limit.stats, { running: 0, waiting: 0, keys: 0 })
})
