import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparableCode, passwordProblem, recoveryCode } from './sign-in.ts'

// biome-ignore format: a table is read by its columns
const passwords: [password: string, problem: RegExp | undefined][] = [
  ['correct horse',                undefined],
  ['twelve chars',                 undefined],
  ['eleven char',                  /at least 12/],
  ['😀😃😄😁😆😅🤣😂🙂🙃😉😊',           undefined], // counted as code points
  ['x'.repeat(129),                /at most 128/],
  [`correct ${'horse '.repeat(20)}`, undefined],
  ['aaaaaaaaaaaaaa',               /same few characters/],
  ['ababababababab',               /same few characters/],
  ['12341234123412',               /same few characters/],
  ['password1234',                 /common/],
  ['123456789012',                 /common/],
  ['qwertyuiop12',                 /common/],
  ['maria.rossi!2026',             /email address/],
  ['MARIA.ROSSI!2026',             /email address/],
]
for (const [password, problem] of passwords)
  test(`the password ${JSON.stringify(password.slice(0, 30))}`, () => {
    const found = passwordProblem(password, { email: 'maria.rossi@example.com' })
    if (problem === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', problem)
  })

test('a short name before the @ forbids nothing', () => {
  assert.equal(passwordProblem('a horse is a horse', { email: 'a@example.com' }), undefined)
})

test('recovery codes are read as people type them', () => {
  const code = recoveryCode(Uint8Array.from({ length: 16 }, (_, i) => i * 13))
  assert.match(code, /^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/)
  for (const typed of [code.toUpperCase(), code.replace('-', ''), ` ${code.replace('-', ' ')} `])
    assert.equal(comparableCode(typed), comparableCode(code))
  assert.throws(() => recoveryCode(new Uint8Array(9)), RangeError)
})
