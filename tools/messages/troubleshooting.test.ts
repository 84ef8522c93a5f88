// Every message that an operator can read has an entry in docs/operating/troubleshooting.md, and no entry is left over.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CONDITION_CODES } from '../../src/domain/operating/condition.ts'
import { helpOf, REMEDIES } from '../../src/domain/operating/condition-remedies.ts'
import { findMessages, messagesIn } from './operator-messages.ts'

const ROOT = join(import.meta.dirname, '../..')
const FEWEST = 300
const DOCUMENT = readFileSync(join(ROOT, 'docs/operating/troubleshooting.md'), 'utf8')
// A row of its own, or one of a list that has its cause and remedy in common.
const ENTRIES = [...DOCUMENT.matchAll(/^(?:\| `([^`\n]+)` \||- `([^`\n]+)`$)/gm)].map(
  ([, row, item]) => row ?? item ?? '',
)

test('every log line from warn on, finding of doctor, exit sentence, problem of a setting and message of a script has an entry', () => {
  const messages = findMessages()
  assert.ok(messages.length >= FEWEST, `only ${messages.length} messages were found`)
  const known = new Set(ENTRIES)
  const missing = messages.filter(({ text }) => !known.has(text))
  assert.deepEqual(
    missing.map(({ file, text }) => `${file}: ${text}`),
    [],
    'add each to docs/operating/troubleshooting.md, with cause and remedy',
  )
})

test('no entry is left over or there twice', () => {
  const written = new Set(findMessages().map(({ text }) => text))
  assert.deepEqual(
    ENTRIES.filter((text) => !written.has(text) && text !== 'msg'),
    [],
  )
  assert.deepEqual(ENTRIES.length, new Set(ENTRIES).size)
})

test('every condition has the section that its email links to, with its remedy', () => {
  const sections = DOCUMENT.split(/^#{2,3} /m)
  const missing = CONDITION_CODES.filter((code) => {
    const [, anchor] = helpOf(code).split('#')
    const section = sections.find((text) => text.split('\n', 1)[0]?.toLowerCase() === anchor)
    return !section?.replaceAll(/\s+/g, ' ').includes(REMEDIES[code])
  })
  assert.deepEqual(missing, [])
})

test('a message is read from literals, sums, templates and constants', () => {
  const source = [
    "const ADVICE = 'set it, ' +\n  'now'",
    "log.warn({ err, a: f(')') }, 'it broke')",
    'log.error(`it ${how} broke: ${ADVICE}`)',
    "this.#log.warn(fields, 'one, ' +\n  ADVICE,\n)",
    "log.info('not for here')",
    "throw new StartError('It cannot start (x). Do this.')",
    'throw new StartError(sentence)',
  ].join('\n')
  assert.deepEqual(
    messagesIn('src/x.ts', source).map(({ text }) => text),
    ['it broke', 'it … broke: set it, now', 'one, set it, now', 'It cannot start (x).'],
  )
  assert.throws(() => messagesIn('src/x.ts', 'log.warn(fields, message)'), /Name it in INDIRECT/)
})
