import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnmarkedCommands } from './check-commands.ts'

const TESTS = [
  { path: 'test/deploy/install.test.ts', text: "join(ROOT, 'docs/operating/install.md')" },
  { path: 'test/deploy/other.test.ts', text: 'something else' },
]

test('commands are run by a test that names the document, or are marked untried', () => {
  const text = [
    '```sh test=install.test.ts',
    'ls',
    '```',
    '```sh untried',
    'ls',
    '```',
    '```json',
    '{}',
    '```',
  ]
  const document = { path: 'docs/operating/install.md', text: text.join('\n') }
  assert.deepEqual(findUnmarkedCommands(document, TESTS), [])
})

test('a block without a mark, with a missing test or with one that does not name the document is refused', () => {
  const marks = ['', ' test=gone.test.ts', ' test=other.test.ts', ' tried', ' test=']
  const text = marks.map((mark) => `\`\`\`sh${mark}\nls\n\`\`\``).join('\n')
  const problems = findUnmarkedCommands({ path: 'docs/operating/install.md', text }, TESTS)
  assert.deepEqual(
    problems.map((problem) => problem.replace(/^docs\/operating\/install\.md:/, '')),
    [
      '1: say which test runs this (```sh test=name.test.ts), or ```sh untried',
      '4: there is no test file gone.test.ts',
      '7: test/deploy/other.test.ts does not name this document',
      '10: say which test runs this (```sh test=name.test.ts), or ```sh untried',
      '13: say which test runs this (```sh test=name.test.ts), or ```sh untried',
    ],
  )
})
