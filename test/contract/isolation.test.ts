// No organization can read, change or infer anything about another. The matrix is generated from the API description,
// so new operations with an id are covered automatically.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { Client, type RawRequest, type Reply } from '../db-kit/client.ts'
import { type Operation, readOperations, resolve } from '../db-kit/openapi-document.ts'
import { randomId, toUuid } from '../db-kit/public-id.ts'
import { seedIncident } from '../db-kit/seed-incident.ts'

type Ids = Record<string, string>
type Page = { data: { id: string }[]; pagination: { total: number } }

const operations = readOperations()
const withId = operations.filter(({ path }) => path.includes('{'))
const writes = operations.filter(({ method }) => method !== 'GET')
const PREFIXES: Ids = {
  monitorId: 'mon',
  incidentId: 'inc',
  maintenanceId: 'mw',
  statusPageId: 'sp',
  statusIncidentId: 'sin',
  endpointId: 'whe',
  deliveryId: 'whd',
}
// Headers that may differ between two equal responses.
const PASSING_HEADERS = /^(x-request-id|ratelimit.*|date)$/

let stack: Stack
let service: Service
let db: pg.Client
let a: Client
let b: Client
let readOnly: Client
let foreignIds: Ids
let ownIds: Ids

before(async () => {
  stack = await startStack({ nats: true, rateLimit: 1e6, env: { LOG_LEVEL: 'error' } })
  service = await stack.start('api')
  db = new pg.Client({ connectionString: stack.databaseUrl })
  await db.connect()
  a = new Client(service.baseUrl, stack.keys.full)
  b = new Client(service.baseUrl, stack.keys.otherOrganization)
  readOnly = new Client(service.baseUrl, stack.keys.readOnly)
  ownIds = await resourcesOf(a, 'Ours')
  foreignIds = await resourcesOf(b, 'Theirs')
})
after(async () => {
  for (const client of [a, b, readOnly]) client.close()
  await db.end()
  await stack.stop()
})

test('the matrix sees every operation with an id', () => {
  assert.ok(withId.length >= 14, `${withId.length} operations with an id`)
  for (const { path } of withId) assert.ok(PREFIXES[parameterOf(path)], `no id for ${path}`)
})

for (const operation of withId) {
  const parameter = parameterOf(operation.path)

  test(`${operation.id}: a foreign id answers exactly like an unknown one, and nothing changes`, async () => {
    const before = await everythingOf('Other organization')
    const unknown = await a.send(requestFor(operation, randomId(PREFIXES[parameter] ?? '')))
    const foreign = await a.send(requestFor(operation, foreignIds[parameter] ?? ''))

    assert.equal(unknown.status, 404)
    assert.deepEqual(lasting(foreign), lasting(unknown))
    assert.equal(await everythingOf('Other organization'), before)
  })

  test(`${operation.id}: ids of another kind and no ids at all answer like an unknown one`, async () => {
    const other = Object.keys(PREFIXES).find((name) => name !== parameter) ?? ''
    const unknown = await a.send(requestFor(operation, randomId(PREFIXES[parameter] ?? '')))
    const uuid = toUuid(foreignIds[parameter] ?? '')
    const strangers = [
      ownIds[other] ?? '',
      foreignIds[other] ?? '',
      uuid,
      uuid.toUpperCase(),
      'x',
      '%27%20or%201=1--',
      '0',
    ]
    for (const id of strangers)
      assert.deepEqual(lasting(await a.send(requestFor(operation, id))), lasting(unknown), id)
  })
}

for (const operation of withId.filter(({ method }) => method !== 'GET')) {
  test(`${operation.id}: with an Idempotency-Key a foreign id is no more known than without`, async () => {
    const parameter = parameterOf(operation.path)
    const headers = { 'Idempotency-Key': `carry:${operation.id}` }
    const unknown = await a.send(requestFor(operation, randomId(PREFIXES[parameter] ?? '')))
    const foreign = await a.send({ ...requestFor(operation, foreignIds[parameter] ?? ''), headers })
    assert.deepEqual(lasting(foreign), lasting(unknown))
  })
}

