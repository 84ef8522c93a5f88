import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson, fingerprint, isIdempotencyKey, lockNumber } from './idempotency.ts'

for (const key of ['a', 'A-z_0.9:x', 'x'.repeat(200)])
  test(`"${key.slice(0, 20)}" is a key`, () => assert.ok(isIdempotencyKey(key)))
for (const key of ['', 'x'.repeat(201), 'a b', 'a, b', 'ä', 'a/b', 'a\n'])
  test(`${JSON.stringify(key.slice(0, 20))} is no key`, () => assert.ok(!isIdempotencyKey(key)))

test('the order of properties has no meaning, the order of items has', () => {
  assert.equal(
    canonicalJson({ b: [2, 1], a: { d: null, c: 'x' } }),
    '{"a":{"c":"x","d":null},"b":[2,1]}',
  )
})

test('canonical JSON reads back as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value))),
    ),
  )
})

test('method, path and body each make another fingerprint', () => {
  const base = { method: 'POST', path: '/api/v1/monitors', body: { name: 'a' } }
  const prints = [
    base,
    { ...base, method: 'PATCH' },
    { ...base, path: '/api/v1/monitors/x' },
    { ...base, body: { name: 'b' } },
    { ...base, body: undefined },
  ].map((identity) => fingerprint(identity).toString('hex'))
  assert.equal(new Set(prints).size, prints.length)
})

test('the lock number fits a bigint and differs by organization and key', () => {
  const numbers = [lockNumber('a', 'k'), lockNumber('b', 'k'), lockNumber('a', 'l')]
  assert.equal(new Set(numbers).size, 3)
  for (const number of numbers) assert.equal(BigInt.asIntN(64, BigInt(number)), BigInt(number))
})
