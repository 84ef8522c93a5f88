// No valid body is refused for its size: the largest one of every operation is sent in the longest way to write it, as the
// documents describe it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { largestBody, type SchemaNode } from '../kit/largest-body.ts'

type Described = {
  operationId: string
  requestBody?: { content: { 'application/json': { schema: SchemaNode } } }
}
type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, SchemaNode> }
}

const UNKNOWN = '01m7ef2j5re008007k9b361f3r'
const EXT = '/api/ext/v1'
const BINDINGS = 5_000
const BOUND_CHARACTERS = 200
const fixture = await startProduct()
const { api } = fixture
after(() => fixture.stop())

const operations = ['openapi.json', 'openapi-ext.json'].flatMap((file) => {
  const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
  const { paths, components } = JSON.parse(text) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody }]) => {
      const schema = requestBody?.content['application/json'].schema
      if (schema === undefined) return []
      return [
        { id: operationId, method: method.toUpperCase(), path, schema, all: components.schemas },
      ]
    }),
  )
})

test('both documents have operations with bodies', () => {
  assert.ok(operations.length > 25, `${operations.length}`)
  assert.ok(operations.some(({ id }) => id === 'createStatusPage'))
  assert.ok(operations.some(({ id }) => id === 'putSourceBindings'))
})

describe('the largest body is not refused for its size', { concurrency: 2 }, () => {
  for (const { id, method, path, schema, all } of operations)
    test(`${id}`, async () => {
      const rawBody = largestBody(schema, all)
      const target = path.replaceAll(/\{\w+\}/g, `mon_${UNKNOWN}`)
      const answer = await api.request(method, target, { rawBody })
      if (answer.status < 300) return
      const { details = [] } = answer.error
      const why = details.filter(
        ({ path: at, message }) => at === 'body' || /too many/.test(message),
      )
      assert.deepEqual(why, [], `${rawBody.length} bytes`)
      const longer = details.filter(({ message }) => /must have at most/.test(message))
      assert.deepEqual(longer, [], 'the body is larger than the schema says')
    })
})

test('putSourceBindings 200: 5,000 of the longest bindings, every character escaped', async () => {
  const escaped = (text: string) =>
    text.replaceAll(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)
  const rows = Array.from({ length: BINDINGS }, (_, at) => {
    const address = escaped(`a.${String(at).padStart(BOUND_CHARACTERS - 2, '~')}`)
    const digest = escaped('d'.repeat(BOUND_CHARACTERS))
    return `{"${escaped('address')}":"${address}","${escaped('digest')}":"${digest}"}`
  })
  const rawBody = `{"revision":0,"bindings":[${rows.join(',')}]}`
  assert.ok(rawBody.length > 12_000_000, `${rawBody.length}`)
  const { api: own } = await fixture.createOrganization('UNLIMITED')
  const answer = await own.request('PUT', `${EXT}/sources/long/bindings`, { rawBody })
  assert.equal(answer.status, 200, answer.text.slice(0, 1_000))
  const stored = (await own.get(`${EXT}/sources/long/bindings`)).json as {
    bindings: { address: string; digest: string }[]
  }
  assert.equal(stored.bindings.length, BINDINGS)
  assert.equal(stored.bindings[0]?.address.length, BOUND_CHARACTERS)
  assert.equal(stored.bindings[0]?.digest, 'd'.repeat(BOUND_CHARACTERS))
})
