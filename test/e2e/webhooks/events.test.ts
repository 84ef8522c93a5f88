// Every type of event, caused for real: by the API, by checks and by the passing of time. What arrives is validated
// against its published schema and its signature.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Answer as Dns } from 'dns-packet'
import { toStrict } from '../../db-kit/openapi-document.ts'
import type { Client } from '../../kit/client.ts'
import type { Monitor } from '../../kit/shapes.ts'
import { createAuthority } from '../../kit/targets/certificates.ts'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import { rdapRecord, startRegistry } from '../../kit/targets/registry.ts'
import { type Page, type Request, startWeb } from '../../kit/targets/web.ts'
import type { WebhookPayload } from '../../kit/webhook-shapes.ts'
import { startFullFixture, until, verify } from './fixture.ts'

type Json = Record<string, unknown>

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'),
) as { webhooks: Record<string, { post: { requestBody: { content: Record<string, Json> } } }> }
const TYPES = Object.keys(document.webhooks)
const OUTPUT_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  allowUnionTypes: true,
  formats: { 'date-time': OUTPUT_TIME, uri: true },
})
const schemas = new Map(
  Object.entries(document.webhooks).map(([type, { post }]) => {
    const { schema } = post.requestBody.content['application/json'] ?? {}
    return [type, ajv.compile(toStrict(schema) as Json)]
  }),
)

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS)
const soon = inDays(10)
const authority = createAuthority()
const directory = mkdtempSync(join(tmpdir(), 'upvane-events-'))
writeFileSync(join(directory, 'root.pem'), authority.root)
let address = '127.0.0.1'
const dns = await startDnsServer(({ name, type }) => {
  const data = name === 'moving.test' ? address : '127.0.0.1'
  const answers: Dns[] = [{ name, type: 'A', data, ttl: 0 }]
  return type === 'A' ? { answers } : undefined
})
const registry = await startRegistry({
  suffixes: ['com'],
  rdap: { 'soon.com': rdapRecord(soon.toISOString()) },
  whois: {},
})
const web = await startWeb()
const secure = await startWeb(authority.issue('soon.test', { notAfter: soon }), 'soon.test')
const fixture = await startFullFixture({
  NODE_EXTRA_CA_CERTS: join(directory, 'root.pem'),
  PROBE_DNS_SERVERS: dns.address,
  RDAP_BOOTSTRAP_URL: registry.bootstrapUrl,
  WHOIS_SERVER: registry.whoisServer,
})
after(async () => {
  await fixture.stop()
  for (const server of [web, secure, registry]) await server.close()
  dns.close()
  authority.remove()
  rmSync(directory, { recursive: true })
})

const CHECKED = { name: 'Watched', intervalSeconds: 86_400, timeoutSeconds: 5 }
const THRESHOLD = { sslExpiryThresholdDays: 30 }

/** What a cause may use; `page` is its own target. */
type Context = { api: Client; page: Page; endpointId: string }
type Cause = {
  name: string
  run(context: Context): Promise<unknown>
  /** The published events, in the order of ids. */
  published: string[]
  /** Assertions that the schema cannot express. */
  inspect?(events: readonly WebhookPayload[]): void
}

