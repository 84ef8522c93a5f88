// @upvane/sdk/testing: the fake answers like the API, as far as a test of a program needs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readOpenapi } from '../make/schema.ts'
import { isApiError } from '../src/index.ts'
import { fakeUpvane } from '../src/testing.ts'
import { signWebhook, verifyWebhook } from '../src/webhooks.ts'

const NOW = new Date('2026-11-14T22:39:00.000Z')
const START = '2026-12-01T00:00:00.000Z'
const END = '2026-12-01T02:00:00.000Z'

test('all 37 operations answer in the shape that the contract has for them', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const openapi = readOpenapi()
  ajv.addSchema(openapi, 'openapi')
  const fake = fakeUpvane({ now: () => NOW })
  const upvane = fake.client()
  const seen = new Set<string>()
  const check = (operation: string, answer: unknown) => {
    const [path = '', method = ''] = placeOf(operation)
    const status = openapi.paths[path]?.[method]?.responses['201'] ? '201' : '200'
    const at = [path.replaceAll('/', '~1'), method, 'responses', status, 'content']
    const schema = `openapi#/paths/${at.join('/')}/application~1json/schema`
    assert.ok(ajv.validate(encodeURI(schema), answer), `${operation}: ${ajv.errorsText()}`)
    seen.add(operation)
  }
  const monitor = await upvane.monitors.create({ name: 'Shop', type: 'CRON' })
  check('createMonitor', monitor)
  check('listMonitors', await upvane.monitors.list().page())
  check('getMonitor', await upvane.monitors.get(monitor.id))
  check('updateMonitor', await upvane.monitors.update(monitor.id, { name: 'Cart' }))
  check('checkMonitor', await upvane.monitors.check(monitor.id))
  check('pauseMonitor', await upvane.monitors.pause(monitor.id))
  check('resumeMonitor', await upvane.monitors.resume(monitor.id))
  const incident = fake.add('incidents', { cause: 'HTTP 503' })
  check('listIncidents', await upvane.incidents.list().page())
  check('getIncident', await upvane.incidents.get(incident.id))
  check('acknowledgeIncident', await upvane.incidents.acknowledge(incident.id))
  const sections = [{ name: 'Shop', components: [{ name: 'Cart', monitorId: monitor.id }] }]
  const page = await upvane.statusPages.create({ name: 'Public', sections })
  check('createStatusPage', page)
  check('listStatusPages', await upvane.statusPages.list().page())
  check('getStatusPage', await upvane.statusPages.get(page.id))
  check('updateStatusPage', await upvane.statusPages.update(page.id, { theme: 'DARK' }))
  check('deleteStatusPage', await upvane.statusPages.delete(page.id))
  const times = { startsAt: new Date(START), endsAt: END }
  const window = await upvane.maintenanceWindows.create({ name: 'Patches', ...times })
  check('createMaintenanceWindow', window)
  check('listMaintenanceWindows', await upvane.maintenanceWindows.list().page())
  check('getMaintenanceWindow', await upvane.maintenanceWindows.get(window.id))
  const renamed = await upvane.maintenanceWindows.update(window.id, { name: 'Updates' })
  check('updateMaintenanceWindow', renamed)
  check('deleteMaintenanceWindow', await upvane.maintenanceWindows.delete(window.id))
  const published = await upvane.statusIncidents.create({ title: 'Slow', message: 'We look.' })
  check('createStatusIncident', published)
  check('listStatusIncidents', await upvane.statusIncidents.list().page())
  check('getStatusIncident', await upvane.statusIncidents.get(published.id))
  const edited = await upvane.statusIncidents.update(published.id, { impact: 'MAJOR' })
  check('updateStatusIncident', edited)
  const input = { message: 'Fixed.', status: 'RESOLVED' } as const
  const updated = await upvane.statusIncidents.addUpdate(published.id, input)
  check('createStatusIncidentUpdate', updated)
  assert.deepEqual(
    updated.updates.map(({ status, message }) => [status, message]),
    [
      ['RESOLVED', 'Fixed.'],
      ['INVESTIGATING', 'We look.'],
    ],
  )
  check('deleteStatusIncident', await upvane.statusIncidents.delete(published.id))
  const url = 'https://hooks.example.com/'
  const endpoint = await upvane.webhookEndpoints.create({ url })
  check('createWebhookEndpoint', endpoint)
  check('listWebhookEndpoints', await upvane.webhookEndpoints.list().page())
  check('getWebhookEndpoint', await upvane.webhookEndpoints.get(endpoint.id))
  const disabled = await upvane.webhookEndpoints.update(endpoint.id, { enabled: false })
  check('updateWebhookEndpoint', disabled)
  check('rotateWebhookEndpointSecret', await upvane.webhookEndpoints.rotateSecret(endpoint.id))
  const delivery = await upvane.webhookEndpoints.test(endpoint.id)
  check('testWebhookEndpoint', delivery)
  check('listWebhookDeliveries', await upvane.webhookDeliveries.list().page())
  check('getWebhookDelivery', await upvane.webhookDeliveries.get(delivery.id))
  check('retryWebhookDelivery', await upvane.webhookDeliveries.retry(delivery.id))
  check('deleteWebhookEndpoint', await upvane.webhookEndpoints.delete(endpoint.id))
  check('deleteMonitor', await upvane.monitors.delete(monitor.id))
  assert.equal(seen.size, 37)
})

