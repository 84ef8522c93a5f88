import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aliasTokenProblems, parseAliasedPing, toAliasName } from './ping-alias.ts'

const ID = 'AbCdEfGhIjKlMnOpQrStUvWx'
const UUID = '5f2b1a6e-0c1d-4e2f-8a3b-4c5d6e7f8091'
const KUMA = 'eYaNuTzjHT'

type Row = [path: string, status: string | null, expected: [token: string, signal: string] | null]

const ROWS: readonly Row[] = [
  [UUID, null, [UUID, 'SUCCESS']],
  [`${UUID}/`, null, [UUID, 'SUCCESS']],
  [`${UUID}/start`, null, [UUID, 'START']],
  [`${UUID}/fail`, null, [UUID, 'FAIL']],
  [`${UUID}/log`, null, [UUID, 'LOG']],
  [`${UUID}/0`, null, [UUID, 'SUCCESS']],
  [`${UUID}/1`, null, [UUID, 'FAIL']],
  [`${UUID}/255`, null, [UUID, 'FAIL']],
  [`${UUID}/256`, null, [`${UUID}/256`, 'SUCCESS']],
  ['pingkey123/nightly-backup', null, ['pingkey123/nightly-backup', 'SUCCESS']],
  ['pingkey123/nightly-backup/start', null, ['pingkey123/nightly-backup', 'START']],
  ['pingkey123/nightly-backup/3', null, ['pingkey123/nightly-backup', 'FAIL']],
  [KUMA, 'up', [KUMA, 'SUCCESS']],
  [KUMA, '', [KUMA, 'SUCCESS']],
  [KUMA, 'down', [KUMA, 'FAIL']],
  [KUMA, 'anything', [KUMA, 'FAIL']],
  // The path says it first.
  [`${KUMA}/0`, 'down', [KUMA, 'SUCCESS']],
  ['start', null, ['start', 'SUCCESS']],
  ['', null, null],
  ['/', null, null],
  ['a/b/c', null, null],
  ['a/b/start/more', null, null],
  ['a%2Fb', null, null],
  ['ä', null, null],
  ['x'.repeat(65), null, null],
]

for (const [path, status, expected] of ROWS)
  test(`/hb/alias/{id}/${path} with status ${status}`, () => {
    const parsed = parseAliasedPing([ID, ...path.split('/')], status)
    const wanted = expected && { name: toAliasName(ID, expected[0]), signal: expected[1] }
    assert.deepEqual(parsed ?? null, wanted)
  })

for (const id of ['', 'short', `${ID}x`, 'AbCdEfGhIjKlMnOpQrStUv..'])
  test(`the id "${id}" is not one`, () => {
    assert.equal(parseAliasedPing([id, KUMA], null), undefined)
  })

for (const [token, isFine] of [
  [UUID, true],
  [KUMA, true],
  ['pingkey/slug', true],
  ['key/slug/more', false],
  ['pingkey/start', false],
  ['pingkey1/7', false],
  ['a', false],
  ['ninechars', false],
  ['key/short', false],
  ['', false],
  ['a b', false],
  ['x'.repeat(65), false],
] as const)
  test(`the token "${token}" is ${isFine ? 'accepted' : 'refused'}`, () => {
    assert.equal(aliasTokenProblems('token', token).length === 0, isFine)
  })

test('every token that is accepted is found again, whatever signal follows it', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
  const token = fc.oneof(
    part,
    fc.tuple(part, part).map((parts) => parts.join('/')),
  )
  const suffix = fc.constantFrom('', '/start', '/fail', '/log', '/0', '/17')
  fc.assert(
    fc.property(token, suffix, (given, signal) => {
      // Shorter ones were accepted once, and keep working.
      fc.pre(aliasTokenProblems('token', given.padEnd(10, 'x')).length === 0)
      fc.pre(aliasTokenProblems('token', given).every(({ message }) => /at least/.test(message)))
      fc.pre(!/\/(?:start|fail|log|\d{1,3})$/.test(given))
      const parsed = parseAliasedPing([ID, ...`${given}${signal}`.split('/')], null)
      assert.equal(parsed?.name, toAliasName(ID, given))
    }),
  )
})
