// Checks docs/sdk.md: its programs are the tested ones, and its tables match the code.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OPERATIONS } from './src/api/operations.ts'
import { EXT_OPERATIONS } from './src/ext/operations.ts'

const DOCS = new URL('../docs/', import.meta.url)
const SAMPLES = 'samples/sdk/'
const guide = readFileSync(new URL('sdk.md', DOCS), 'utf8')
const names = readdirSync(new URL(SAMPLES, DOCS))

for (const name of names)
  test(`${name} is in the guide as it is`, () => {
    const start = `<!-- ${SAMPLES}${name} -->\n\`\`\`ts\n`
    const at = guide.indexOf(start)
    assert.ok(at >= 0)
    const text = guide.slice(at + start.length)
    const sample = readFileSync(new URL(SAMPLES + name, DOCS), 'utf8')
    assert.equal(text.slice(0, text.indexOf('```')), sample)
  })

test('the guide has no other program than the tested ones', () => {
  assert.equal(guide.split('```ts\n').length - 1, names.length)
})

test('the guide names every resource and every special method', () => {
  const usual = ['list', 'get', 'create', 'update', 'delete']
  for (const [resource, rows] of Object.entries(OPERATIONS)) {
    assert.ok(guide.includes(`\`${resource}\``), resource)
    for (const name of Object.keys(rows).filter((each) => !usual.includes(each)))
      assert.match(guide, new RegExp(`\`(${resource}\\.)?${name}\``))
  }
})

test('the guide has a row for every resource of the extension API, with exactly its methods', () => {
  const rows = Object.entries(EXT_OPERATIONS)
  const extTable = guide.slice(guide.indexOf('## The extension API')).split('\n')
  assert.equal(rows.flatMap(([, methods]) => Object.keys(methods)).length, 50)
  for (const [resource, methods] of rows) {
    const line = extTable.find((each) => each.startsWith(`| \`${resource}\` |`))
    const named = [...(line ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)
    assert.deepEqual(named.slice(1).toSorted(), Object.keys(methods).toSorted(), resource)
  }
})
