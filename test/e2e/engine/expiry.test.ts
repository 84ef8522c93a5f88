// Expiry: certificates as SSL, HTTP and KEYWORD monitors see them, and domain registrations.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Event } from '../../kit/database.ts'
import { toUuid } from '../../kit/ids.ts'
import type { Monitor } from '../../kit/shapes.ts'
import { createAuthority, type LeafOptions } from '../../kit/targets/certificates.ts'
import { type Reply, startDnsServer } from '../../kit/targets/dns-server.ts'
import { rdapRecord, startRegistry } from '../../kit/targets/registry.ts'
import { startWeb, type Web } from '../../kit/targets/web.ts'
import { startEngine } from './fixture.ts'

const DAY_MS = 86_400_000
const THRESHOLD_DAYS = 30

/** Certificates have a resolution of whole seconds. */
const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const whois = (at: Date) =>
  `Domain Name: X\r\nRegistrar: Whois Ltd\r\nRegistry Expiry Date: ${at.toISOString()}\r\n`

const authority = createAuthority()
const directory = mkdtempSync(join(tmpdir(), 'upvane-e2e-'))
writeFileSync(join(directory, 'root.pem'), authority.root)
// Every name resolves to this machine, except those without a zone.
const zones = new Map<string, Reply>()
const dns = await startDnsServer(({ name, type }) =>
  type === 'A'
    ? { answers: [{ name, type: 'A', data: '127.0.0.1', ttl: 0 }] }
    : zones.get(name.toLowerCase()),
)
const dates = { soon: inDays(10), past: inDays(-3), far: inDays(400) }
const rdap: Record<string, unknown> = {}
const registry = await startRegistry({
  suffixes: ['com'],
  rdap: Object.assign(rdap, {
    'good.com': rdapRecord(dates.far.toISOString(), 'Example Registrar, Inc.'),
    'soon.com': rdapRecord(dates.soon.toISOString()),
    'past.com': rdapRecord(dates.past.toISOString()),
    'broken.com': '{"events": "none',
  }),
  whois: {
    'good.org': whois(dates.far),
    'past.org': whois(dates.past),
    'broken.com': whois(dates.soon),
    'limited.org': 'Your query rate is too high.\r\n',
    'silent.org': '',
  },
})
const engine = await startEngine({
  env: {
    NODE_EXTRA_CA_CERTS: join(directory, 'root.pem'),
    PROBE_DNS_SERVERS: dns.address,
    RDAP_BOOTSTRAP_URL: registry.bootstrapUrl,
    WHOIS_SERVER: registry.whoisServer,
  },
})
const servers: Web[] = []
after(async () => {
  await engine.stop()
  await Promise.all([...servers, registry].map((server) => server.close()))
  dns.close()
  authority.remove()
  rmSync(directory, { recursive: true })
})

async function serve(name: string, options: Partial<LeafOptions> = {}, host = name): Promise<Web> {
  const web = await startWeb(authority.issue(name, options), host)
  servers.push(web)
  return web
}

const ssl = (web: Web, host: string, fields: Record<string, unknown> = {}) =>
  engine.createChecked({ type: 'SSL', url: `${host}:${web.port}`, ...fields })

async function issuerOf(id: string): Promise<string | null | undefined> {
  const [row] = await engine.db.run<{ issuer: string | null }>(
    'select issuer from monitor_states where monitor_no = (select no from monitors where id = $1)',
    [toUuid(id)],
  )
  return row?.issuer
}

const expiring = (events: readonly Event[]) =>
  events.filter(({ type }) => type.endsWith('_expiring')).map(({ data }) => data)

function assertExpiring(data: Event['data'] | undefined, now: Monitor, expiresAt: Date): void {
  const daysLeft = Math.floor((expiresAt.getTime() - Date.now()) / DAY_MS)
  assert.deepEqual(data, { monitor: now, expiresAt: expiresAt.toISOString(), daysLeft })
}

