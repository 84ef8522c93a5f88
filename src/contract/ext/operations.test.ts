import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { PRIVATE_OPERATIONS } from '../private/operations.ts'
import { createOpenapi, openapiText } from '../public/openapi.ts'
import { OPERATIONS } from '../public/operations.ts'
import { EXT_API } from './openapi.ts'
import { EXT_OPERATIONS } from './operations.ts'

const ajv = new Ajv2020({ allErrors: true, useDefaults: true, strict: false })
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
const document = createOpenapi(EXT_OPERATIONS, { subject: EXT_API })

test('50 operations; ids and routes are there once, and no id is one of the public API', () => {
  assert.equal(EXT_OPERATIONS.length, 50)
  const ids = EXT_OPERATIONS.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const routes = EXT_OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(routes).size, routes.length)
  const known = new Set(OPERATIONS.map(({ id }) => id))
  assert.deepEqual(
    ids.filter((id) => known.has(id)),
    [],
  )
})

test('the public document keeps its 37 operations', () => {
  const paths = Object.values(createOpenapi(OPERATIONS).paths)
  assert.equal(paths.flatMap((item) => Object.keys(item)).length, 37)
})

test('an operation made from a private one keeps its schemas and says nothing of an organization', () => {
  const shared = EXT_OPERATIONS.filter(({ from }) => from !== undefined)
  assert.ok(shared.length >= 10)
  for (const { id, from, method, body, query, reply, params } of shared) {
    assert.ok(from && PRIVATE_OPERATIONS.includes(from), id)
    assert.deepEqual([id, method, reply.status], [from.id, from.method, from.reply.status])
    assert.equal(body?.schema, from.body?.schema)
    assert.equal(query, from.query)
    assert.equal(reply.body, from.reply.body)
    assert.ok(!('organizationId' in (params?.properties ?? {})))
    assert.notEqual(from.who, 'ANYONE')
    assert.notEqual(from.who, 'PERSON')
    assert.notEqual(from.who, 'OWNER')
  }
})

for (const operation of EXT_OPERATIONS) {
  test(`${operation.id}: path parameters are those of the path`, () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    assert.deepEqual(Object.keys(operation.params?.properties ?? {}), inPath)
  })

  test(`${operation.id}: examples are valid, and answers are closed`, () => {
    const { body, reply } = operation
    valid(reply.body, reply.example)
    if (body) valid(body.schema, structuredClone(body.example))
    const leaking = { ...(reply.example as object), passwordHash: 'x' }
    assert.equal(ajv.validate(reply.body, leaking), false)
  })

  test(`${operation.id}: body and answer have a name, and every field says what it is`, () => {
    const { body, reply, query, params, tag } = operation
    assert.ok(EXT_API.tags[tag])
    const named = new Set<object>(Object.values(EXT_API.named ?? {}))
    assert.ok(named.has(reply.body))
    if (body) assert.ok(named.has(body.schema))
    for (const schema of [body?.schema, reply.body, query, params])
      if (schema !== undefined) assert.deepEqual(silentFields(schema as Described), [])
  })
}

test('every reference of the document leads somewhere, and every shared part is used', () => {
  const text = openapiText(document)
  for (const [, path = ''] of text.matchAll(/"\$ref": "#\/([^"]+)"/g))
    assert.ok(path.split('/').reduce<unknown>(step, document), path)
  const { securitySchemes: _, ...parts } = document.components
  for (const [kind, entries] of Object.entries(parts))
    for (const key of Object.keys(entries))
      assert.ok(text.includes(`"#/components/${kind}/${key}"`), `${kind}/${key}`)
})

function step(node: unknown, key: string): unknown {
  return (node as Record<string, unknown> | undefined)?.[key]
}

function valid(schema: object, value: unknown): void {
  assert.ok(ajv.validate(schema, value), ajv.errorsText())
}

type Described = {
  description?: string
  properties?: Record<string, Described>
  items?: Described
  anyOf?: Described[]
  allOf?: Described[]
}

// What every list and every deletion has is said in the guide.
const ENVELOPE = new Set(['data', 'pagination'])

/** Fields without a description, at any depth. */
function silentFields(schema: Described, path = ''): string[] {
  const { properties = {}, items, anyOf = [], allOf = [] } = schema
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const below = `${path}.${name}`
    const isSaid = field.description !== undefined || ENVELOPE.has(name)
    return [...(isSaid ? [] : [below]), ...silentFields(field, below)]
  })
  const inside = [...(items ? [items] : []), ...anyOf, ...allOf]
  return [...own, ...inside.flatMap((each) => silentFields(each, path))]
}
