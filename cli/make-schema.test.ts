import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readOpenapi } from '../sdk/make/schema.ts'
import { makeSchema } from './make-schema.ts'
import { getDefinition } from './src/as-code/schema/schema.ts'

const FILE = new URL('./src/as-code/schema/upvane.schema.json', import.meta.url)

test('makeSchema: the committed schema is the one of the contract', () => {
  assert.equal(readFileSync(FILE, 'utf8'), makeSchema(readOpenapi()))
})

test('makeSchema: a changed contract changes the schema', () => {
  const openapi = structuredClone(readOpenapi())
  const { MonitorInput } = openapi.components.schemas
  Object.assign(MonitorInput?.properties ?? {}, { shiny: { type: 'boolean' } })
  assert.match(makeSchema(openapi), /"shiny"/)
})

test('makeSchema: every writable field of a monitor is in the file, with its default', () => {
  const { properties = {} } = getDefinition('Monitor')
  const { MonitorInput } = readOpenapi().components.schemas
  for (const name of Object.keys(MonitorInput?.properties ?? {}))
    assert.ok(name in properties, name)
  assert.equal(properties['intervalSeconds']?.default, 300)
  assert.equal(properties['method']?.default, 'GET')
  assert.deepEqual(
    properties['expectedStatus']?.default,
    [200, 201, 202, 203, 204, 205, 206, 301, 302, 307, 308],
  )
})