describe('SSL', { concurrency: 4 }, () => {
  test('a valid certificate: UP, with its date and the time of the handshake', async () => {
    const notAfter = inDays(200)
    const web = await serve('valid.test', { notAfter })
    const { id, ...monitor } = await ssl(web, 'valid.test')
    assert.deepEqual([monitor.state, monitor.certExpiresAt], ['UP', notAfter.toISOString()])
    const { lastResponseMs } = await engine.checkSampled(id)
    assert.ok(lastResponseMs !== null && lastResponseMs < 5000)
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up'])

    assert.equal(await issuerOf(id), 'intermediate')
    assert.ok(!('issuer' in (await engine.api.getMonitor(id))), 'not in the public API')

    const changed = await engine.patch(id, { type: 'PORT', host: '127.0.0.1', port: web.port })
    assert.equal(changed.certExpiresAt, null, 'another type knows no certificate')
    assert.equal(await issuerOf(id), null)
  })

  test('within the threshold: DEGRADED, and reported once', async () => {
    const notAfter = inDays(10)
    const web = await serve('soon.test', { notAfter })
    const fields = { sslExpiryThresholdDays: THRESHOLD_DAYS }
    const monitor = await ssl(web, 'soon.test', fields)
    assert.deepEqual([monitor.state, monitor.certExpiresAt], ['DEGRADED', notAfter.toISOString()])
    await engine.check(monitor.id)
    const events = await engine.eventsOf(monitor.id)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['monitor.degraded', 'monitor.ssl_expiring'],
    )
    assertExpiring(events[1]?.data, monitor, notAfter)
    assert.deepEqual(await engine.incidentsOf(monitor.id), [])
  })

  test('the edge: just outside the threshold is UP, and the next certificate is reported again', async () => {
    const web = await serve('edge.test', { notAfter: inDays(12) })
    const { id, state } = await ssl(web, 'edge.test', { sslExpiryThresholdDays: 11 })
    assert.equal(state, 'UP')
    await engine.patch(id, { sslExpiryThresholdDays: 12 })
    assert.equal((await engine.check(id)).state, 'DEGRADED')
    const renewed = await serve('edge.test', { notAfter: inDays(5) })
    await engine.patch(id, { url: `edge.test:${renewed.port}` })
    await engine.check(id)
    assert.equal(expiring(await engine.eventsOf(id)).length, 2)
  })

  type Row = [
    name: string,
    options: Partial<LeafOptions>,
    code: string,
    cause: string,
    unverified: string,
  ]
  const { past } = dates
  // biome-ignore format: a table is read by its columns
  const rows: Row[] = [
    ['expired.test', { notBefore: inDays(-9), notAfter: past }, 'CERT_EXPIRED', `Certificate expired on ${dayOf(past)}`, 'DOWN'],
    ['future.test', { notBefore: inDays(2) }, 'CERT_NOT_YET_VALID', `Certificate is not valid before ${dayOf(inDays(2))}`, 'DOWN'],
    ['self.test', { by: 'itself' }, 'CERT_UNTRUSTED', '', 'UP'],
    ['bare.test', { bare: true }, 'CERT_UNTRUSTED', '', 'UP'],
    ['wrong.test', { san: 'DNS:other.test' }, 'CERT_NAME_MISMATCH', 'Certificate does not cover wrong.test', 'UP'],
  ]
  for (const [name, options, code, cause, unverified] of rows)
    test(`${name}: ${code}; without verification ${unverified}`, async () => {
      const web = await serve(name, options)
      const down = await ssl(web, name)
      const incident = await engine.incidentOf(down.id)
      assert.deepEqual([down.state, incident.causeCode], ['DOWN', code])
      assert.ok(incident.cause?.startsWith(cause), incident.cause ?? '')
      assert.equal((incident.openedBy['attempts'] as unknown[]).length, 1, 'decisive at once')
      assert.equal(incident.openedBy['certExpiresAt'], down.certExpiresAt)
      assert.ok(down.certExpiresAt !== null)
      assert.equal(await issuerOf(down.id), options.by === 'itself' ? name : 'intermediate')
      assert.ok(!('issuer' in incident.openedBy))
      assert.equal((await ssl(web, name, { verifySsl: false })).state, unverified)
      assert.equal(expiring(await engine.eventsOf(down.id)).length, 0, 'a failure is no warning')
    })

  test('no TLS at all: TLS_ERROR, after a second attempt', async () => {
    const web = await startWeb()
    servers.push(web)
    const { id, state } = await ssl(web, 'plain.test')
    const { causeCode, openedBy } = await engine.incidentOf(id)
    assert.deepEqual([state, causeCode], ['DOWN', 'TLS_ERROR'])
    assert.equal((openedBy['attempts'] as unknown[]).length, 2)
  })
})

