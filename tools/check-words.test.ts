import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findProblems, type Match } from './check-words.ts'

const problemsOf = (match: Match, phrase: string, text: string, path = 'docs/x.md') =>
  findProblems(
    [{ files: [], match, phrases: { [phrase]: 'something else' }, sources: [{ path, text }] }],
    [],
  )

// biome-ignore format: a table is read by its columns
const rows: [match: Match, phrase: string, text: string, lines: number[]][] = [
  ['text', 'is told',  'It is told.',                     [1]],
  ['text', 'is told',  'It Is Told.',                     [1]],
  ['text', 'is told',  'one\nit is\ntold',                [2]],
  ['text', 'is told',  'this told',                       []],
  ['text', 'mend',     'recommend, amend, mending',       []],
  ['text', 'mend',     'mend it\nand mend that',          [1, 2]],
  ['text', 'way out',  'a two-way out',                   []],
  ['text', 'anew',     'the option `anew`',               []],
  ['text', 'anew',     '```sh\nanew\n```\nanew',          [4]],
  ['text', 'anew',     '1. x\n\n   ```sh\n   anew\n   ```', []],
  ['name', 'desk',     'new KeyDesk()',                   [1]],
  ['name', 'desk',     'openDesks, key-desk.ts',          [1, 1]],
  ['name', 'desk',     'const MAX_DESKS = 1',             [1]],
  ['name', 'desk',     'desk',                            [1]],
  ['name', 'desk',     'desktop, Desktop, helpdesk',      []],
  ['name', 'desk',     'const DESKTOP = 1',               []],
  ['name', 'tell',     'tellAll(tx); satellite; intellect', [1]],
]
for (const [match, phrase, text, lines] of rows) {
  test(`${match} "${phrase}" in ${JSON.stringify(text)}: lines [${lines}]`, () => {
    const found = problemsOf(match, phrase, text)
    assert.deepEqual(
      found,
      lines.map((line) => `docs/x.md:${line}: "${phrase}": write something else`),
    )
  })
}

test('a name that stays is no use of the phrase in it', () => {
  const sources = [{ path: 'a.ts', text: 'from alert_desks\nalert_desk, other_desks' }]
  const rule = { files: [], match: 'name' as const, phrases: { desk: 'table' } }
  assert.deepEqual(findProblems([{ ...rule, keep: ['alert_desks'], sources }], []), [
    'a.ts:2: "desk": write table',
    'a.ts:2: "desk": write table',
  ])
})

test('an exception excuses one phrase in one file, and fails once it is not needed', () => {
  const sources = ['a.md', 'b.md'].map((path) => ({ path, text: 'anew and mend' }))
  const rules = [{ files: [], match: 'text' as const, phrases: { anew: 'again' }, sources }]
  const exceptions = [
    { file: 'a.md', phrase: 'anew', reason: 'a quotation' },
    { file: 'c.md', phrase: 'anew', reason: 'the file is gone' },
  ]
  assert.deepEqual(findProblems(rules, exceptions), [
    'b.md:1: "anew": write again',
    'tools/words*.json: the exception for "anew" in c.md is not needed',
  ])
})