test('lists and totals hold the own organization alone', async () => {
  for (const { path } of operations.filter((o) => o.method === 'GET' && !o.path.includes('{'))) {
    const ours = (await a.send({ path: `${path}?limit=100` })).json<Page>()
    const theirs = (await b.send({ path: `${path}?limit=100` })).json<Page>()
    const shared = new Set(ours.data.map(({ id }) => id)).intersection(
      new Set(theirs.data.map(({ id }) => id)),
    )
    assert.deepEqual([...shared], [], path)
    assert.ok(ours.data.length > 0 && theirs.data.length > 0, `${path} proves nothing when empty`)
    assert.equal(ours.pagination.total, ours.data.length, path)
    assert.equal(theirs.pagination.total, theirs.data.length, path)
  }
})

test('filters and search find nothing of another organization', async () => {
  const queries = [
    `/api/v1/incidents?monitorId=${foreignIds['monitorId']}`,
    `/api/v1/incidents?monitorId=${foreignIds['incidentId']}`,
    `/api/v1/maintenance-windows?monitorId=${foreignIds['monitorId']}`,
    `/api/v1/maintenance-windows?monitorId=${foreignIds['maintenanceId']}`,
    `/api/v1/webhook-deliveries?endpointId=${foreignIds['endpointId']}`,
    `/api/v1/webhook-deliveries?endpointId=${foreignIds['deliveryId']}`,
    `/api/v1/status-incidents?statusPageId=${foreignIds['statusPageId']}`,
    `/api/v1/status-incidents?statusPageId=${foreignIds['statusIncidentId']}`,
    '/api/v1/status-pages?q=Theirs',
    '/api/v1/monitors?q=Theirs',
    '/api/v1/monitors?q=theirs.example',
    `/api/v1/monitors?organizationId=x&q=Theirs`,
  ]
  for (const path of queries) {
    const page = (await a.send({ path })).json<Page>()
    assert.deepEqual([page.data, page.pagination.total], [[], 0], path)
  }
  const found = (await b.send({ path: '/api/v1/monitors?q=theirs.example' })).json<Page>()
  assert.equal(found.data.length, 1, 'the search itself works')
  const own = `/api/v1/webhook-deliveries?endpointId=${ownIds['endpointId']}`
  assert.ok((await a.send({ path: own })).json<Page>().data.length > 0, 'the filter itself works')
})

test('Idempotency-Key: two organizations use one key without seeing each other', async () => {
  const ask = {
    method: 'POST',
    path: '/api/v1/monitors',
    headers: { 'Idempotency-Key': 'order-1' },
    body: { name: 'Same input', type: 'CRON' },
  }
  const [theirs, ours] = [await b.send(ask), await a.send(ask)]
  assert.equal(theirs.status, 201)
  assert.equal(ours.status, 201)
  assert.equal(ours.headers['idempotency-replayed'], undefined)
  assert.notEqual(ours.json()['id'], theirs.json()['id'])

  // Different input under their idempotency key is no conflict for us either.
  const headers = { 'Idempotency-Key': 'order-2' }
  await b.send({ ...ask, headers })
  const other = await a.send({ ...ask, headers, body: { name: 'Other input', type: 'CRON' } })
  assert.equal(other.status, 201)
})

test('an event is delivered to endpoints of its own organization alone', async () => {
  await b.send({ method: 'POST', path: '/api/v1/monitors', body: { name: 'Theirs', type: 'CRON' } })
  await a.send({ method: 'POST', path: '/api/v1/monitors', body: { name: 'Ours', type: 'CRON' } })
  const { rows } = await db.query<{ strays: number; deliveries: number }>(`
    select count(*)::int as deliveries,
           count(*) filter (where e.org_id <> d.org_id or w.org_id <> d.org_id)::int as strays
      from deliveries d
      join events e on e.id = d.event_id
      join webhook_endpoints w on w.id = d.endpoint_id`)
  assert.ok((rows[0]?.deliveries ?? 0) >= 4, `${rows[0]?.deliveries} deliveries`)
  assert.equal(rows[0]?.strays, 0)
})

test('an organization named in body or query is ignored', async () => {
  const body = {
    name: 'Mine',
    type: 'CRON',
    organizationId: 'org_x',
    orgId: toUuid(foreignIds['monitorId'] ?? ''),
  }
  const made = await a.send({ method: 'POST', path: '/api/v1/monitors?organizationId=org_x', body })
  assert.equal(made.status, 201)
  const path = `/api/v1/monitors/${made.json()['id']}`
  assert.equal((await a.send({ path })).status, 200)
  assert.equal((await b.send({ path })).status, 404)
})