describe('HTTP and KEYWORD over https', { concurrency: 4 }, () => {
  for (const fields of [{ type: 'HTTP' }, { type: 'KEYWORD', keyword: 'ok' }])
    test(`${fields.type}: a certificate that expires is reported, and the state stays UP`, async () => {
      const notAfter = inDays(7)
      const web = await serve(`${fields.type.toLowerCase()}.test`, { notAfter })
      const { url } = web.page({})
      const more = { sslExpiryThresholdDays: THRESHOLD_DAYS }
      const monitor = await engine.createChecked({ ...fields, ...more, url })
      assert.deepEqual([monitor.state, monitor.certExpiresAt], ['UP', notAfter.toISOString()])
      await engine.check(monitor.id)
      assert.deepEqual(await engine.eventTypesOf(monitor.id), [
        'monitor.up',
        'monitor.ssl_expiring',
      ])
      const [published] = expiring(await engine.eventsOf(monitor.id))
      assertExpiring(published, monitor, notAfter)
      assert.equal(await issuerOf(monitor.id), null)
    })

  test('an expired certificate is DOWN, or nobody asked', async () => {
    const web = await serve('stale.test', { notBefore: inDays(-9), notAfter: dates.past })
    const { url } = web.page({})
    const { id } = await engine.createChecked({ type: 'HTTP', url })
    assert.equal((await engine.incidentOf(id)).causeCode, 'CERT_EXPIRED')
    const careless = await engine.createChecked({ type: 'HTTP', url, verifySsl: false })
    assert.equal(careless.state, 'UP')
  })
})