const causes: Cause[] = [
  {
    name: 'a monitor is made, changed, paused, resumed and deleted',
    async run({ api }) {
      const { id } = await api.createMonitor({ type: 'CRON' })
      const changes = { name: 'Renamed', intervalSeconds: 120, graceSeconds: 90, type: 'CRON' }
      for (const answer of [
        await api.patch(`/monitors/${id}`, changes),
        await api.post(`/monitors/${id}/pause`, {}),
        await api.post(`/monitors/${id}/resume`, {}),
        await api.delete(`/monitors/${id}`),
      ])
        assert.ok(answer.status < 300, answer.text)
    },
    published: [
      'monitor.created',
      'monitor.updated',
      'monitor.paused',
      'monitor.resumed',
      'monitor.deleted',
    ],
    inspect([, updated]) {
      const { changedFields, monitor } = updated?.data ?? {}
      const changed = [...(changedFields as string[])].toSorted()
      assert.deepEqual(changed, ['graceSeconds', 'intervalSeconds', 'name'])
      assert.equal((monitor as Monitor).name, 'Renamed')
      assert.equal((monitor as Monitor).heartbeatUrl, null)
    },
  },
  {
    name: 'an outage, acknowledged, and its end',
    async run({ api, page }) {
      const requestHeaders = { Authorization: 'Bearer of-the-target' }
      const more = { requestHeaders, requestBody: 'secret body', method: 'POST' }
      const fields = { ...CHECKED, type: 'HTTP', url: page.url, ...more }
      const { id } = await api.createMonitor(fields)
      await stateIs(api, id, 'UP')
      page.become({ status: 500 })
      await check(api, id)
      const [incident] = (await api.get(`/incidents?monitorId=${id}`)).incidents.data
      await api.post(`/incidents/${incident?.id}/acknowledge`, { note: 'Looking' })
      page.become({})
      await check(api, id)
    },
    published: [
      'monitor.created',
      'monitor.up',
      'monitor.down',
      'incident.opened',
      'incident.acknowledged',
      'monitor.up',
      'incident.resolved',
    ],
    inspect(events) {
      const states = events.flatMap(({ data }) => data['previousState'] ?? [])
      assert.deepEqual(states, ['PENDING', 'UP', 'DOWN'])
      for (const { data } of events) {
        const { requestHeaders, requestBody } = data['monitor'] as Monitor
        assert.deepEqual([requestHeaders, requestBody], [{ Authorization: '***' }, null])
      }
      const resolutions = events.flatMap(({ data }) => {
        const incident = data['incident'] as Json | undefined
        return incident === undefined ? [] : incident['resolution']
      })
      assert.deepEqual(resolutions, [null, null, 'RECOVERED'])
    },
  },
  {
    name: 'a slow answer',
    async run({ api, page }) {
      page.become({ delayMs: 700 })
      const rule = { degradedThresholdMs: 300, degradedThresholdMode: 'LAST', degradedSamples: 1 }
      const { id } = await api.createMonitor({ ...CHECKED, type: 'HTTP', url: page.url, ...rule })
      await stateIs(api, id, 'DEGRADED')
    },
    published: ['monitor.created', 'monitor.degraded'],
  },
  {
    name: 'a certificate that expires soon',
    async run({ api }) {
      const url = `soon.test:${secure.port}`
      const { id } = await api.createMonitor({ ...CHECKED, type: 'SSL', url, ...THRESHOLD })
      await stateIs(api, id, 'DEGRADED')
    },
    published: ['monitor.created', 'monitor.degraded', 'monitor.ssl_expiring'],
    inspect: (events) => assertExpiring(events.at(-1)),
  },
  {
    name: 'a domain that expires soon',
    async run({ api }) {
      const { id } = await api.createMonitor({
        ...CHECKED,
        type: 'DOMAIN',
        url: 'soon.com',
        ...THRESHOLD,
      })
      await stateIs(api, id, 'DEGRADED')
    },
    published: ['monitor.created', 'monitor.degraded', 'monitor.domain_expiring'],
    inspect: (events) => assertExpiring(events.at(-1)),
  },
  {
    name: 'a name that leads elsewhere',
    async run({ api }) {
      const fields = { ...CHECKED, type: 'DNS', url: 'moving.test', dnsRecordType: 'A' }
      const { id } = await api.createMonitor(fields)
      await stateIs(api, id, 'UP')
      address = '127.0.0.2'
      await check(api, id)
    },
    published: ['monitor.created', 'monitor.up', 'monitor.dns_changed'],
    inspect(events) {
      const { before, after: now } = events.at(-1)?.data ?? {}
      assert.deepEqual([before, now], [['127.0.0.1'], ['127.0.0.2']])
    },
  },
  {
    name: 'an incident that is published, edited, updated and resolved',
    async run({ api }) {
      const page = { name: 'Page', sections: [{ components: [{ name: 'Shop' }] }] }
      await made(api, '/status-pages', page)
      const id = await made(api, '/status-incidents', { title: 'Problem', message: 'We look' })
      const path = `/status-incidents/${id}`
      await api.patch(path, { title: 'Problem with payments' })
      await made(api, `${path}/updates`, { status: 'MONITORING', message: 'Better' })
      await made(api, `${path}/updates`, { status: 'RESOLVED', message: 'Over' })
    },
    published: [
      'status_incident.published',
      'status_incident.updated',
      'status_incident.updated',
      'status_incident.resolved',
    ],
    inspect(events) {
      const messages = events
        .slice(1)
        .map(({ data }) => (data['update'] as Json | null)?.['message'])
      assert.deepEqual(messages, [undefined, 'Better', 'Over'])
    },
  },
  {
    name: 'a window that comes and goes, and one that is canceled',
    async run({ api }) {
      const at = (ms: number) => new Date(Date.now() + ms).toISOString()
      const window = { name: 'Window', allMonitors: true }
      await made(api, '/maintenance-windows', { ...window, startsAt: at(1500), endsAt: at(3000) })
      const id = await made(api, '/maintenance-windows', {
        ...window,
        startsAt: at(DAY_MS),
        endsAt: at(2 * DAY_MS),
      })
      await api.delete(`/maintenance-windows/${id}`)
    },
    published: [
      'maintenance.scheduled',
      'maintenance.scheduled',
      'maintenance.canceled',
      'maintenance.started',
      'maintenance.ended',
    ],
  },
  {
    name: 'a test',
    run: ({ api, endpointId }) => api.testEndpoint(endpointId),
    published: ['webhook.test'],
    inspect([event]) {
      assert.equal(event?.data['message'], 'Test event')
    },
  },
]

