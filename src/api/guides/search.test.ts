import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { NEWCOMERS_QUESTIONS } from '../../../test/kit/newcomers-questions.ts'
import { openLibrary } from './library.ts'
import { excerpt, prepare, search } from './rank.js'
import { makeSearchIndex } from './search-index.ts'

const ROOT = join(import.meta.dirname, '../../..')
const places = {
  toPage: (_: string, to: string) => to,
  toFile: (_: string, file: string) => file,
  font: () => '',
  head: () => '',
}
const making = makeSearchIndex({ library: openLibrary(ROOT), places, version: '0' })
let step = making.next()
while (!step.done) step = making.next()
const prepared = prepare(step.value)
const find = (query: string) => search(prepared, query).map(({ page }) => page.url)

for (const [question, page] of NEWCOMERS_QUESTIONS)
  test(`search "${question}": ${page} is among the first three`, () => {
    const found = find(question)
    assert.ok(found.slice(0, 3).includes(page), found.join(', '))
  })

test('search: nothing for nothing, and nothing for what no page says', () => {
  for (const query of ['', '   ', '!?', 'xylophonist', '\u0000']) assert.deepEqual(find(query), [])
})

test('search: words of objects, and more words than a question has', () => {
  for (const query of ['constructor', '__proto__', 'toString hasOwnProperty'])
    assert.ok(find(query).length <= 10, query)
  assert.ok(find('monitor '.repeat(5_000)).length > 0)
})

test('search: the last word may be incomplete', () => {
  assert.ok(find('prometh').includes('metrics'))
})

test('excerpt: around the first word that was asked for, which is marked', () => {
  const text = `${'before '.repeat(60)}the monitors are checked ${'after '.repeat(60)}`
  const pieces = excerpt(text, ['monitor'], 80)
  assert.deepEqual(
    pieces.filter(([, isHit]) => isHit).map(([piece]) => piece),
    ['monitors'],
  )
  const whole = pieces.map(([piece]) => piece).join('')
  assert.ok(whole.startsWith('… ') && whole.endsWith(' …') && whole.length < 90, whole)
  assert.deepEqual(excerpt('short', [], 80), [['short', false]])
})