test('a read-only key is refused every write, whatever it holds, and nothing changes', async () => {
  const before = await everythingOf('Demo')
  for (const operation of writes) {
    const id = ownIds[parameterOf(operation.path)] ?? ''
    for (const ask of [requestFor(operation, id), { ...requestFor(operation, 'x'), body: '{' }]) {
      const reply = await readOnly.send({
        ...ask,
        headers: { 'Idempotency-Key': 'no key either: é' },
      })
      assert.equal(reply.status, 403, operation.id)
      assert.equal(reply.json<{ error: { code: string } }>().error.code, 'forbidden')
    }
  }
  assert.equal(await everythingOf('Demo'), before)
})

test('a read-only key reads exactly what a full key reads', async () => {
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const ask = requestFor(operation, ownIds[parameterOf(operation.path)] ?? '')
    const [full, read] = [await a.send(ask), await readOnly.send(ask)]
    assert.equal(full.status, 200, operation.id)
    assert.deepEqual(lasting(read), lasting(full), operation.id)
  }
})

async function resourcesOf(client: Client, name: string): Promise<Ids> {
  const host = `https://${name.toLowerCase()}.example/`
  const endpointId = await create(client, '/webhook-endpoints', { url: host })
  const monitorId = await create(client, '/monitors', {
    name,
    type: 'HTTP',
    url: host,
    requestHeaders: { Authorization: `secret of ${name}` },
  })
  const incidentId = await seedIncident(db, monitorId)
  assert.ok(incidentId)
  const deliveryId = await create(client, `/webhook-endpoints/${endpointId}/test`)
  // Open and covering all monitors: it must neither show nor cover another organization's monitors.
  const maintenanceId = await create(client, '/maintenance-windows', {
    name,
    startsAt: new Date(Date.now() - 3_600_000).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    allMonitors: true,
  })
  const statusPageId = await create(client, '/status-pages', { name, monitorIds: [monitorId] })
  const published = { title: name, message: name, incidentId }
  const statusIncidentId = await create(client, '/status-incidents', published)
  const pageIds = { statusPageId, statusIncidentId }
  return { monitorId, incidentId, endpointId, deliveryId, maintenanceId, ...pageIds }
}

async function create(client: Client, path: string, body?: object): Promise<string> {
  const made = await client.send({ method: 'POST', path: `/api/v1${path}`, ...(body && { body }) })
  assert.ok(made.status < 300, made.text)
  return String(made.json()['id'])
}

/** A request that would succeed with an id of the caller's own organization. */
function requestFor({ method, path, body }: Operation, id: string): RawRequest {
  const needed = (body && (resolve(body.schema)['required'] as string[] | undefined)) ?? []
  const sent = needed.length > 0 ? (body?.example as object) : {}
  return { method, path: path.replace(/\{[^}]+\}/, id), ...(body && { body: sent }) }
}

function parameterOf(path: string): string {
  return /\{([^}]+)\}/.exec(path)?.[1] ?? ''
}

/** The response without the headers that are specific to one request. */
function lasting({ status, headers, text }: Reply) {
  const kept = Object.entries(headers).filter(([name]) => !PASSING_HEADERS.test(name))
  const body = text.replaceAll(String(headers['x-request-id']), 'req')
  return { status, body, headers: Object.fromEntries(kept) }
}

/** Every row of every table that belongs to the organization, as one string. */
async function everythingOf(name: string): Promise<string> {
  const { rows: tables } = await db.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
      join pg_attribute k on k.attrelid = c.oid and k.attname = 'org_id'
     where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'api_keys'
     order by 1`)
  assert.ok(tables.length >= 15, `${tables.length} tables`)
  const parts: string[] = []
  for (const table of tables) {
    const { rows } = await db.query<{ rows: string }>(
      `select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]')::text as rows
         from ${table.name} t where t.org_id = (select id from organizations where name = $1)`,
      [name],
    )
    parts.push(`${table.name}: ${rows[0]?.rows}`)
  }
  return parts.join('\n')
}
