// Probes in two regions, over TLS and with the shipped NATS configuration.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Nats, startNats } from '../../../tools/services/nats.ts'
import { type Stack, startStack } from '../../../tools/stack.ts'
import { Client } from '../../kit/client.ts'
import { proveRegion } from '../../kit/prove-region.ts'
import { createAuthority } from '../../kit/targets/certificates.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'
import { until } from '../webhooks/fixture.ts'

const SHIPPED = join(import.meta.dirname, '../../../deploy/nats-probe-example.conf')
const PLENTY = 1_000_000
const directory = mkdtempSync(join(tmpdir(), 'upvane-regions-'))
const caFile = join(directory, 'ca.pem')

let nats: Nats
let stack: Stack
let web: Web
let api: Client
let baseUrl: string

const passwordOf = (user: string) => `secret-of-${user}`
const joinedAs = (user: string) => ({
  NATS_URL: nats.url.replace('nats://', `tls://${user}:${passwordOf(user)}@`),
  NATS_CA_FILE: caFile,
})

before(async () => {
  const authority = createAuthority()
  const { key, cert } = authority.issue('localhost', { san: 'DNS:localhost,IP:127.0.0.1' })
  const files = {
    caFile,
    keyFile: join(directory, 'key.pem'),
    certFile: join(directory, 'cert.pem'),
  }
  writeFileSync(files.caFile, authority.root)
  writeFileSync(files.keyFile, key)
  writeFileSync(files.certFile, cert)
  authority.remove()
  nats = await startNats({
    configFile: SHIPPED,
    env: {
      NATS_CERT_FILE: files.certFile,
      NATS_KEY_FILE: files.keyFile,
      NATS_UPVANE_PASSWORD: passwordOf('upvane'),
      NATS_PROBE_EU_1_PASSWORD: passwordOf('probe-eu-1'),
      NATS_PROBE_US_1_PASSWORD: passwordOf('probe-us-1'),
    },
  })
  web = await startWeb()
  stack = await startStack({ nats: false, rateLimit: PLENTY, env: { LOG_LEVEL: 'warn' } })
  const env = { ...joinedAs('upvane'), REGION: 'eu' }
  const [first] = await Promise.all([
    stack.start('api', { env }),
    stack.start('scheduler', { env }),
  ])
  baseUrl = first.baseUrl
  api = new Client({ baseUrl, key: stack.keys.full, rateLimit: PLENTY })
})

after(async () => {
  api?.close()
  await stack?.stop()
  await Promise.all([nats?.stop(), web?.close()])
  rmSync(directory, { recursive: true })
})

test('a probe that signs in with its NATS user gets the checks of its region', async () => {
  await stack.start('probe', { env: { ...joinedAs('probe-eu-1'), REGION: 'eu' } })
  const page = web.page({ status: 200 })
  const { id } = await api.createMonitor({ type: 'HTTP', url: page.url, name: 'Shop' })
  await until('the first check', async () => (await api.getMonitor(id)).state === 'UP', 20_000)
  assert.ok(page.seen.length > 0)
})

test('a failure is confirmed from a second region', async () => {
  await stack.start('probe', { env: { ...joinedAs('probe-us-1'), REGION: 'us' } })
  const page = web.page({ status: 200 })
  const { id } = await api.createMonitor({ type: 'HTTP', url: page.url, name: 'Broken' })
  await until('the first check', async () => (await api.getMonitor(id)).state === 'UP', 20_000)
  await proveRegion({ baseUrl, key: stack.keys.full }, id, 'us')
  page.become({ status: 500 })
  await api.post(`/monitors/${id}/check`, {})
  await until('the incident', async () => (await api.getMonitor(id)).state === 'DOWN', 20_000)
  const { incidents } = await api.get(`/incidents?monitorId=${id}`)
  const [incident] = incidents.data
  assert.ok(incident)
  const { openedBy } = (await api.get(`/incidents/${incident.id}`)).incident
  assert.equal(openedBy['location'], 'us')
})
