import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Judgement } from './judge.ts'

const IMPORTS = `import assert from 'node:assert'\nimport { before, test } from 'node:test'\n`
const JUDGE = `
  import { judge, runTests } from ${JSON.stringify(join(import.meta.dirname, 'judge.ts'))}
  const [cwd, ...files] = process.argv.slice(2)
  const judgements = []
  for (const file of files) judgements.push(judge(await runTests({ cwd, files: [file], only: '^it' })))
  console.log(JSON.stringify(judgements))`

// biome-ignore format: a table is read by its columns
const rows: [what: string, file: string, judgement: 'noticed' | 'unclear' | 'unnoticed'][] = [
  ['an assertion of the test',     `test('it', () => assert.equal(1, 2))`,                             'noticed'],
  ['an assertion beside a crash',  `test('it', () => { throw new Error() })\ntest('it too', () => assert.equal(1, 2))`, 'noticed'],
  ['a test that passes',           `test('it', () => {})`,                                             'unnoticed'],
  ['a file that does not load',    `import './nowhere.ts'\ntest('it', () => {})`,                      'unclear'],
  ['a file that is no TypeScript', `test('it', () => {`,                                               'unclear'],
  ['a product that did not start', `before(() => assert.fail('not ready'))\ntest('it', () => {})`,     'unclear'],
  ['a crash',                      `test('it', () => { throw new Error('Oops') })`,                    'unclear'],
  ['an assertion nobody awaits',   `test('it', () => { setTimeout(() => assert.fail(), 1) })`,         'unclear'],
  ['an answer of 500',             `test('it', () => assert.fail('GET /: {"code":"internal_error"}'))`, 'unclear'],
  ['a test of another name',       `test('else', () => assert.fail())`,                                'unclear'],
  ['a test that is left out',      `test.skip('it', () => assert.fail())`,                             'unclear'],
]

test('a guard that is gone is noticed by assertions of tests, and by nothing else', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'upvane-judge-'))
  t.after(() => rmSync(folder, { recursive: true }))
  rows.forEach(([, file], index) => {
    writeFileSync(join(folder, `${index}.test.ts`), IMPORTS + file)
  })
  const judgements = judgeAll(
    folder,
    rows.map((_, index) => `${index}.test.ts`),
  )
  const found = rows.map(([what], index) => [what, kindOf(judgements[index])])
  assert.deepEqual(
    found,
    rows.map(([what, , expected]) => [what, expected]),
  )
})

/** In a process that does not run tests itself: node does not nest test runs. */
function judgeAll(folder: string, files: readonly string[]): Judgement[] {
  const script = join(folder, 'judge-all.ts')
  writeFileSync(script, JUDGE)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const found = execFileSync(process.execPath, [script, folder, ...files], {
    env,
    encoding: 'utf8',
  })
  return JSON.parse(found) as Judgement[]
}

function kindOf(judgement: Judgement | undefined) {
  if (typeof judgement !== 'object') return judgement
  return 'noticedBy' in judgement ? 'noticed' : 'unclear'
}
