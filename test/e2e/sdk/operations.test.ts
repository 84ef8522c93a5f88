// @upvane/sdk against the running product: all 37 operations and the 50 of the extension API, a lost answer, a list that changes, and the programs of
// the guide.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type AttemptResult, isApiError, Upvane } from '@upvane/sdk'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'
import { startProduct } from '../../kit/fixture.ts'
import { startSmtpSink } from '../../kit/smtp-sink.ts'
import { listen } from '../../kit/targets/listen.ts'
import { startWeb } from '../../kit/targets/web.ts'

const OPERATIONS = 37
const EXT_OPERATIONS = 50
const HOUR_MS = 3_600_000
const SAMPLES = join(import.meta.dirname, '../../../docs/samples/sdk')
const run = promisify(execFile)

const web = await startWeb()
const sink = await startSmtpSink()
const mail = { SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`, SMTP_FROM: 'up@vane.example' }
const product = await startProduct({ command: 'start', env: mail })
after(async () => {
  await product.stop()
  await sink.close()
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

test('all 50 operations of the extension API', async () => {
  const { key, id: orgId } = await product.createOrganization()
  const succeeded = new Set<string>()
  const onResponse = ({ operation, errorCode, url }: AttemptResult) => {
    if (errorCode === null && url.includes('/api/ext/v1/')) succeeded.add(operation)
  }
  const upvane = client(key, { onResponse })
  const { ext } = upvane
  const page = web.page({ status: 503 })
  const fields = { name: 'Shop', type: 'HTTP', url: page.url, intervalSeconds: 86_400 } as const
  const paused = await ext.monitors.create({
    ...fields,
    contactIds: [],
    tags: ['New'],
    paused: true,
  })
  assert.deepEqual([paused.state, paused.tags[0]?.name], ['PAUSED', 'New'])
  await upvane.monitors.delete(paused.id)
  await ext.tags.delete(paused.tags[0]?.id ?? '')
  const { id } = await upvane.monitors.create(fields)
  await upvane.monitors.check(id)

  const receiver = web.page({ status: 200 })
  const settings = { url: receiver.url }
  const made = { name: 'Ops', channel: 'WEBHOOK', settings, allMonitors: false } as const
  const contact = await ext.alertContacts.create(made)
  assert.ok(contact.secret)
  assert.equal((await ext.alertContacts.attach(contact.id, id)).attached, true)
  assert.deepEqual((await ext.alertContacts.get(contact.id)).monitorIds, [id])
  await ext.alertContacts.update(contact.id, { reminderMinutes: 30 })
  assert.equal((await ext.alertContacts.list().all())[0]?.reminderMinutes, 30)
  assert.ok((await ext.alertContacts.test(contact.id)).deliveryId)
  assert.equal((await ext.alertContacts.detach(contact.id, id)).attached, false)

  const steps = [{ afterMinutes: 5, contactIds: [contact.id] }]
  assert.deepEqual((await ext.escalationPolicies.put(id, { steps })).steps, steps)
  assert.equal((await ext.escalationPolicies.get(id)).targetName, 'Shop')
  assert.equal((await ext.escalationPolicies.list().all()).length, 1)
  await ext.escalationPolicies.delete(id)

  const uptime = await ext.monitors.uptime(id, { windows: ['24h', '30d'] })
  assert.deepEqual(
    uptime.windows.map(({ window }) => window),
    ['24h', '30d'],
  )
  assert.equal((await ext.monitors.responseTimes(id, { step: 60 })).stepSeconds, 60)
  const [failure] = await ext.monitors.checks(id, { outcome: 'FAILED' }).all()
  assert.equal(failure?.httpStatus, 503)
  const incident = await upvane.incidents.get(failure?.incidentId ?? '')
  const { checkId } = incident.openedBy
  assert.deepEqual(await ext.monitors.evidence(id, checkId), incident.openedBy)
  const { keyId } = await ext.organization.evidenceKey()
  const file = await ext.incidents.evidenceFile(incident.id)
  assert.deepEqual(
    [file.keyId, file.text.startsWith('{"format":"upvane-evidence/1"')],
    [keyId, true],
  )
  const replayed = await ext.monitors.replay(id, { expectedStatus: ['503'] })
  assert.deepEqual(
    replayed.incidents.map(({ change }) => change),
    ['GONE'],
  )

  const tag = await ext.tags.create({ name: 'Blue' })
  assert.equal((await ext.tags.rename(tag.id, { name: 'Azure' })).name, 'Azure')
  assert.equal((await ext.monitors.addTag(id, 'azure')).tags[0]?.id, tag.id)
  assert.equal((await ext.tags.list().all())[0]?.monitors, 1)
  const source = 'shop/upvane.yaml'
  const before = await ext.sources.bindings(source)
  const bindings = [{ address: 'monitors.shop', id }]
  const { revision } = await ext.sources.putBindings(source, { ...before, bindings })
  assert.equal((await ext.sources.bindings(source)).revision, revision)
  const [listed] = await ext.monitors.list({ tag: tag.id }).all()
  assert.deepEqual(listed?.managedBy, { source, address: 'monitors.shop' })
  assert.deepEqual((await ext.monitors.removeTag(id, tag.id)).tags, [])
  await ext.sources.delete(source)

  const checked = await ext.checks.run({ type: 'HTTP', url: page.url })
  assert.deepEqual([checked.result, checked.check.httpStatus], ['FAILED', 503])
  const again = await ext.monitors.check(id, { region: checked.region })
  assert.deepEqual([again.result, again.region], ['FAILED', checked.region])
  const recorded = await ext.monitors.checks(id).all()
  assert.equal(recorded.filter(({ kind }) => kind === 'REQUESTED').length, 1)

  const chosen = { regions: [checked.region] }
  assert.equal((await ext.organization.putDefaultRegions(chosen)).from, 'ORGANIZATION')
  assert.deepEqual((await ext.organization.defaultRegions()).regions, chosen.regions)
  await ext.tags.putRegions(tag.id, chosen)
  assert.equal((await ext.tags.regions(tag.id)).id, tag.id)
  await ext.monitors.putRegions(id, chosen)
  assert.equal((await ext.monitors.regions(id)).from, 'MONITOR')
  await ext.monitors.deleteRegions(id)
  await ext.tags.deleteRegions(tag.id)
  await ext.organization.deleteDefaultRegions()

  const job = await upvane.monitors.create({ name: 'Job', type: 'CRON' })
  const aliases = [{ monitorId: job.id, token: 'eYaNuTzjHT' }]
  const { prefix } = await ext.monitors.addPingAliases({ aliases })
  assert.equal((await ext.organization.pingAliases()).prefix, prefix)
  await ext.monitors.removePingAliases(job.id)

  const overview = await ext.organization.overview()
  assert.deepEqual([overview.monitors.DOWN, overview.incidents.ongoing], [1, 1])
  assert.equal((await ext.organization.usage()).organizationId, orgId)
  const regions = await ext.organization.regions()
  assert.ok(regions.data.some(({ name, live }) => live && name === checked.region))

  const status = await upvane.statusPages.create({ name: 'Public' })
  const subscriber = await ext.subscribers.add(status.id, { address: 'ana@example.com' })
  assert.equal(subscriber.confirmedAt, null)
  const waiting = await ext.subscribers.list(status.id, { state: 'WAITING' }).all()
  assert.deepEqual(
    waiting.map(({ address }) => address),
    ['ana@example.com'],
  )
  await ext.subscribers.remove(status.id, subscriber.id)
  await ext.tags.delete(tag.id)
  await ext.alertContacts.delete(contact.id)
  assert.equal(succeeded.size, EXT_OPERATIONS, [...succeeded].join(' '))
})

test('at most 10 checks in a minute that nothing is saved of', async () => {
  const { key } = await product.createOrganization()
  const { ext } = client(key, { maxRetries: 0 })
  const closed = { type: 'PORT', host: '127.0.0.1', port: 9, timeoutSeconds: 1 } as const
  for (let count = 0; count < 10; count++) await ext.checks.run(closed)
  await assert.rejects(ext.checks.run(closed), (error) => isApiError(error, 'rate_limited'))
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
    const env = {
      PATH: process.env['PATH'],
      ...COMPILE_CACHE,
      UPVANE_URL: baseUrl,
      UPVANE_API_KEY: key,
    }
    const { stdout } = await run(process.execPath, [join(SAMPLES, name)], { env })
    assert.notEqual(stdout, '')
    assert.ok(!stdout.includes(key))
  })
