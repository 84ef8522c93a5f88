import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctTagNames, splitByKnown, tagKey, tagNameProblems, toTagName } from './tag.ts'

// biome-ignore format: a table is read by its columns
const NAMES: readonly (readonly [sent: string, name: string, key: string, problems: number])[] = [
  ['production',      'production',     'production', 0],
  ['  EU West ',      'EU West',        'eu west',    0],
  ['Cafe\u0301',      'Caf\u00e9',      'caf\u00e9',  0],
  ['ÄÖÜ',             'ÄÖÜ',            'äöü',        0],
  ['   ',             '',               '',           1],
  ['',                '',               '',           1],
  ['x'.repeat(40),    'x'.repeat(40),   'x'.repeat(40), 0],
  ['x'.repeat(41),    'x'.repeat(41),   'x'.repeat(41), 1],
  ['\u{1f680}'.repeat(40), '\u{1f680}'.repeat(40), '\u{1f680}'.repeat(40), 0],
  // Normalization makes three characters of it.
  ['\ufb2c'.repeat(14), '\u05e9\u05bc\u05c1'.repeat(14), '\u05e9\u05bc\u05c1'.repeat(14), 1],
]
for (const [sent, name, key, problems] of NAMES)
  test(`tag name ${JSON.stringify(sent)}`, () => {
    assert.equal(toTagName(sent), name)
    assert.equal(tagKey(sent), key)
    assert.equal(tagNameProblems('name', sent).length, problems)
  })

test('distinctTagNames: names that differ in case or spaces are one, in the first spelling', () => {
  assert.deepEqual(distinctTagNames(['Prod', ' prod', 'PROD ', 'eu']), ['Prod', 'eu'])
})

test('splitByKnown: known tags in the order of the names, whatever their case', () => {
  const [prod, eu] = [
    { uuid: 'p', name: 'Prod' },
    { uuid: 'e', name: 'EU' },
  ]
  assert.deepEqual(splitByKnown(['eu', 'new', 'PROD'], [prod, eu]), {
    tags: [eu, prod],
    unknown: ['new'],
  })
})
