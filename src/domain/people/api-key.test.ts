import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { createApiKey, hashApiKey, isApiKey } from './api-key.ts'

const key = createApiKey(Uint8Array.from({ length: 64 }, (_, i) => i * 3))

test('a key has the form that secret scanners look for', () => {
  assert.match(key, /^upv_[0-9A-Za-z]{38}$/)
  assert.ok(isApiKey(key))
})

test('the checksum is the CRC32 of what stands before it, in base62', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const value = Array.from(key.slice(-6)).reduce(
    (sum, digit) => sum * 62 + digits.indexOf(digit),
    0,
  )
  assert.equal(value, crc32(key.slice(0, -6)))
})

test('any one wrong character is noticed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: key.length - 1 }),
      fc.constantFrom('a', 'B', '7', '-'),
      (at, other) => {
        fc.pre(key[at] !== other)
        assert.ok(!isApiKey(key.slice(0, at) + other + key.slice(at + 1)))
      },
    ),
  )
})

test('too few fair random bytes make no key', () => {
  assert.throws(() => createApiKey(new Uint8Array(64).fill(255)), RangeError)
})

test('only the hash is kept', () => {
  assert.equal(hashApiKey(key).length, 32)
})
