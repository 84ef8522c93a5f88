import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTags } from './tags.ts'

// biome-ignore format: a table is read by its columns
for (const [text, names] of [
  ['',                    []],
  ['  , ,',               []],
  ['production',          ['production']],
  ['Prod, eu ,PROD,eu',   ['Prod', 'eu']],
  [' EU west,',           ['EU west']],
] as const)
  test(`parseTags: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(parseTags(text), names)
  })
