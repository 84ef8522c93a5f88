import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHide } from '../act/output.ts'
import { createKey } from '../act/write-resource.ts'
import { toRanges } from '../export/to-fields.ts'
import { hasSameSecrets, makeDigest, wasApplied } from './digest.ts'
import { asInstant, asSet, canonical } from './json.ts'

test('makeDigest: tells what was applied, and whether secrets are the same', () => {
  const digest = makeDigest('salt', { name: 'A' }, { password: 'planted' })
  assert.equal(wasApplied(digest, { name: 'A' }), true)
  assert.equal(wasApplied(digest, { name: 'B' }), false)
  assert.equal(hasSameSecrets(digest, { password: 'planted' }), true)
  assert.equal(hasSameSecrets(digest, { password: 'other' }), false)
  assert.ok(!digest.includes('planted'))
  assert.match(digest, /^[!-~]{1,100}$/)
})

test('makeDigest: another salt is another digest', () => {
  const [one, two] = ['a', 'b'].map((salt) => makeDigest(salt, {}, { password: 'planted' }))
  assert.notEqual(one?.split('.')[3], two?.split('.')[3])
})

// biome-ignore format: a table
const UNKNOWN: [what: string, digest: string | null][] = [
  ['none', null],
  ['of another version', 'v9.a.b.c'],
  ['empty', ''],
]
for (const [what, digest] of UNKNOWN)
  test(`a digest that is ${what} says nothing`, () => {
    assert.equal(wasApplied(digest, {}), undefined)
    assert.equal(hasSameSecrets(digest, { password: 'x' }), undefined)
    assert.equal(hasSameSecrets(digest, {}), true)
  })

test('createKey: one for each generation of each address of each source, and fit for the API', () => {
  const keys = [
    createKey('shop', 'monitors.a', 1),
    createKey('shop', 'monitors.a', 2),
    createKey('shop', 'monitors.b', 1),
    createKey('blog', 'monitors.a', 1),
  ]
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(createKey('shop', 'monitors.a', 1), keys[0])
  for (const key of keys) assert.match(key, /^[A-Za-z0-9._:-]{1,200}$/)
})

test('canonical, asSet, asInstant: the same meaning is the same text', () => {
  assert.equal(canonical({ b: 1, a: [null, 'x'] }), canonical({ a: [null, 'x'], b: 1 }))
  assert.deepEqual(asSet(['b', 'a', 'b']), ['a', 'b'])
  assert.equal(asInstant('2026-12-06T02:00+01:00'), '2026-12-06T01:00:00.000Z')
  assert.equal(asInstant('never'), 'never')
})

// biome-ignore format: a table
const RANGES: [codes: number[], ranges: (number | string)[]][] = [
  [[], []],
  [[200], [200]],
  [[200, 201], [200, 201]],
  [[200, 201, 202], ['200-202']],
  [[202, 201, 200], [202, 201, 200]],
  [[200, 200, 201, 202, 301], [200, '200-202', 301]],
]
for (const [codes, ranges] of RANGES)
  test(`toRanges: ${codes.join(' ')}`, () => assert.deepEqual(toRanges(codes), ranges))

test('createHide: in JSON, in addresses, and one inside of another', () => {
  const hide = createHide(['plan"ted', 'plan"ted and more', 'ab', 'a b/c'])
  const text = `x plan"ted y ${JSON.stringify({ a: 'plan"ted' })} plan"ted and more a%20b%2Fc ab`
  assert.equal(hide(text), 'x (hidden) y {"a":"(hidden)"} (hidden) (hidden) ab')
})
