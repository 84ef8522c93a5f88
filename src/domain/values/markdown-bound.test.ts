import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuMs, steadyCpuMs } from '../../../test/kit/cpu-time.ts'
import { hostileMarkdown } from '../../../test/kit/hostile-markdown.ts'
import { hasDeepList, isWithinMarkdownBound, MAX_SIGNS, toParagraphs } from './markdown-bound.ts'

// The definition of a deep list, without regard to speed: a line begins with five markers.
const FIVE_MARKERS = /^(?:[ \t]*(?:[-+*]|\d+[.)])[ \t]+){5}/m
const INDENTED_MARKER = /^[ \t]{4,}(?:[-+*]|\d+[.)])(?:[ \t]|$)/m

test('hasDeepList: five markers in one line, on any text', () => {
  const piece = fc.constantFrom(
    '- ',
    '+\t',
    '* ',
    '1. ',
    '12)  ',
    '-',
    '7',
    ' ',
    '\t',
    '\n',
    '\r',
    'x',
  )
  const text = fc
    .array(piece, { minLength: 4, maxLength: 16, size: 'max' })
    .map((pieces) => pieces.join(''))
  let deep = 0
  fc.assert(
    fc.property(text, (sample) => {
      // Lists with this indentation are deep by the other rule.
      fc.pre(!INDENTED_MARKER.test(sample))
      const expected = FIVE_MARKERS.test(sample)
      deep += expected ? 1 : 0
      assert.equal(hasDeepList(sample), expected)
    }),
    { numRuns: 20_000 },
  )
  assert.ok(deep > 20, `only ${deep} of the samples were deep`)
})

test('hasDeepList: a marker that is indented by 16 columns', () => {
  for (const deep of [
    `${' '.repeat(16)}- a`,
    '\t\t\t\t1. a',
    '  \t \t\t    * a',
    `a\n${' '.repeat(20)}-`,
  ])
    assert.equal(hasDeepList(deep), true, JSON.stringify(deep))
  for (const flat of [`${' '.repeat(15)}- a`, '\t\t\t- a', `${' '.repeat(40)}word`, '- - - - a'])
    assert.equal(hasDeepList(flat), false, JSON.stringify(flat))
})

test('isWithinMarkdownBound: an ordinary update is, too many signs are not', () => {
  const update =
    '**API**: errors on `POST /v1`.\n\n- since 10:00\n  - EU\n  - US\n\n1. Retry.\n2. Wait.\n'
  assert.equal(isWithinMarkdownBound(update), true)
  assert.equal(isWithinMarkdownBound(update.repeat(10)), true)
  for (const lineEnd of ['\n', '\r', '\r\n']) {
    assert.equal(isWithinMarkdownBound(lineEnd.repeat(MAX_SIGNS)), true)
    assert.equal(isWithinMarkdownBound(lineEnd.repeat(MAX_SIGNS + 1)), false)
  }
  assert.equal(isWithinMarkdownBound(`${'`a` '.repeat(20)}${'a'.repeat(9_000)}`), false)
})

test('isWithinMarkdownBound: decides on every hostile text within 20 ms', () => {
  for (const text of hostileMarkdown()) {
    const ms = steadyCpuMs(() => isWithinMarkdownBound(text), 20)
    assert.ok(ms < 20, `${ms} ms for ${JSON.stringify(text.slice(0, 40))}`)
  }
})

test('toParagraphs: blank lines separate them', () => {
  assert.deepEqual(toParagraphs('\n\na\nb\n\n\n\nc\r\n\r\nd\re\n'), ['a\nb', 'c', 'd\re'])
  assert.deepEqual(toParagraphs(' \n \n'), [])
  assert.ok(cpuMs(() => toParagraphs('\n'.repeat(10_000))) < 50)
})
