import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import type { Operation } from '../operation.ts'
import { EVENT_SCHEMAS, EVENTS, eventExample } from './events.ts'
import { GUIDE, TAGS } from './guide.ts'
import { OPERATIONS } from './operations.ts'

const ajv = new Ajv2020({ allErrors: true, useDefaults: true, strictTypes: false })
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
ajv.addFormat('date-time', DATE_TIME)

const IDS = `listMonitors createMonitor getMonitor updateMonitor deleteMonitor pauseMonitor
  resumeMonitor checkMonitor listIncidents getIncident acknowledgeIncident listStatusPages
  createStatusPage getStatusPage updateStatusPage deleteStatusPage listMaintenanceWindows
  createMaintenanceWindow getMaintenanceWindow updateMaintenanceWindow deleteMaintenanceWindow
  listStatusIncidents createStatusIncident getStatusIncident updateStatusIncident
  deleteStatusIncident createStatusIncidentUpdate listWebhookEndpoints createWebhookEndpoint
  getWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint rotateWebhookEndpointSecret
  testWebhookEndpoint listWebhookDeliveries getWebhookDelivery retryWebhookDelivery`.split(/\s+/)

test('There are exactly 37 operations, in the order of the reference', () => {
  assert.equal(IDS.length, 37)
  assert.deepEqual(
    OPERATIONS.map(({ id }) => id),
    IDS,
  )
})

test('No two operations share a method and path', () => {
  const routes = OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(routes).size, 37)
})

for (const operation of OPERATIONS) {
  test(`${operation.id}: path parameters are those of the path`, () => {
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    assert.deepEqual(Object.keys(operation.params?.properties ?? {}), inPath)
    assert.equal(operation.path.includes('{'), operation.params !== undefined)
  })

  test(`${operation.id}: examples are valid`, () => {
    valid(operation.reply.body, operation.reply.example)
    if (operation.body) valid(operation.body.schema, structuredClone(operation.body.example))
  })

  test(`${operation.id}: every field says what it is`, () => {
    assert.ok(TAGS[operation.tag])
    const schemas = [operation.query, operation.body?.schema, operation.reply.body]
    assert.deepEqual(
      schemas.flatMap((schema) => (schema ? silentFields(schema, '') : [])),
      [],
    )
  })
}

test('GET and DELETE take no body, POST and PATCH do', () => {
  for (const { id, method, body } of OPERATIONS)
    assert.equal(body !== undefined, method === 'POST' || method === 'PATCH', id)
})

test('Creating answers 201, everything else 200', () => {
  for (const { id, reply } of OPERATIONS)
    assert.equal(reply.status, id.startsWith('create') ? 201 : 200, id)
})

const EMPTY = ['pauseMonitor', 'resumeMonitor', 'checkMonitor']
const OPTIONAL = [
  'acknowledgeIncident',
  'rotateWebhookEndpointSecret',
  'testWebhookEndpoint',
  'retryWebhookDelivery',
]

test('Only acknowledge, rotate, test and retry may go without a body', () => {
  const optional = OPERATIONS.filter(({ body }) => body?.required === false)
  assert.deepEqual(optional.map(({ id }) => id).toSorted(), OPTIONAL.toSorted())
})

for (const operation of OPERATIONS.filter(({ body }) => body !== undefined)) {
  const strict = [...EMPTY, ...OPTIONAL].includes(operation.id)
  test(`${operation.id}: an unknown property is ${strict ? 'refused' : 'ignored'}`, () => {
    const body = { ...(operation.body?.example as object), unknownProperty: 1 }
    assert.equal(ajv.validate(operation.body?.schema ?? {}, body), !strict)
  })
}

for (const operation of OPERATIONS.filter(({ id }) => id.startsWith('update'))) {
  test(`${operation.id}: an empty patch is valid and stays empty`, () => {
    const body = {}
    valid(operation.body?.schema ?? {}, body)
    assert.deepEqual(body, {})
  })
}

for (const operation of OPERATIONS.filter(({ id }) => id.startsWith('list'))) {
  test(`${operation.id}: pages by limit 1-100 (25) and offset 0-100000 (0)`, () => {
    const query = {}
    valid(operation.query ?? {}, query)
    assert.deepEqual(query, { limit: 25, offset: 0 })
    for (const good of [{ limit: 1 }, { limit: 100 }, { offset: 100_000 }])
      assert.ok(ajv.validate(operation.query ?? {}, { ...good }), JSON.stringify(good))
    for (const bad of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { offset: 100_001 }])
      assert.ok(!ajv.validate(operation.query ?? {}, { ...bad }), JSON.stringify(bad))
  })
}

test('Answers are closed: no field may slip out that was not promised', () => {
  for (const { id, reply } of OPERATIONS) {
    const leaking = { ...(reply.example as object), passwordHash: 'x' }
    assert.equal(ajv.validate(reply.body, leaking), false, id)
  }
})

test('Filters are those of the contract', () => {
  const filters = OPERATIONS.filter(({ query }) => query).map(({ id, query }) => [
    id,
    Object.keys(query?.properties ?? {}).slice(2),
  ])
  assert.deepEqual(filters, [
    ['listMonitors', ['type', 'state', 'q']],
    ['listIncidents', ['monitorId', 'status', 'acknowledged', 'startedAfter', 'startedBefore']],
    ['listStatusPages', ['q']],
    ['listMaintenanceWindows', ['status', 'monitorId']],
    ['listStatusIncidents', ['status', 'statusPageId']],
    ['listWebhookEndpoints', ['enabled']],
    [
      'listWebhookDeliveries',
      ['endpointId', 'eventType', 'status', 'createdAfter', 'createdBefore'],
    ],
  ])
})

test('There are 22 events, each with a valid example', () => {
  assert.equal(new Set(EVENT_TYPES).size, 22)
  assert.deepEqual(
    EVENTS.map(({ type }) => type),
    EVENT_TYPES,
  )
  for (const { event, schema } of EVENT_SCHEMAS.values()) valid(schema, eventExample(event))
})

test('The guide has a chapter for everything that all operations share', () => {
  assert.deepEqual(
    GUIDE.map(({ id }) => id),
    ['authentication', 'rate-limit', 'idempotency', 'errors', 'pagination', 'versioning'],
  )
})

function valid(schema: object, value: unknown): void {
  assert.ok(ajv.validate(schema, value), ajv.errorsText())
}

type Node = {
  description?: string
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  allOf?: Node[]
}

/** Paths of fields without a description. */
function silentFields(schema: object, path: string): string[] {
  const { properties = {}, items, anyOf = [], allOf = [] } = schema as Node
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(field.description || field.properties || field.items?.properties
        ? []
        : [`${path}${name}`]),
      ...silentFields(field, `${path}${name}.`),
    ]),
    ...(items ? silentFields(items, path) : []),
    ...[...anyOf, ...allOf].flatMap((part) => silentFields(part, path)),
  ]
}

// An operation is data, so it must survive a copy through JSON.
test('Operations are plain data', () => {
  const copy = JSON.parse(JSON.stringify(OPERATIONS)) as Operation[]
  assert.equal(copy.length, 37)
  assert.deepEqual(copy[1]?.body?.schema.required, ['name', 'type'])
})
