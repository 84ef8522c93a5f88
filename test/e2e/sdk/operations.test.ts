// @upvane/sdk against the running product: all 37 operations, a lost answer, a list that changes, and the programs of
// the guide.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type AttemptResult, isApiError, Upvane } from '@upvane/sdk'
import { startProduct } from '../../kit/fixture.ts'
import { listen } from '../../kit/targets/listen.ts'
import { startWeb } from '../../kit/targets/web.ts'

const OPERATIONS = 37
const HOUR_MS = 3_600_000
const SAMPLES = join(import.meta.dirname, '../../../docs/samples/sdk')
const run = promisify(execFile)

const web = await startWeb()
const product = await startProduct({ command: 'start' })
after(async () => {
  await product.stop()
  await web.close()
})
const { baseUrl } = product.service
const client = (apiKey = product.keys.full, more = {}) => new Upvane({ apiKey, baseUrl, ...more })

test('all 37 operations', async () => {
  const succeeded = new Set<string>()
  const onResponse = ({ operation, errorCode }: AttemptResult) => {
    if (errorCode === null) succeeded.add(operation)
  }
  const upvane = client(product.keys.full, { onResponse })
  const page = web.page({ status: 503 })
  const fields = { name: 'Shop', type: 'HTTP', url: page.url, intervalSeconds: 86_400 } as const

  const { id } = await upvane.monitors.create(fields)
  assert.equal((await upvane.monitors.check(id)).state, 'DOWN')
  const [incident] = await upvane.incidents.list({ monitorId: id, status: 'ONGOING' }).all()
  assert.ok(incident)
  assert.equal((await upvane.incidents.get(incident.id)).causeCode, 'UNEXPECTED_STATUS')
  const taken = await upvane.incidents.acknowledge(incident.id, { note: 'Mine' })
  assert.equal(taken.acknowledgeNote, 'Mine')
  assert.equal((await upvane.monitors.pause(id)).state, 'PAUSED')
  await assert.rejects(upvane.monitors.check(id), (error) => isApiError(error, 'conflict'))
  assert.equal((await upvane.monitors.resume(id)).state, 'PENDING')
  assert.equal((await upvane.monitors.update(id, { name: 'Cart' })).name, 'Cart')
  assert.equal((await upvane.monitors.get(id)).name, 'Cart')
  assert.ok((await upvane.monitors.list({ q: 'Cart', type: ['HTTP', 'CRON'] }).all()).length > 0)

  const sections = [{ name: 'Shop', components: [{ name: 'Cart', monitorId: id }] }]
  const status = await upvane.statusPages.create({ name: 'Public', sections })
  assert.equal((await upvane.statusPages.get(status.id)).sections[0]?.name, 'Shop')
  assert.equal((await upvane.statusPages.update(status.id, { theme: 'DARK' })).theme, 'DARK')
  assert.equal((await upvane.statusPages.list().all()).length, 1)

  const startsAt = new Date(Date.now() + HOUR_MS)
  const endsAt = new Date(Date.now() + 2 * HOUR_MS).toISOString()
  const planned = { name: 'Patches', startsAt, endsAt, monitorIds: [id] }
  const window = await upvane.maintenanceWindows.create(planned)
  assert.equal(window.startsAt, startsAt.toISOString(), 'a Date is a time')
  assert.equal((await upvane.maintenanceWindows.get(window.id)).status, 'SCHEDULED')
  await upvane.maintenanceWindows.update(window.id, { name: 'Updates' })
  const windows = await upvane.maintenanceWindows.list({ status: 'SCHEDULED', monitorId: id }).all()
  assert.deepEqual(
    windows.map(({ name }) => name),
    ['Updates'],
  )
  await upvane.maintenanceWindows.delete(window.id)

  const published = await upvane.statusIncidents.create({ title: 'Slow', message: 'We look.' })
  await upvane.statusIncidents.update(published.id, { impact: 'MAJOR' })
  const input = { message: 'Fixed.', status: 'RESOLVED', notifySubscribers: false } as const
  assert.equal((await upvane.statusIncidents.addUpdate(published.id, input)).status, 'RESOLVED')
  assert.equal((await upvane.statusIncidents.get(published.id)).impact, 'MAJOR')
  const shown = upvane.statusIncidents.list({ statusPageId: status.id })
  assert.equal((await shown.all()).length, 1)
  await upvane.statusIncidents.delete(published.id)
  await upvane.statusPages.delete(status.id)

  const receiver = web.page({ status: 204 })
  const eventTypes = ['webhook.test' as const]
  const endpoint = await upvane.webhookEndpoints.create({ url: receiver.url, eventTypes })
  assert.match(endpoint.secret, /^whsec_/)
  assert.notEqual((await upvane.webhookEndpoints.rotateSecret(endpoint.id)).secret, endpoint.secret)
  await upvane.webhookEndpoints.update(endpoint.id, { description: 'Test' })
  assert.equal((await upvane.webhookEndpoints.get(endpoint.id)).description, 'Test')
  assert.equal((await upvane.webhookEndpoints.list({ enabled: true }).all()).length, 1)
  const delivery = await upvane.webhookEndpoints.test(endpoint.id)
  const deliveries = upvane.webhookDeliveries.list({ endpointId: endpoint.id })
  assert.deepEqual(
    (await deliveries.all()).map((each) => each.id),
    [delivery.id],
  )
  assert.equal((await upvane.webhookDeliveries.get(delivery.id)).payload.type, 'webhook.test')
  await upvane.webhookDeliveries.retry(delivery.id)
  await upvane.webhookEndpoints.delete(endpoint.id)
  assert.deepEqual(await upvane.monitors.delete(id), { data: { id } })

  assert.equal(succeeded.size, OPERATIONS, [...succeeded].join(' '))
})

