import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchTotp, toBase32, totpAddress, totpAt } from './totp.ts'

const SEED = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

test('codes equal the vectors of RFC 6238, cut to six digits', () => {
  const vectors = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const
  for (const [seconds, code] of vectors)
    assert.equal(totpAt(SEED, Math.floor(seconds / 30)), code, String(seconds))
})

test('a code counts in its own step and the ones beside it', () => {
  const step = Math.floor(1_234_567_890 / 30)
  const code = totpAt(SEED, step)
  const match = (offset: number) =>
    matchTotp(SEED, code, { now: at((step + offset) * 30 + 15), lastStep: null })
  assert.deepEqual([-2, -1, 0, 1, 2].map(match), [undefined, step, step, step, undefined])
})

test('a step that was used is spent, and so is every one before it', () => {
  const step = 41_152_263
  const now = at(step * 30 + 5)
  const code = totpAt(SEED, step)
  assert.equal(matchTotp(SEED, code, { now, lastStep: step - 1 }), step)
  assert.equal(matchTotp(SEED, code, { now, lastStep: step }), undefined)
  assert.equal(matchTotp(SEED, totpAt(SEED, step - 1), { now, lastStep: step }), undefined)
})

test('what is not six digits is no code', () => {
  const now = at(59)
  for (const text of ['', '28708', '2870822', ' 287082', '28708a', '２８７０８２'])
    assert.equal(matchTotp(SEED, text, { now, lastStep: null }), undefined, text)
})

test('seeds are written in base32, and the address names the account', () => {
  assert.equal(toBase32(SEED), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  assert.deepEqual(
    ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text))),
    ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'],
  )
  assert.equal(
    totpAddress(SEED, 'ana+1@example.com'),
    'otpauth://totp/Upvane:ana%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Upvane',
  )
})
