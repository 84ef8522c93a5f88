// Every catalog of the service in every language. A language is a folder beside `en`, with the same files.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalogFaults } from './catalog-faults.ts'
import { serviceTexts } from './catalogs.ts'

const NO_CODE = /=>|\bfunction\b|\bimport |`/
const STRINGS = /'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|\/\/.*|\/\*.*\*\//g
const FEWEST_CATALOGS = 3

const catalogs = globSync('??/*.ts', { cwd: import.meta.dirname }).sort()

test('the catalogs are found', () => {
  assert.ok(catalogs.length >= FEWEST_CATALOGS, catalogs.join(', '))
})

for (const path of catalogs)
  test(`${path}: every message can be read, is whole, and has the values of the English one`, async () => {
    const [language = '', name = ''] = path.split('/')
    const english: unknown = await import(join(import.meta.dirname, 'en', name))
    const file = join(import.meta.dirname, path)
    assert.deepEqual(catalogFaults({ ...(await import(file)) }, language, english), [])
    assert.doesNotMatch(readFileSync(file, 'utf8').replaceAll(STRINGS, ''), NO_CODE)
  })

test('a language without a translation is English; numbers have no separators', () => {
  const { accountEmails } = serviceTexts('sv', (pieces) => pieces.join(''))
  assert.equal(accountEmails.hello({ name: 'Ana' }), 'Hello Ana,')
  assert.equal(accountEmails.hello({ name: 1200 }), 'Hello 1200,')
})