describe('DOMAIN', { concurrency: 4 }, () => {
  const domain = (url: string, fields = {}) =>
    engine.createChecked({ type: 'DOMAIN', url, sslExpiryThresholdDays: THRESHOLD_DAYS, ...fields })

  for (const url of ['good.com', 'https://www.good.com/path', 'good.org'])
    test(`${url}: UP without a response time; the registry is asked once`, async () => {
      const monitor = await domain(url)
      const { state, lastResponseMs, certExpiresAt } = await engine.check(monitor.id)
      assert.deepEqual([state, lastResponseMs, certExpiresAt], ['UP', null, null])
      await engine.check(monitor.id)
      const name = url.includes('.org') ? 'whois good.org' : 'rdap good.com'
      const asked = registry.asked.filter((question) => question === name)
      assert.equal(asked.length, 1)
      const registrar = url.includes('.org') ? 'Whois Ltd' : 'Example Registrar, Inc.'
      assert.equal(await issuerOf(monitor.id), registrar)
    })

  test('within the threshold: DEGRADED, and reported once per date; RDAP nonsense falls back to WHOIS', async () => {
    for (const url of ['soon.com', 'broken.com']) {
      const monitor = await domain(url)
      await engine.check(monitor.id)
      assert.equal(monitor.state, 'DEGRADED')
      assert.deepEqual(await engine.eventTypesOf(monitor.id), [
        'monitor.degraded',
        'monitor.domain_expiring',
      ])
      assertExpiring(expiring(await engine.eventsOf(monitor.id))[0], monitor, dates.soon)
    }
  })

  test('expired: DOWN', async () => {
    for (const url of ['past.com', 'past.org']) {
      const { id, state } = await domain(url)
      const { causeCode, cause, openedBy } = await engine.incidentOf(id)
      assert.deepEqual([state, causeCode], ['DOWN', 'DOMAIN_EXPIRED'])
      assert.equal(cause, `Domain ${url} expired on ${dayOf(dates.past)}`)
      assert.deepEqual([openedBy['resolvedIp'], openedBy['timings']], [null, null])
    }
  })

  for (const url of ['free.com', 'free.org', 'https://www.free.com/x'])
    test(`${url}: the registry does not know it and its zone does not either: DOWN`, async () => {
      const name = url.includes('.org') ? 'free.org' : 'free.com'
      zones.set(name, 'NXDOMAIN')
      const { id, state } = await domain(url)
      const { causeCode, cause, openedBy } = await engine.incidentOf(id)
      assert.deepEqual([state, causeCode], ['DOWN', 'DOMAIN_NOT_REGISTERED'])
      assert.equal(cause, `Domain ${name} is not registered`)
      assert.equal((openedBy['attempts'] as unknown[]).length, 1, 'decisive at once')
      const listed = await engine.api.get(`/incidents?monitorId=${id}`)
      assert.equal(listed.incidents.data[0]?.cause, cause)
      assert.equal((await engine.check(id)).state, 'DOWN')
    })

  test('a domain that is registered later is UP with the next check', async () => {
    zones.set('later.com', 'NXDOMAIN')
    const { id, state } = await domain('later.com')
    assert.equal(state, 'DOWN')
    rdap['later.com'] = rdapRecord(dates.far.toISOString())
    zones.set('later.com', {
      answers: [{ name: 'later.com', type: 'NS', data: 'ns.test', ttl: 0 }],
    })
    assert.equal((await engine.check(id)).state, 'UP')
    assert.equal((await engine.incidentOf(id)).resolution, 'RECOVERED')
  })

  // Half of the proof proves nothing.
  const undecided: [url: string, zone: Reply | undefined][] = [
    ['has-zone.com', { answers: [{ name: 'has-zone.com', type: 'NS', data: 'ns.test', ttl: 0 }] }],
    ['no-data.com', undefined],
    ['servfail.com', 'SERVFAIL'],
    ['has-zone.org', { answers: [{ name: 'has-zone.org', type: 'NS', data: 'ns.test', ttl: 0 }] }],
    ['limited.org', 'NXDOMAIN'],
    ['silent.org', 'NXDOMAIN'],
  ]
  for (const [url, zone] of undecided)
    test(`${url}: without both answers the check stays INCONCLUSIVE`, async () => {
      if (zone !== undefined) zones.set(url, zone)
      const created = await engine.create({ type: 'DOMAIN', url })
      assert.deepEqual(await engine.check(created.id), created)
      const verdicts = new Set(await engine.verdictsOf(created.id))
      assert.deepEqual(verdicts, new Set(['INCONCLUSIVE']))
    })

  test('a lookup without an answer: 200, unchanged, stored as INCONCLUSIVE', async () => {
    const created = await engine.create({ type: 'DOMAIN', url: 'unknown.com' })
    assert.deepEqual(await engine.check(created.id), created)
    assert.deepEqual(await engine.check(created.id), created)
    const verdicts = new Set(await engine.verdictsOf(created.id))
    assert.deepEqual(verdicts, new Set(['INCONCLUSIVE']))
    assert.deepEqual(await engine.eventTypesOf(created.id), [])

    const up = await domain('good.com')
    const moved = await engine.patch(up.id, { url: 'nobody.com' })
    assert.deepEqual(await engine.check(up.id), moved, 'what was known stays')
    assert.equal((await engine.verdictsOf(up.id)).at(-1), 'INCONCLUSIVE')
  })
})
