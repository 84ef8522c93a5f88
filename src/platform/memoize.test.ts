import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoize } from './memoize.ts'

function counting(maxCharacters: number) {
  const computed: string[] = []
  const find = memoize(maxCharacters, (text) => {
    computed.push(text)
    return { text }
  })
  return { computed, find }
}

test('memoize: computes once for each text', () => {
  const { computed, find } = counting(1_000)
  assert.equal(find('a'), find('a'))
  assert.notEqual(find('a'), find('b'))
  assert.deepEqual(computed, ['a', 'b'])
})

test('memoize: forgets what was used longest ago', () => {
  const { computed, find } = counting(330)
  for (const text of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) find(text)
  assert.deepEqual(computed, ['a', 'b', 'c', 'd', 'b'])
})

test('memoize: keeps no text that is longer than its bound', () => {
  const { computed, find } = counting(1_000)
  const long = 'x'.repeat(2_000)
  find('a')
  find(long)
  find(long)
  find('a')
  assert.deepEqual(computed, ['a', long, long, 'a'])
})
