import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toLocale } from './locale.ts'

const rows: [tag: string, locale: string][] = [
  ['de', 'de'],
  ['de-AT', 'de'],
  ['FR-ca', 'fr'],
  ['ja-JP', 'ja'],
  ['pt-BR', 'en'],
  ['', 'en'],
  ['*', 'en'],
]

for (const [tag, locale] of rows) {
  test(`toLocale: ${tag || 'nothing'} -> ${locale}`, () => assert.equal(toLocale(tag), locale))
}
