// Every catalog in every language. A language is a folder beside `en`, with the same files.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalogFaults } from '../../../src/domain/messages/catalog-faults.ts'

const FEWEST_CATALOGS = 30
const NO_CODE = /=>|\bfunction\b|\bimport |`/

// Other folders hold what gives the texts to the screens.
const LANGUAGES = /^[a-z]{2}$/
const catalogs = globSync('*/**/*.ts', { cwd: import.meta.dirname })
  .filter((path) => LANGUAGES.test(path.split('/')[0] ?? ''))
  .sort()

test('the catalogs are found', () => {
  assert.ok(catalogs.length >= FEWEST_CATALOGS, catalogs.join(', '))
})

for (const path of catalogs)
  test(`${path}: every message can be read, is whole, and has the values of the English one`, async () => {
    const [language = '', ...rest] = path.split('/')
    const file = join(import.meta.dirname, path)
    const english: unknown = await import(join(import.meta.dirname, 'en', ...rest))
    assert.deepEqual(catalogFaults({ ...(await import(file)) }, language, english), [])
    const code = readFileSync(file, 'utf8').replaceAll(
      /'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|\/\/.*|\/\*.*\*\//g,
      '',
    )
    assert.doesNotMatch(code, NO_CODE)
  })
