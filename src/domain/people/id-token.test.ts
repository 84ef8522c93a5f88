import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Claims, idTokenProblem, isDomainAllowed, toProvenIdentity } from './id-token.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const SECONDS = NOW.getTime() / 1000
const EXPECTED = { clientId: 'upvane', now: NOW }
const GOOD: Claims = { aud: 'upvane', sub: 'ana-1', iat: SECONDS - 5 }

// biome-ignore format: a table is read by its columns
const rows: [name: string, change: Claims, problem: string | undefined][] = [
  ['a good one',                       {},                                      undefined],
  ['for us among others, by name',     { aud: ['upvane', 'x'], azp: 'upvane' }, undefined],
  ['for us, but made for another',     { aud: ['upvane', 'x'], azp: 'x' },      'it is for another client'],
  ['made for another client',          { azp: 'x' },                            'it is for another client'],
  ['within the leeway',                { iat: SECONDS + 59 },                   undefined],
  ['from the future',                  { iat: SECONDS + 61 },                   'it is from the future'],
  ['a time that is no number',         { iat: String(SECONDS) },                'it is from the future'],
  ['no time',                          { iat: undefined },                      'it is from the future'],
  ['nobody',                           { sub: '' },                             'it names nobody'],
  ['a number for somebody',            { sub: 7 },                              'it names nobody'],
  ['a name of nearly any length',      { sub: 'x'.repeat(256) },                'it names nobody'],
  ['a name with U+0000',               { sub: 'a\0' },                          'it names nobody'],
]
for (const [name, change, problem] of rows)
  test(`an ID token: ${name}`, () =>
    assert.equal(idTokenProblem({ ...GOOD, ...change }, EXPECTED), problem))

test('an address counts only when the provider has made sure of it', () => {
  const emailOf = (claims: Claims, more: Claims = {}) =>
    toProvenIdentity('i', { sub: 's', ...claims }, more).email
  const email = 'Ana@Example.com'
  assert.equal(emailOf({ email, email_verified: true }), 'ana@example.com')
  assert.equal(emailOf({}, { email, email_verified: 'true' }), 'ana@example.com')
  for (const isVerified of [undefined, false, 'false', 1, null, {}])
    assert.equal(emailOf({ email, email_verified: isVerified }), null, String(isVerified))
  // A claim in one place does not vouch for a claim in the other.
  assert.equal(emailOf({ email }, { email_verified: true }), null)
  assert.equal(emailOf({ email_verified: true }, { email }), null)
  for (const odd of ['ana', 'a b@example.com', 'a@b@example.com', '', 7, null])
    assert.equal(emailOf({ email: odd, email_verified: true }), null, String(odd))
})

test('names are cut and cleaned, not believed', () => {
  const nameOf = (name: unknown) => toProvenIdentity('i', { sub: 's', name }, {}).name
  assert.equal(nameOf(' Ana\0\nB '), 'Ana B')
  assert.equal(nameOf('x'.repeat(200))?.length, 120)
  for (const odd of ['', '  ', '\0', 7, null, {}]) assert.equal(nameOf(odd), null)
})

test('a domain is the whole of it', () => {
  const domains = ['example.com']
  assert.equal(isDomainAllowed('ana@example.com', domains), true)
  assert.equal(isDomainAllowed('ana@sub.example.com', domains), false)
  assert.equal(isDomainAllowed('ana@evil-example.com', domains), false)
  assert.equal(isDomainAllowed('ana@example.com.evil.test', domains), false)
  assert.equal(isDomainAllowed('ana@anywhere.test', []), true)
})
