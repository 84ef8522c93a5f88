import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findProblems, textsOutside } from './check-messages.ts'

// biome-ignore format: a table is read by its columns
const ROWS: [code: string, texts: string[]][] = [
  ['<p>Hello {name}</p>',                         ['Hello']],
  ['<p>{text.hello({ name })}</p>',               []],
  ['<button aria-label="Close" />',               ['Close']],
  ['<button aria-label={text.close} />',          []],
  ['<Field label="Your name" />',                 ['Your name']],
  ['<div className="card wide" role="status" />', []],
  ['<b>Upvane</b>',                               []],
  ['<p>{a} · {b}&nbsp;–</p>',                     []],
]
for (const [code, texts] of ROWS)
  test(`check:messages ${code}: ${texts.join(', ') || 'nothing'}`, () => {
    const found = textsOutside('a.tsx', `const x = ${code}`)
    assert.deepEqual(
      found.map(({ text }) => text),
      texts,
    )
  })

test('a file may have no more texts than the list says, and the list has to follow if it has fewer', () => {
  const found = new Map([['a.tsx', [{ line: 3, text: 'Close' }]]])
  assert.deepEqual(findProblems(found, {}), ['a.tsx:3: "Close" is in no catalog'])
  assert.deepEqual(findProblems(found, { 'a.tsx': 1 }), [])
  assert.equal(findProblems(found, { 'a.tsx': 2 }).length, 1)
  assert.equal(findProblems(found, { 'a.tsx': 1, 'gone.tsx': 1 }).length, 1)
})
