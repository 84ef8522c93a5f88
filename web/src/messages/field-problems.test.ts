import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toSentence } from './field-problems.ts'

const ROW = {
  empty: 'Enter a name.',
  long: 'Use at most 120 characters.',
  high: 'Use 60 or less.',
  says: { 'must be a hostname': 'Enter a hostname.' },
}

// biome-ignore format: a table is read by its columns
const rows: [message: string, sentence: string][] = [
  ['must not be empty',                    'Enter a name.'],
  ['is required',                          'Enter a name.'],
  ['url is required for HTTP monitors',    'Enter a name.'],
  ['must have at least 1 item(s)',         'Enter a name.'],
  ['must have at most 120 characters',     'Use at most 120 characters.'],
  ['must be 60 or less',                   'Use 60 or less.'],
  ['must be a hostname',                   'Enter a hostname.'],
  ['must be 1 or more',                    'Must be 1 or more.'],
  ['must have at least 12 characters',     'Must have at least 12 characters.'],
  ['is used by another page.',             'Is used by another page.'],
]
for (const [message, sentence] of rows)
  test(`"${message}" is shown as "${sentence}"`, () => {
    assert.equal(toSentence(ROW, message), sentence)
  })

test('a field without sentences shows the words of the API; `other` covers all that is not listed', () => {
  assert.equal(toSentence(undefined, 'must not be empty'), 'Must not be empty.')
  assert.equal(toSentence({ other: 'Enter a code.' }, 'must not be empty'), 'Enter a code.')
})
