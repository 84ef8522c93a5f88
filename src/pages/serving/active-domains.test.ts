import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import { ActiveDomains } from './active-domains.ts'

const log = pino({ level: 'silent' })

test('lookups of a moment share one query, and one query runs at a time', async () => {
  const batches: string[][] = []
  let running = 0
  const domains = new ActiveDomains(async (names) => {
    assert.equal(++running, 1)
    batches.push([...names])
    await delay(5)
    running--
    return names.filter((name) => name === 'active.test')
  }, log)
  const hosts = Array.from({ length: 1200 }, (_, i) => `made-up-${i}.test`)
  const answers = await Promise.all(
    ['active.test', ...hosts, 'active.test'].map((host) => domains.isActive(host)),
  )
  assert.deepEqual(
    answers.filter((isActive) => isActive),
    [true, true],
  )
  assert.ok(batches.length <= 4, `${batches.length} queries`)
  assert.ok(batches.every((names) => names.length <= 500))
})

test('an answer is remembered for a second and then asked for again', async () => {
  let nowMs = 0
  const active = new Set(['a.test'])
  let queries = 0
  const domains = new ActiveDomains(
    async (names) => {
      queries++
      return names.filter((name) => active.has(name))
    },
    log,
    () => nowMs,
  )
  for (let i = 0; i < 50; i++) assert.equal(await domains.isActive('a.test'), true)
  assert.equal(await domains.isActive('b.test'), false)
  assert.equal(queries, 2)
  active.delete('a.test')
  active.add('b.test')
  nowMs += 999
  assert.equal(await domains.isActive('a.test'), true)
  nowMs += 1
  assert.equal(await domains.isActive('a.test'), false)
  assert.equal(await domains.isActive('b.test'), true)
})

test('made-up hosts do not push out a domain, and what is no name is not looked up', async () => {
  let nowMs = 0
  let isAway = false
  const asked: string[] = []
  const domains = new ActiveDomains(
    async (names) => {
      if (isAway) throw new Error('no database')
      asked.push(...names)
      return names.filter((name) => name === 'a.test')
    },
    log,
    () => nowMs,
  )
  await domains.isActive('a.test')
  for (let from = 0; from < 12_000; from += 1000)
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) => domains.isActive(`made-up-${from + i}.test`)),
    )
  const odd = ['', 'localhost', 'a..b', '.', 'x y.test', '*.test', `${'a'.repeat(254)}.test`]
  for (const host of odd) assert.equal(await domains.isActive(host), false)
  assert.ok(odd.every((host) => !asked.includes(host)))

  nowMs += 1000
  isAway = true
  assert.equal(await domains.isActive('a.test'), true, 'as last known')
  assert.equal(await domains.isActive('new.test'), false)
})

test('a database that hangs delays an answer by a second at most', async () => {
  const domains = new ActiveDomains(() => new Promise(() => undefined), log)
  const startedMs = performance.now()
  assert.equal(await domains.isActive('a.test'), false)
  assert.ok(performance.now() - startedMs < 2000)
})