/** Path and method of an operation in the contract. */
function placeOf(operation: string): string[] {
  const places = Object.entries(readOpenapi().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ path, method, operationId })),
  )
  const found = places.find(({ operationId }) => operationId === operation)
  return found === undefined ? [] : [found.path, found.method]
}

test('a new item has the defaults of the API and what was given, and nothing unknown', async () => {
  const fake = fakeUpvane({ now: () => NOW })
  const input = { name: 'Shop', type: 'CRON', graceSeconds: 5, color: 'red' } as const
  const monitor = await fake.client().monitors.create(input)
  assert.deepEqual(
    [monitor.state, monitor.intervalSeconds, monitor.graceSeconds, monitor.createdAt],
    ['PENDING', 300, 5, NOW.toISOString()],
  )
  assert.equal(monitor.heartbeatUrl, `${fake.baseUrl}/hb/${monitor.id}`)
  assert.ok(!('color' in monitor))
})

test('the errors that programs meet: 400, 401, 404, 409', async () => {
  const fake = fakeUpvane()
  const upvane = fake.client()
  const is = (code: string) => (error: unknown) => isApiError(error, code)
  await assert.rejects(upvane.monitors.create({ name: 'x' } as never), (error) => {
    assert.ok(isApiError(error, 'validation_error'))
    assert.deepEqual(error.details, [{ path: 'type', message: 'is required' }])
    return true
  })
  await assert.rejects(fake.client({ apiKey: 'upv_other' }).monitors.get('x'), is('unauthorized'))
  await assert.rejects(upvane.monitors.get('mon_x'), is('not_found'))
  await assert.rejects(upvane.request('GET', '/unknown'), is('not_found'))
  const { id } = fake.add('monitors', { state: 'PAUSED' })
  await assert.rejects(upvane.monitors.check(id), is('conflict'))
  const input = { name: 'A', type: 'CRON' } as const
  const idempotencyKey = 'once'
  await upvane.monitors.create(input, { idempotencyKey })
  const { replayed } = await upvane.monitors.create(input, { idempotencyKey }).withResponse()
  assert.equal(replayed, true)
  const other = upvane.monitors.create({ ...input, name: 'B' }, { idempotencyKey })
  await assert.rejects(other, is('idempotency_conflict'))
  assert.equal(fake.items('monitors').length, 2)
})

test('failures on demand: refused, unreachable, and lost after the change', async () => {
  const fake = fakeUpvane()
  const refused = { status: 429, code: 'rate_limited', retryAfterSeconds: 0 }
  fake.failNext(refused, 'connection', 'cut_off')
  const upvane = fake.client({ maxRetries: 3 })
  const call = upvane.monitors.create({ name: 'Shop', type: 'CRON' })
  const { attempts, replayed } = await call.withResponse()
  assert.deepEqual([attempts, replayed], [4, true])
  assert.equal(fake.items('monitors').length, 1)
  assert.deepEqual(
    fake.calls.map(({ operation, status }) => [operation, status]),
    [
      ['createMonitor', 429],
      ['createMonitor', null],
      ['createMonitor', null],
      ['createMonitor', 201],
    ],
  )
})

test('lists: pages, filters, and what a test changes in a copy stays in the copy', async () => {
  const fake = fakeUpvane()
  for (let each = 0; each < 230; each++)
    fake.add('monitors', { name: `Monitor ${each}`, state: each % 2 === 0 ? 'UP' : 'DOWN' })
  const upvane = fake.client()
  assert.equal((await upvane.monitors.list().all()).length, 230)
  assert.equal((await upvane.monitors.list({ state: 'DOWN' }).all()).length, 115)
  assert.equal((await upvane.monitors.list({ state: ['DOWN', 'UP'] }).all()).length, 230)
  const [found] = await upvane.monitors.list({ q: 'monitor 229' }).all()
  assert.equal(found?.name, 'Monitor 229')
  fake.add('incidents', { resolvedAt: START })
  assert.equal((await upvane.incidents.list({ status: 'ONGOING' }).all()).length, 0)
  assert.equal((await upvane.incidents.list({ status: 'RESOLVED' }).all()).length, 1)
  const [copy] = fake.items('monitors')
  Object.assign(copy ?? {}, { name: 'Changed' })
  assert.notEqual(fake.items('monitors')[0]?.name, 'Changed')
})

test("an endpoint's secret signs what verifyWebhook accepts", async () => {
  const url = 'https://hooks.example.com/'
  const { secret } = await fakeUpvane().client().webhookEndpoints.create({ url })
  const event = { id: 'evt_1', type: 'webhook.test', timestamp: '', organizationId: 'org_1' }
  const body = JSON.stringify({ ...event, data: { message: 'Hello', endpointId: 'whe_1' } })
  const headers = await signWebhook({ secret, id: event.id, body })
  assert.equal((await verifyWebhook({ secret, headers, body })).id, 'evt_1')
})
