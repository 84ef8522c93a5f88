import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causeSentence, wholeCause } from './cause-sentence.ts'

// biome-ignore format: a table is read by its columns
const rows: [cause: string, sentence: string][] = [
  ['HTTP 503, expected 200-206, 301, 302, 307, 308', 'HTTP 503'],
  ['HTTP 503, expected 200-206',                     'HTTP 503, expected 200–206'],
  ['HTTP 503, expected 200',                         'HTTP 503, expected 200'],
  ['HTTP 503',                                       'HTTP 503'],
  ['DNS A is a-b, expected c-d',                     'DNS A is a-b, expected c-d'],
  ['Timed out after 30 s',                           'Timed out after 30 s'],
  ['',                                               ''],
]
for (const [cause, sentence] of rows)
  test(`${cause} -> ${sentence}`, () => assert.equal(causeSentence(cause), sentence))

test('wholeCause: every expected status, as the settings write it', () => {
  const whole = 'HTTP 503, expected 200–206, 301, 302, 307, 308'
  assert.equal(wholeCause('HTTP 503, expected 200-206, 301, 302, 307, 308'), whole)
  assert.equal(wholeCause('Keyword "a-b" not found'), 'Keyword "a-b" not found')
})
