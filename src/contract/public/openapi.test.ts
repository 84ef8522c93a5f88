import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { EmptyBody } from '../schema.ts'
import { ERROR_CODES, ERRORS, ErrorEnvelope } from './errors.ts'
import { createOpenapi, openapiText } from './openapi.ts'
import { errorExample } from './openapi-parts.ts'
import { SchemaBook } from './openapi-schema.ts'
import { OPERATIONS } from './operations.ts'

const whole = createOpenapi(OPERATIONS)

const operationsOf = (document: typeof whole) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )

test('Every reference leads somewhere', () => {
  const refs = [...openapiText(whole).matchAll(/"\$ref": "#\/([^"]+)"/g)]
  assert.ok(refs.length > 50)
  for (const [, path = ''] of refs) assert.ok(at(whole, path.split('/')), path)
})

test('Every shared part is used', () => {
  const text = openapiText(whole)
  const { securitySchemes: _, ...parts } = whole.components
  for (const [kind, entries] of Object.entries(parts))
    for (const key of Object.keys(entries))
      assert.ok(text.includes(`"#/components/${kind}/${key}"`), `${kind}/${key}`)
})

test('Every operation is in the document', () => {
  const ids = operationsOf(whole).map(({ operation }) => operation.operationId)
  assert.deepEqual(ids.toSorted(), OPERATIONS.map(({ id }) => id).toSorted())
  assert.equal(ids.length, 37)
  assert.deepEqual(createOpenapi([]).paths, {})
})

for (const { path, method, operation } of operationsOf(whole)) {
  test(`${operation.operationId}: documents the failures it can have`, () => {
    const write = method !== 'get'
    const expected = [
      '400',
      '401',
      '405',
      '429',
      '500',
      ...(path.includes('{') ? ['404'] : []),
      ...(write ? ['403', '409'] : []),
      ...(method === 'post' || method === 'patch' ? ['422'] : []),
    ]
    const failures = Object.keys(operation.responses).filter((status) => status >= '400')
    assert.deepEqual(failures, expected.toSorted())
    const keyed = JSON.stringify(operation.parameters ?? []).includes('idempotencyKey')
    assert.equal(keyed, write)
    const refused = operation.responses['400']
    assert.ok(refused && '$ref' in refused)
    assert.equal(refused.$ref.endsWith(write ? '/BadRequest' : '/InvalidInput'), true)
  })
}

test('Each error answer has its headers and an example of every code', () => {
  const { responses } = whole.components
  assert.ok(responses['RateLimited']?.headers['Retry-After'])
  assert.ok(responses['Conflict']?.headers['Retry-After'])
  assert.ok(responses['MethodNotAllowed']?.headers['Allow'])
  for (const { headers } of Object.values(responses))
    for (const name of ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Policy'])
      assert.ok(headers[name], name)
  const codes = Object.values(responses).flatMap(({ content }) =>
    Object.keys(content['application/json'].examples ?? {}),
  )
  assert.deepEqual([...new Set(codes)], ERROR_CODES)
})

test('There are 13 error codes; only validation_error has details', () => {
  assert.equal(ERROR_CODES.length, 13)
  const isError = new Ajv2020().compile(ErrorEnvelope)
  for (const code of ERROR_CODES) {
    const example = errorExample(code)
    assert.ok(isError(example), code)
    assert.equal('details' in example.error, code === 'validation_error', code)
  }
  const statuses = new Set(ERROR_CODES.map((code) => ERRORS[code].status))
  assert.deepEqual([...statuses], [400, 401, 403, 404, 405, 409, 422, 429, 500])
})

test('Requests stay closed where the contract closes them, answers are open', () => {
  const { schemas } = whole.components
  const closed = Object.entries(schemas).filter(([, s]) => s.additionalProperties === false)
  assert.deepEqual(
    closed.map(([name]) => name),
    ['EmptyBody', 'IncidentAcknowledgeInput'],
  )
  assert.equal(openapiText(whole).match(/"additionalProperties": false/g)?.length, 2)
})

test('A strict reader can still be strict: every field of an answer is required', () => {
  const monitor = whole.components.schemas['Monitor']
  assert.equal(monitor?.required?.length, 33)
  assert.deepEqual(monitor.required, Object.keys(monitor.properties ?? {}))
  const create = whole.components.schemas['MonitorInput']
  assert.deepEqual(create?.required, ['name', 'type'])
  assert.match(create.properties?.['intervalSeconds']?.description ?? '', / Default: `300`\.$/)
  assert.equal(whole.components.schemas['MonitorPatch']?.required, undefined)
})

test('Comma lists are arrays in form style, not exploded', () => {
  const list = whole.paths['/api/v1/monitors']?.['get']
  const state = list?.parameters?.find((one) => 'name' in one && one.name === 'state')
  assert.ok(state && 'name' in state)
  assert.deepEqual([state.style, state.explode, state.required], ['form', false, false])
})

test('Events are listed where there are webhooks', () => {
  assert.equal(Object.keys(whole.webhooks ?? {}).length, 22)
  const without = OPERATIONS.filter(({ id }) => id === 'listMonitors')
  assert.equal(createOpenapi(without).webhooks, undefined)
})

test('No schema is written twice under a name, and one name has one form', () => {
  const book = new SchemaBook()
  book.convert(EmptyBody, 'request')
  assert.throws(() => book.convert(EmptyBody, 'response'), /EmptyBody/)
})

test('The same contract gives the same bytes', () => {
  assert.equal(openapiText(createOpenapi(OPERATIONS)), openapiText(whole))
  assert.ok(openapiText(whole).endsWith('}\n'))
})

function at(node: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (current, key) => (current as Record<string, unknown> | undefined)?.[key],
    node,
  )
}