test('every type that is published is caused here, and no other', () => {
  assert.equal(TYPES.length, 22)
  const published = new Set(causes.flatMap((cause) => cause.published))
  const missing = TYPES.filter((type) => !published.has(type))
  assert.deepEqual(missing, [], 'has no cause')
  assert.deepEqual(
    [...published].filter((type) => !TYPES.includes(type)),
    [],
    'is not published',
  )
})

describe('received by a real server', { concurrency: 4 }, () => {
  for (const { name, run, published, inspect } of causes)
    test(`${name}: ${published.join(', ')}`, async () => {
      const { api, id: orgId } = await fixture.createOrganization()
      const receiver = web.page({})
      const { id: endpointId, secret } = await api.createEndpoint({ url: receiver.url })
      await run({ api, page: web.page({}), endpointId })
      await until(
        `${published.length} events`,
        async () => idsOf(receiver.seen).size >= published.length,
      )
      const deliveries = await until('the record of them', async () => {
        const all = await api.deliveriesTo(endpointId)
        return all.every(({ status }) => status === 'SUCCEEDED') && all
      })
      assert.equal(deliveries.length, published.length)

      const events = receiver.seen.map((request) => read(request, secret, orgId))
      const inOrder = events.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepEqual(
        inOrder.map(({ type }) => type),
        published,
      )
      inspect?.(inOrder)
      for (const { id, eventId } of deliveries) {
        const { payload } = await api.getDelivery(id)
        assert.deepEqual(
          payload,
          events.find((event) => event.id === eventId),
        )
      }
    })
})

const idsOf = (seen: readonly Request[]) =>
  new Set(seen.map(({ headers }) => headers['webhook-id']))

/**
 * Verified by the independent library and by the formula itself; the schema checks that it is complete and nothing
 * more.
 */
function read(request: Request, secret: string, orgId: string): WebhookPayload {
  verify(request, secret)
  const { headers, body } = request
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  assert.equal(headers['webhook-signature'], signature)

  const event = JSON.parse(body) as WebhookPayload
  const validate = schemas.get(event.type)
  assert.ok(validate?.(event), `${event.type}: ${ajv.errorsText(validate?.errors)}\n${body}`)
  assert.equal(event.id, headers['webhook-id'])
  assert.equal(event.organizationId, orgId)
  assert.equal(JSON.stringify(event), body, 'serialised without a space')
  return event
}

function assertExpiring(event: WebhookPayload | undefined): void {
  const daysLeft = Math.floor((soon.getTime() - Date.now()) / DAY_MS)
  const { expiresAt, daysLeft: published } = event?.data ?? {}
  assert.deepEqual([expiresAt, published], [soon.toISOString(), daysLeft])
}

async function made(api: Client, path: string, body: unknown): Promise<string> {
  const answer = await api.post(path, body)
  assert.equal(answer.status, 201, answer.text)
  return (answer.json as { id: string }).id
}

const stateIs = (api: Client, id: string, state: string) =>
  until(`${id} ${state}`, async () => (await api.getMonitor(id)).state === state)

async function check(api: Client, id: string): Promise<void> {
  const answer = await api.post(`/monitors/${id}/check`, {})
  assert.equal(answer.status, 200, answer.text)
}
