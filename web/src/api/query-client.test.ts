import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem, NoConnection } from './problem.ts'
import { createQueryClient, delayOf } from './query-client.ts'

const limited = new ApiProblem({ code: 'rate_limited', message: 'Too many requests.' }, 7)

test('what was refused because of too many requests is read again after as long as the server asked for', () => {
  const { retry } = createQueryClient(() => {}).getDefaultOptions().queries ?? {}
  assert.ok(typeof retry === 'function')
  assert.ok(retry(0, limited))
  assert.ok(!retry(2, limited), 'not endlessly')
  assert.ok(!retry(0, new ApiProblem({ code: 'not_found', message: 'No.' })))
  assert.equal(delayOf(0, limited), 7_000)
  assert.equal(delayOf(1, limited), 7_000)
})

test('a lost connection is tried again, each time later', () => {
  const lost = new NoConnection()
  assert.deepEqual(
    [0, 1, 9].map((failures) => delayOf(failures, lost)),
    [1_000, 2_000, 30_000],
  )
})