describe('against the real limits and errors', () => {
  test('a wrong key, a read-only key, a wrong field', async () => {
    const is = (code: string) => (error: unknown) => isApiError(error, code)
    await assert.rejects(client('upv_wrong').monitors.list().page(), is('unauthorized'))
    const reader = client(await product.createKey(product.orgId, { access: 'READ_ONLY' }))
    await reader.monitors.list().page()
    await assert.rejects(reader.monitors.create({ name: 'x', type: 'CRON' }), is('forbidden'))
    const wrong = client().monitors.create({ name: '', type: 'HTTP', expectedStatus: [1] })
    await assert.rejects(wrong, (error) => {
      assert.ok(isApiError(error, 'validation_error'))
      assert.match(error.requestId ?? '', /^req_/)
      const paths = error.details.map(({ path }) => path)
      assert.ok(paths.includes('name') && paths.includes('expectedStatus.0'), paths.join())
      return true
    })
  })

  test('an answer cut off after the product committed: one monitor', async (t) => {
    const { key } = await product.createOrganization()
    let cuts = 2
    const proxy = createServer((incoming, outgoing) => {
      const target = new URL(incoming.url ?? '', baseUrl)
      const { method, headers } = incoming
      const passed = forward(target, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
        if (method === 'POST' && cuts-- > 0) {
          answer.resume()
          outgoing.write('{', () => outgoing.destroy())
        } else answer.pipe(outgoing)
      })
      incoming.pipe(passed)
    })
    const { port, close } = await listen(proxy)
    t.after(close)
    const upvane = new Upvane({ apiKey: key, baseUrl: `http://127.0.0.1:${port}` })
    const call = upvane.monitors.create({ name: 'Once', type: 'CRON' })
    const { data, attempts, replayed } = await call.withResponse()
    assert.deepEqual([attempts, replayed], [3, true])
    assert.deepEqual(
      (await client(key).monitors.list().all()).map(({ id }) => id),
      [data.id],
    )
  })

  test('250 monitors while 20 appear and 20 vanish: each lasting one exactly once', async () => {
    const { key } = await product.createOrganization()
    const upvane = client(key)
    const made: string[] = []
    for (let each = 0; each < 250; each++)
      made.push((await upvane.monitors.create({ name: `M ${each}`, type: 'CRON' })).id)
    const vanishing = made.filter((_, at) => at % 12 === 0).slice(0, 20)
    const seen: string[] = []
    for await (const { id } of upvane.monitors.list()) {
      if (seen.length % 100 === 50)
        for (const gone of vanishing.splice(0, 10)) {
          await upvane.monitors.delete(gone)
          await upvane.monitors.create({ name: 'New', type: 'CRON' })
        }
      seen.push(id)
    }
    assert.deepEqual(vanishing, [])
    const left = new Set((await upvane.monitors.list().all()).map(({ id }) => id))
    const lasting = made.filter((id) => left.has(id)).toReversed()
    assert.equal(lasting.length, 230)
    assert.equal(new Set(seen).size, seen.length)
    assert.deepEqual(
      seen.filter((id) => lasting.includes(id)),
      lasting,
    )
  })
})

for (const name of readdirSync(SAMPLES))
  test(`the guide's ${name} runs`, async () => {
    const { key } = await product.createOrganization()
    const env = { PATH: process.env['PATH'], UPVANE_URL: baseUrl, UPVANE_API_KEY: key }
    const { stdout } = await run(process.execPath, [join(SAMPLES, name)], { env })
    assert.notEqual(stdout, '')
    assert.ok(!stdout.includes(key))
  })
