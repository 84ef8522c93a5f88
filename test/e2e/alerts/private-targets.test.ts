// WEBHOOK_ALLOW_CIDRS opens private addresses to organizations with private targets, and to no others.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import { listen } from '../../kit/targets/listen.ts'
import { startAlertFixture, until } from './fixture.ts'

const SECRET = 'INTERNAL-SECRET-BODY'
const dns = await startDnsServer(({ name }) =>
  name === 'internal.test' ? { answers: [{ type: 'A', name, data: '127.0.0.1' }] } : 'NXDOMAIN',
)
const fixture = await startAlertFixture({ PROBE_DNS_SERVERS: dns.address })
let connections = 0
const server = createServer((_request, response) => void response.end(SECRET))
server.on('connection', () => {
  connections += 1
})
const internal = await listen(server)
const url = `http://127.0.0.1:${internal.port}/hook`
after(async () => {
  await fixture.stop()
  await internal.close()
  await dns.close()
})

/** One for each test: retries in one test must not meet the private targets of another. */
async function createTenant() {
  const { id, uuid, api } = await fixture.createOrganization('PRO')
  const setPrivateTargets = (isAllowed: boolean) =>
    fixture.db.run('update organizations set private_targets = $2 where id = $1', [uuid, isAllowed])
  return {
    id,
    api,
    /** What is created while the organization has private targets remains after it loses them. */
    async whileAllowed<T>(create: () => Promise<T>): Promise<T> {
      await setPrivateTargets(true)
      const created = await create()
      await setPrivateTargets(false)
      return created
    },
  }
}

test('create and updateWebhookEndpoint 400: a private address, for an organization without private targets', async () => {
  const { api } = await createTenant()
  for (const wanted of [url, `http://localhost:${internal.port}/`, 'https://127.0.0.1/']) {
    const refused = await api.post('/webhook-endpoints', { url: wanted, eventTypes: ['*'] })
    assert.deepEqual([refused.status, refused.paths], [400, ['url']], wanted)
  }
  const { id } = await api.createEndpoint({ url: 'https://hooks.example.com/' })
  const changed = await api.patch(`/webhook-endpoints/${id}`, { url })
  assert.deepEqual([changed.status, changed.paths], [400, ['url']])
  const gone = await api.patch('/webhook-endpoints/whe_01m7ets004emqrg46pzpfshrfg', { url })
  assert.equal(gone.status, 404)
  assert.equal(
    (await fixture.api.post('/webhook-endpoints', { url, eventTypes: ['*'] })).status,
    201,
  )
})

test('an endpoint on a private address: nothing is sent once the organization has no private targets', async () => {
  const urls = [url, `https://internal.test:${internal.port}/`]
  for (const address of urls) {
    const { api, whileAllowed } = await createTenant()
    const { id } = await whileAllowed(() => api.createEndpoint({ url: address }))
    const { id: deliveryId } = await api.testEndpoint(id)
    const { attempts } = await until('the first attempt', async () => {
      const delivery = await api.getDelivery(deliveryId)
      return delivery.attempts[0]?.errorCode !== undefined && delivery
    })
    const [attempt] = attempts
    assert.deepEqual(
      [attempt?.errorCode, attempt?.responseStatus, attempt?.responseBody],
      ['TARGET_NOT_ALLOWED', null, null],
      address,
    )
    assert.equal((await api.patch(`/webhook-endpoints/${id}`, { enabled: false })).status, 200)
  }
  assert.equal(connections, 0)
})

const SETTINGS: [channel: string, settings: (origin: string) => Record<string, string>][] = [
  ['NTFY', (origin) => ({ server: origin, topic: 'ops' })],
  ['SLACK', (origin) => ({ url: `${origin}/services/T0/B0/x` })],
  ['WEBHOOK', (origin) => ({ url: `${origin}/own` })],
  ['MATTERMOST', (origin) => ({ url: `${origin}/hooks/x` })],
  ['ROCKET_CHAT', (origin) => ({ url: `${origin}/hooks/x` })],
  ['ALERTMANAGER', (origin) => ({ url: `${origin}/alertmanager/x` })],
  ['CUSTOM_WEBHOOK', (origin) => ({ url: `${origin}/custom/a`, method: 'GET' })],
  ['GOTIFY', (origin) => ({ server: origin, appToken: 'a' })],
  ['MATRIX', (origin) => ({ server: origin, roomId: '!a:b', accessToken: 'a' })],
  ['GITLAB_ISSUES', (origin) => ({ server: origin, project: 'a/b', token: 'a' })],
  ['APPRISE', (origin) => ({ server: origin, key: 'a' })],
  ['SIGNAL', (origin) => ({ server: origin, number: '+14155550100', recipient: '+14155550100' })],
]
for (const [channel, settingsAt] of SETTINGS)
  test(`${channel} contact on a private address: refused, and not sent to, without private targets`, async () => {
    const { id: orgId, whileAllowed } = await createTenant()
    const { visitor: admin } = await fixture.join(orgId, 'ADMIN')
    const contacts = `/organizations/${orgId}/alert-contacts`
    const { origin } = new URL(url)
    const body = { name: 'Inside', channel, settings: settingsAt(origin) }
    const path = 'server' in body.settings ? 'settings.server' : 'settings.url'
    const refused = await admin.post(contacts, body)
    assert.deepEqual([refused.status, refused.paths], [400, [path]])

    const created = await whileAllowed(() => admin.post(contacts, body))
    assert.equal(created.status, 201, created.text)
    const { id } = created.json as { id: string }
    const moved = await admin.patch(`${contacts}/${id}`, { settings: settingsAt(origin) })
    assert.deepEqual([moved.status, moved.paths], [400, [path]])
    assert.equal((await admin.patch(`${contacts}/${id}`, { name: 'Renamed' })).status, 200)

    assert.equal((await admin.post(`${contacts}/${id}/test`)).status, 201)
    const error = await until('the first attempt', async () => {
      const { data } = (await admin.get(`${contacts}/${id}/deliveries`)).json as {
        data: { error: string | null; attemptCount: number }[]
      }
      return data[0]?.error ?? undefined
    })
    assert.match(error, /not allowed/i)
    assert.equal(connections, 0)
  })
