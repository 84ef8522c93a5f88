import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dnsMismatch, keywordMissing, noResponse, toRanges } from './cause-text.ts'

// biome-ignore format: a table is read by its columns
const rows: [statuses: number[], text: string][] = [
  [[200],                                                           '200'],
  [[200, 201],                                                      '200, 201'],
  [[200, 201, 202],                                                 '200-202'],
  [[301, 200, 201, 202, 200],                                       '200-202, 301'], // order and repeats do not matter
  [[200, 201, 202, 203, 204, 205, 206, 301, 302, 307, 308],         '200-206, 301, 302, 307, 308'],
]
for (const [statuses, text] of rows)
  test(`${statuses} reads ${text}`, () => assert.equal(toRanges(statuses), text))

test('texts of a reasonable length, whatever the target says', () => {
  assert.equal(noResponse(30_000), 'Timed out after 30 s')
  assert.ok(keywordMissing('k'.repeat(2_000)).length <= 500)
  const answers = Array.from({ length: 100 }, (_, i) => `answer ${i}`)
  assert.ok(dnsMismatch('TXT', answers, ['x'.repeat(2_000)]).length < 1_100)
})
