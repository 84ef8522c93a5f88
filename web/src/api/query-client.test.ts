import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem, messageOf, NoConnection } from './problem.ts'
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

test('during a failover it is tried again; the move of an organization is only explained', () => {
  const { retry } = createQueryClient(() => {}).getDefaultOptions().queries ?? {}
  assert.ok(typeof retry === 'function')
  const failing = (message: string, seconds?: number) =>
    new ApiProblem({ code: 'internal_error', message }, seconds)
  assert.ok(retry(0, failing('The database is failing over.', 5)))
  const moving = failing('The organization is being moved.', 60)
  assert.ok(!retry(0, moving))
  assert.equal(messageOf(moving), 'The organization is being moved.')
  assert.ok(!retry(0, failing('Our bug.')))
  assert.notEqual(messageOf(failing('Our bug.')), 'Our bug.')
})
