import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readOpenapi } from './make/schema.ts'
import { makeSdk } from './make-sdk.ts'
import { OPERATIONS } from './src/api/operations.ts'
import { EXT_OPERATIONS } from './src/ext/operations.ts'
import { Upvane } from './src/index.ts'

const openapi = readOpenapi()
const ext = readOpenapi('openapi-ext.json')
const sources = makeSdk(openapi, ext)

for (const [name, text] of Object.entries(sources))
  test(`${name} is what the contract makes of it`, () => {
    const committed = readFileSync(new URL(`./src/${name}`, import.meta.url), 'utf8')
    assert.equal(committed, text, 'run "node sdk/make-sdk.ts" and commit what it writes')
  })

test('every operation of the contract is in the table once, with its method and path', () => {
  const rows = Object.values(OPERATIONS).flatMap((methods) => Object.values<string>(methods))
  const described = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const below = path.replace('/api/v1', '').replace(/\{\w+\}/, '{id}')
      return `${operationId} ${method.toUpperCase()} ${below}`
    }),
  )
  assert.equal(rows.length, 37)
  assert.deepEqual(
    rows.map((row) => row.replace(' body', '')),
    described,
  )
})

test('the client has every method of the table', () => {
  const upvane = new Upvane({ apiKey: 'upv_x', baseUrl: 'https://upvane.example.com' })
  const namesIn = (resources: object) =>
    Object.entries(resources).map(([name, resource]) => [name, Object.keys(resource)])
  const { ext: extension, ...own } = upvane
  assert.deepEqual(namesIn(own), namesIn(OPERATIONS))
  assert.deepEqual(namesIn(extension), namesIn(EXT_OPERATIONS))
})

test('every operation of the extension API is in its table once', () => {
  const rows = Object.values(EXT_OPERATIONS).flatMap((methods) => Object.values<string>(methods))
  const described = Object.entries(ext.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      return `${operationId} ${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{id}')}`
    }),
  )
  const plain = rows.map((row) => row.split(' ').slice(0, 3).join(' '))
  assert.deepEqual(plain.toSorted(), described.toSorted())
})

test('a changed contract changes the types: an operation, a field, a filter, a code', () => {
  const changed = structuredClone(openapi)
  const { schemas } = changed.components
  Object.assign(schemas['MonitorInput']?.properties ?? {}, { color: { type: 'string' } })
  schemas['ErrorCode']?.enum?.push('teapot')
  const list = changed.paths['/api/v1/monitors']?.['get']
  list?.parameters?.push({ name: 'color', in: 'query', schema: { type: 'string' } })
  Reflect.deleteProperty(changed.paths['/api/v1/monitors/{monitorId}'] ?? {}, 'delete')
  const made = makeSdk(changed, ext)
  const differing = Object.keys(made).filter((name) => made[name] !== sources[name])
  assert.deepEqual(differing.toSorted(), ['api/monitors.ts', 'api/operations.ts', 'api/shared.ts'])
})
