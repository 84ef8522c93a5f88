import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnmarkedCommands } from './check-commands.ts'
import { findWrongCommands } from './guide-commands.ts'

const TESTS = [
  { path: 'test/deploy/install.test.ts', text: "join(ROOT, 'docs/operating/install.md')" },
  { path: 'test/deploy/other.test.ts', text: 'something else' },
]

test('commands are run by a test that names the document, or are marked untried', () => {
  const text = [
    '```sh test=install.test.ts',
    'ls',
    '```',
    '```sh untried: a registry is needed',
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
  const marks = ['', ' test=gone.test.ts', ' test=other.test.ts', ' untried', ' untried: why']
  const text = marks.map((mark) => `\`\`\`sh${mark}\nls\n\`\`\``).join('\n')
  const problems = findUnmarkedCommands({ path: 'docs/operating/install.md', text }, TESTS)
  assert.deepEqual(
    problems.map((problem) => problem.replace(/^docs\/operating\/install\.md:/, '')),
    [
      '1: say which test runs this (```sh test=name.test.ts), or why none can (```sh untried: reason)',
      '4: there is no test file gone.test.ts',
      '7: test/deploy/other.test.ts does not name this document',
      '10: say which test runs this (```sh test=name.test.ts), or why none can (```sh untried: reason)',
      '13: say which test runs this (```sh test=name.test.ts), or why none can (```sh untried: reason)',
    ],
  )
})

test('a command of CONTRIBUTING.md that is wrong, or not run without a reason, is refused', () => {
  const scripts = {
    'test:unit': 'node tools/run-tests.ts unit',
    'check:gone': 'node tools/gone.ts',
    'check:words': 'node tools/check-words.ts',
    verify: 'node tools/verify.ts check:words test:unit',
    shots: 'node tools/shots.ts',
  }
  const text = [
    'Run `npm run test:unit`, `npm run test:unit -- monitors/rules`, `check:words`, `npm run shots`, or read `src`:',
    '   ```sh',
    '   npm run test:unit -- no-such-test',
    '   ```',
    '   ```sh untried',
    '   npm run nothing',
    '   ```',
    '`npm run missing`, `check:gone`, `npm run shots -- --new-option`, `node tools/gone.ts /tmp`',
  ].join('\n')
  const problems = findWrongCommands(text, scripts).filter((line) => !line.startsWith('tools/'))
  assert.deepEqual(problems, [
    'CONTRIBUTING.md: npm run test:unit -- no-such-test: "no-such-test" selects no test',
    'CONTRIBUTING.md: npm run missing: there is no script "missing"',
    'CONTRIBUTING.md: npm run check:gone: there is no file tools/gone.ts',
    'CONTRIBUTING.md: npm run shots -- --new-option: is not run; add it to RUN, or to NOT_RUN with a reason, in tools/guide-commands.ts',
    'CONTRIBUTING.md: node tools/gone.ts /tmp: there is no file tools/gone.ts',
  ])
})
