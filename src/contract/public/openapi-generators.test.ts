// What client generators need from the document: names, and nothing they would have to guess.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import { ERROR_CODES } from './errors.ts'
import { NAMED_ENUMS } from './named-enums.ts'
import { createOpenapi } from './openapi.ts'
import { OPERATIONS } from './operations.ts'

type Node = Record<string, unknown>

const document = createOpenapi(OPERATIONS)
const { schemas, parameters } = document.components

/** Every object of the document, with its path. */
function* walk(node: unknown, path: string): Generator<{ node: Node; path: string }> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield { node: node as Node, path }
  for (const [name, child] of Object.entries(node))
    if (name !== 'example' && name !== 'examples') yield* walk(child, `${path}/${name}`)
}
const nodes = [...walk(document, '#')]

test('An enum that appears twice has a name', () => {
  const places = new Map<string, string[]>()
  for (const { node, path } of nodes)
    if (Array.isArray(node['enum'])) {
      const key = JSON.stringify(node['enum'].filter((value) => value !== null))
      places.set(key, [...(places.get(key) ?? []), path])
    }
  assert.ok(places.size > 25)
  for (const [values, found] of places) assert.equal(found.length, 1, `${values}: ${found}`)
  for (const name of Object.keys(NAMED_ENUMS)) assert.ok(schemas[name]?.enum, name)
})

test('The names are those of the contract, and none shadows a global of the language', () => {
  for (const name of ['MonitorType', 'MonitorState', 'CauseCode', 'ErrorCode', 'ApiErrorBody'])
    assert.ok(schemas[name], name)
  assert.deepEqual(schemas['ErrorCode']?.enum, ERROR_CODES)
  for (const name of ['Error', 'Event', 'Response', 'Request', 'Object', 'Record', 'Date'])
    assert.equal(schemas[name], undefined, name)
  for (const name of Object.keys(schemas)) assert.match(name, /^[A-Z][A-Za-z]+$/)
})

test('What is sent ends in Input or Patch, what is answered does not', () => {
  for (const [id, name] of [
    ['createMonitor', 'MonitorInput'],
    ['updateMonitor', 'MonitorPatch'],
    ['createMaintenanceWindow', 'MaintenanceWindowInput'],
    ['updateStatusIncident', 'StatusIncidentPatch'],
    ['createStatusIncidentUpdate', 'StatusIncidentUpdateInput'],
    ['updateWebhookEndpoint', 'WebhookEndpointPatch'],
  ])
    assert.equal(bodyOf(id ?? '')?.$ref, `#/components/schemas/${name}`)
})

test('A recurrence that is sent and an update that was published have names of their own', () => {
  const recurrence = schemas['MaintenanceWindowPatch']?.properties?.['recurrence']
  assert.equal(recurrence?.anyOf?.[0]?.$ref, '#/components/schemas/RecurrenceInput')
  const updates = schemas['StatusIncident']?.properties?.['updates']
  assert.equal(updates?.items?.$ref, '#/components/schemas/StatusIncidentUpdate')
})

test('No property of a body has a default, which openapi-typescript makes required', () => {
  const found = nodes.filter(({ node }) => 'default' in node && !('name' in node))
  assert.deepEqual(
    found.map(({ path }) => path.replace(/^#\/components\/parameters\//, '')),
    ['limit/schema', 'offset/schema'],
  )
  const properties = Object.values(schemas).flatMap((schema) =>
    Object.values(schema.properties ?? {}),
  )
  assert.ok(properties.some(({ description }) => description?.endsWith('Default: `300`.')))
})

test('No schema is split in two by readOnly or writeOnly', () => {
  for (const { node, path } of nodes)
    assert.ok(!('writeOnly' in node) && !('readOnly' in node), path)
})

test('An object that may be null is a reference and null', () => {
  for (const { node, path } of nodes)
    if (Array.isArray(node['type']) && node['type'].includes('null'))
      assert.equal(node['properties'], undefined, path)
})

test('The 22 event bodies are named and told apart by type', () => {
  const union = schemas['WebhookEvent']
  assert.equal(union?.discriminator?.propertyName, 'type')
  const { mapping } = union.discriminator
  assert.deepEqual(Object.keys(mapping), EVENT_TYPES)
  assert.deepEqual(
    Object.values(mapping),
    union.oneOf?.map(({ $ref }) => $ref),
  )
  for (const [type, ref] of Object.entries(mapping)) {
    const schema = schemas[ref.replace('#/components/schemas/', '')]
    assert.equal(schema?.properties?.['type']?.const, type)
    assert.ok(schema.required?.includes('type'))
  }
  assert.equal(mapping['monitor.updated'], '#/components/schemas/MonitorUpdatedEvent')
  assert.equal(
    mapping['status_incident.published']?.endsWith('/StatusIncidentPublishedEvent'),
    true,
  )
})

test('The payload of a delivery is the event itself, not inside allOf', () => {
  assert.deepEqual(schemas['WebhookDeliveryDetail']?.properties?.['payload'], {
    $ref: '#/components/schemas/WebhookEvent',
  })
})

test('Each webhook has an identifier, its named body and the three signature headers', () => {
  const { mapping = {} } = schemas['WebhookEvent']?.discriminator ?? {}
  const ids = Object.entries(document.webhooks ?? {}).map(([type, { post }]) => {
    assert.equal(post.requestBody.content['application/json'].schema.$ref, mapping[type])
    const names = post.parameters.map(({ $ref }) => parameters[$ref.split('/').at(-1) ?? '']?.name)
    assert.deepEqual(names, ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    return post.operationId
  })
  assert.equal(new Set(ids).size, 22)
  for (const id of ids) assert.match(id, /^on[A-Z][A-Za-z]+$/)
  assert.ok(ids.includes('onIncidentOpened'))
})

function bodyOf(operationId: string) {
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find((operation) => operation.operationId === operationId)?.requestBody?.content[
    'application/json'
  ].schema
}
