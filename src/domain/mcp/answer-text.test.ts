import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_ANSWER_BYTES, toAnswerText } from './answer-text.ts'

const bytesOf = (text: string) => Buffer.byteLength(text)

test('toAnswerText: what fits stays as it is', () => {
  const answer = { id: 'mon_1', list: [1, 2, 3], none: null, text: 'x'.repeat(1000) }
  assert.deepEqual(JSON.parse(toAnswerText(answer)), answer)
})

test('toAnswerText: lists say how many are left out', () => {
  const answer = { list: Array.from({ length: 500 }, (_, i) => ({ id: i })) }
  const { list } = JSON.parse(toAnswerText(answer)) as { list: unknown[] }
  assert.equal(list.length, 51)
  assert.equal(list.at(-1), '… 450 more')
})

test('toAnswerText: long texts are cut before lists are emptied', () => {
  const answer = { list: Array.from({ length: 20 }, () => ({ text: 'x'.repeat(1500) })) }
  const shown = JSON.parse(toAnswerText(answer)) as { list: { text: string }[] }
  assert.equal(shown.list.length, 20)
  assert.ok(shown.list.every(({ text }) => text.endsWith('…')))
})

test('toAnswerText: what cannot be shortened is refused', () => {
  const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field${i}`, i]))
  assert.match(toAnswerText(wide), /too large/)
})

test('toAnswerText: never more than 8 kB, whatever it is given, and always JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = toAnswerText([value, value, value])
      assert.ok(bytesOf(text) <= MAX_ANSWER_BYTES)
      JSON.parse(text)
    }),
  )
  const huge = fc.array(
    fc.record({
      id: fc.string({ minLength: 30, maxLength: 30 }),
      untrusted: fc.record({ name: fc.string({ unit: 'binary', maxLength: 1000 }) }),
    }),
    { minLength: 50, maxLength: 300 },
  )
  fc.assert(
    fc.property(huge, (list) => assert.ok(bytesOf(toAnswerText({ list })) <= MAX_ANSWER_BYTES)),
    { numRuns: 30 },
  )
})
