import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lowerFirst } from './sentence.ts'

// biome-ignore format: a table is read by its columns
const rows: [text: string, inside: string][] = [
  ['Connection refused',          'connection refused'],
  ['HTTP 503, expected 200',      'HTTP 503, expected 200'],
  ['TLS error',                   'TLS error'],
  ['Keyword "EUR" not found',     'keyword "EUR" not found'],
  ['A',                           'a'],
  ['',                            ''],
]
for (const [text, inside] of rows)
  test(`"${text}" inside a sentence is "${inside}"`, () => {
    assert.equal(lowerFirst(text), inside)
  })
