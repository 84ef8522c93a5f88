// GET /prometheus/metrics: who may read it, what it says, and what it must never say.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { hashKey } from '../kit/api-key.ts'
import { assertRateHeaders } from '../kit/assert-response.ts'
import { readExposition, samplesOf } from '../kit/exposition.ts'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { breakMonitor } from '../kit/seed.ts'

const LIMIT = 120
const fixture = await startProduct()
const { api, db, keys, orgId, service } = fixture
after(() => fixture.stop())

const PATH = '/prometheus/metrics'
const NATIVE = `${service.baseUrl}${PATH}`
const KUMA = `${service.baseUrl}/compat/uptime-kuma/metrics`
const OPENMETRICS = 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5'
const basic = (name: string, key: string) =>
  `Basic ${Buffer.from(`${name}:${key}`).toString('base64')}`

const scrape = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { 'X-API-Key': keys.readOnly, ...headers } })

async function read(query = '') {
  const response = await scrape(`${NATIVE}${query}`)
  assert.equal(response.status, 200)
  return readExposition(await response.text())
}
async function envelope(response: Response, status: number): Promise<string> {
  assert.equal(response.status, status)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/)
  return ((await response.json()) as { error: { code: string } }).error.code
}

const http = (name: string, fields: Record<string, unknown> = {}) =>
  api.createMonitor({ name, type: 'HTTP', url: 'https://shop.example.com/health', ...fields })

describe('metrics of an organization: access', () => {
  const forms: [form: string, headers: (key: string) => Record<string, string>][] = [
    ['X-API-Key', (key) => ({ 'X-API-Key': key })],
    ['Bearer', (key) => ({ Authorization: `Bearer ${key}` })],
    ['Basic without a name', (key) => ({ Authorization: basic('', key) })],
    ['Basic with a name', (key) => ({ Authorization: basic('prometheus', key) })],
  ]
  for (const [form, headers] of forms)
    test(`200: a key as ${form}, read-only or full, in both dialects`, async () => {
      for (const key of [keys.readOnly, keys.full])
        for (const url of [NATIVE, KUMA]) {
          const response = await fetch(url, { headers: headers(key) })
          assert.equal(response.status, 200)
          assert.equal(
            response.headers.get('content-type'),
            'text/plain; version=0.0.4; charset=utf-8',
          )
          assert.equal(response.headers.get('cache-control'), 'private, max-age=15')
          assertRateHeaders(Object.fromEntries(response.headers), api.rateLimit)
          readExposition(await response.text())
        }
    })

  const refusals: [what: string, headers: Record<string, string>][] = [
    ['no key', {}],
    ['an unknown key', { 'X-API-Key': `upv_${'a'.repeat(38)}` }],
    ['the key as name', { Authorization: basic(keys.full, '') }],
    ['no password', { Authorization: `Basic ${Buffer.from(keys.full).toString('base64')}` }],
    ['both headers', { 'X-API-Key': keys.full, Authorization: basic('', keys.full) }],
    ['another scheme', { Authorization: `Digest ${keys.full}` }],
  ]
  for (const [what, headers] of refusals)
    test(`401: ${what}`, async () => {
      for (const url of [NATIVE, KUMA]) {
        const response = await fetch(url, { headers })
        assert.equal(response.headers.get('www-authenticate'), 'Bearer, Basic realm="Upvane"')
        assert.equal(await envelope(response, 401), 'unauthorized')
      }
    })

  test('401: a key in the query is not read, and Basic works nowhere else', async () => {
    assert.equal((await fetch(`${NATIVE}?key=${keys.full}`)).status, 401)
    const headers = { Authorization: basic('', keys.full) }
    assert.equal((await fetch(`${service.baseUrl}/api/v1/monitors`, { headers })).status, 401)
  })

  test('405: every method but GET and HEAD; 404: below the path', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await fetch(NATIVE, { method, headers: { 'X-API-Key': keys.full } })
      assert.equal(response.headers.get('allow'), 'GET')
      assert.equal(await envelope(response, 405), 'method_not_allowed')
    }
    const head = await fetch(NATIVE, { method: 'HEAD', headers: { 'X-API-Key': keys.full } })
    assert.deepEqual([head.status, await head.text()], [200, ''])
    for (const path of ['/prometheus', `${PATH}/`, `${PATH}/x`, '/compat/uptime-kuma', '/compat'])
      assert.equal(await envelope(await scrape(`${service.baseUrl}${path}`), 404), 'not_found')
  })

  test('200: works without a subscription', async () => {
    const late = await fixture.createOrganization('UNLIMITED', 'CANCELED')
    const response = await fetch(NATIVE, { headers: { 'X-API-Key': late.key } })
    assert.equal(response.status, 200)
  })
})

describe('metrics of an organization: content', () => {
  test('200: every state, by its rules, with id, name and type on each sample', async () => {
    const states = ['UP', 'DEGRADED', 'DOWN', 'PENDING', 'PAUSED']
    const ids = new Map<string, string>()
    for (const state of states) {
      const { id } = await http(`State ${state}`)
      await db.setMonitorStatus(id, {
        state,
        last_response_ms: 250,
        last_checked_at: new Date('2026-11-16T12:00:00Z'),
        cert_expires_at: new Date('2027-01-01T00:00:00Z'),
        ...(state === 'PAUSED' && { next_due_at: null }),
      })
      ids.set(state, id)
    }
    const families = await read()
    const of = (name: string, state: string) =>
      samplesOf(families, name).find(({ labels }) => labels['id'] === ids.get(state))
    const values = (name: string) => states.map((state) => of(name, state)?.value)
    assert.deepEqual(values('upvane_monitor_up'), [1, 1, 0, undefined, undefined])
    assert.deepEqual(values('upvane_monitor_response_seconds'), [
      0.25,
      0.25,
      0.25,
      undefined,
      undefined,
    ])
    assert.deepEqual(
      values('upvane_monitor_certificate_expiry_timestamp_seconds'),
      states.map(() => 1_798_761_600),
    )
    for (const state of states) {
      const sample = of('upvane_monitor_state', state)
      assert.deepEqual(
        [sample?.labels, sample?.value],
        [{ id: ids.get(state), name: `State ${state}`, type: 'HTTP', state }, 1],
      )
    }
    for (const { name, samples } of families)
      for (const { labels } of samples)
        if (name !== 'upvane_incidents_open')
          assert.deepEqual(Object.keys(labels).slice(0, 3), ['id', 'name', 'type'], name)
  })

  test('200: open incidents, maintenance, uptime and the status page', async () => {
    // Before the monitor exists: its uptime is remembered for minutes.
    const before = samplesOf(await read(), 'upvane_incidents_open')[0]?.value ?? 0
    const { id } = await http('Published')
    await breakMonitor(db, orgId, id)
    await db.run(
      `insert into maintenance_spans (monitor_no, started_at, window_id)
       select no, now() - interval '1 minute', gen_random_uuid() from monitors where id = $1`,
      [toUuid(id)],
    )
    await db.run(
      `update state_spans set started_at = now() - interval '10 hours', ended_at = now() - interval '5 hours',
              state = 'UP' where monitor_no = (select no from monitors where id = $1)`,
      [toUuid(id)],
    )
    const page = await api.post('/status-pages', {
      name: 'Acme',
      slug: 'acme-metrics',
      sections: [{ name: 'API "v2"', components: [{ monitorId: id }] }],
    })
    assert.equal(page.status, 201, page.text)
    const families = await read('?page=acme-metrics')
    const value = (name: string) => samplesOf(families, name).map((sample) => sample.value)
    assert.deepEqual(value('upvane_incidents_open'), [before + 1])
    assert.deepEqual(value('upvane_monitor_in_maintenance'), [1])
    assert.deepEqual(value('upvane_monitor_uptime_ratio'), [1, 1, 1])
    const [info] = samplesOf(families, 'upvane_monitor_info')
    assert.deepEqual(info?.labels, {
      id,
      name: 'Published',
      type: 'HTTP',
      target: 'https://shop.example.com/health',
      page: 'acme-metrics',
      section: 'API "v2"',
    })
  })

  test('200: a hostile name is one label and nothing else', async () => {
    const name = 'x"} 1\nupvane_monitor_up{id="mon_fake"} 0 \\'
    const { id } = await http(name)
    await db.setMonitorStatus(id, { state: 'UP' })
    const ups = samplesOf(await read(), 'upvane_monitor_up')
    assert.equal(ups.find(({ labels }) => labels['id'] === id)?.labels['name'], name)
    assert.ok(!ups.some(({ labels }) => labels['id'] === 'mon_fake'))
  })

  test('200: OpenMetrics by Accept, and gzip by Accept-Encoding', async () => {
    for (const url of [NATIVE, KUMA]) {
      const open = await scrape(url, { Accept: OPENMETRICS })
      assert.equal(
        open.headers.get('content-type'),
        'application/openmetrics-text; version=1.0.0; charset=utf-8',
      )
      const text = await open.text()
      assert.ok(text.endsWith('\n# EOF\n'))
      readExposition(text)
      const plain = await (await scrape(url, { 'Accept-Encoding': 'identity' })).text()
      assert.ok(!plain.includes('# EOF'))
      const { bytes, encoding } = await readBytes(url)
      assert.equal(encoding, 'gzip')
      readExposition(gunzipSync(bytes).toString())
    }
  })

  const filters: [query: string, types: string[]][] = [
    ['?type=PING', ['PING']],
    ['?type=PING,PORT', ['PING', 'PORT']],
    ['?type=PING&type=PORT', ['PING', 'PORT']],
    ['?type=PORT&state=DOWN', []],
    ['?type=PORT&state=PENDING,UP', ['PORT']],
    ['?page=no-such-page', []],
    ['?page=sp_01m7e4f440e1n80038aztfqn39', []],
    ['?unknown=x&type=PING', ['PING']],
  ]
  test('200: filters by type, state and page', async () => {
    await api.createMonitor({ name: 'Ping', type: 'PING', host: 'db.example.com' })
    await api.createMonitor({ name: 'Port', type: 'PORT', host: 'db.example.com', port: 5432 })
    for (const [query, types] of filters) {
      const infos = samplesOf(await read(query), 'upvane_monitor_info')
      assert.deepEqual(infos.map(({ labels }) => labels['type']).toSorted(), types, query)
    }
  })

  test('400: a bad value of a known filter', async () => {
    for (const query of ['?type=WEB', '?state=up', '?type=', '?page=', '?page=a&page=b', '?page=%'])
      assert.equal(await envelope(await scrape(`${NATIVE}${query}`), 400), 'validation_error')
  })

  test("200: another organization's monitors are not there, by page either", async () => {
    const other = await fixture.createOrganization()
    const { id } = await other.api.createMonitor({ name: 'Foreign canary' })
    const page = await other.api.post('/status-pages', {
      name: 'Theirs',
      slug: 'theirs-metrics',
      sections: [{ name: 'All', components: [{ monitorId: id }] }],
    })
    assert.equal(page.status, 201, page.text)
    for (const query of ['', '?page=theirs-metrics']) {
      const text = await (await scrape(`${NATIVE}${query}`)).text()
      assert.ok(!text.includes('Foreign canary'))
    }
  })
})

test('no header, body, heartbeat address, user info or query of a monitor is in any metric', async () => {
  const canary = 'canary5e3d'
  await http('With secrets', {
    url: `https://shop.example.com/path?token=${canary}#${canary}`,
    method: 'POST',
    requestHeaders: { Authorization: `Bearer ${canary}`, [`X-${canary}`]: 'x' },
    requestBody: `{"password":"${canary}"}`,
  })
  await api.createMonitor({
    name: 'Word',
    type: 'KEYWORD',
    url: 'https://a.example',
    keyword: canary,
  })
  await api.createMonitor({
    name: 'Tls',
    type: 'SSL',
    url: `https://ana:${canary}@shop.example.com`,
  })
  const job = await api.createMonitor({ name: 'Job', type: 'CRON', expectedPeriodSec: 300 })
  const token = new URL(job.heartbeatUrl ?? '').pathname.slice('/hb/'.length)
  for (const url of [NATIVE, KUMA, `${NATIVE}?type=CRON`])
    for (const accept of ['*/*', OPENMETRICS]) {
      const text = await (await scrape(url, { Accept: accept })).text()
      assert.ok(text.includes('Job'), 'the monitors are there')
      assert.ok(!text.includes(canary), url)
      assert.ok(!text.includes(token), url)
      assert.ok(!text.includes('/hb/'), url)
    }
})

test('429: a scrape counts against the limit of its key, together with the API', async () => {
  const limited = await fixture.startApi({ RATE_LIMIT_REQUESTS: String(LIMIT) })
  const key = await fixture.createKey(orgId)
  const url = `${limited.baseUrl}${PATH}`
  const headers = { 'X-API-Key': key }
  assert.equal((await fetch(url, { headers })).headers.get('ratelimit-remaining'), '119')
  assert.equal(
    (await fetch(`${limited.baseUrl}/api/v1/monitors`, { headers })).headers.get(
      'ratelimit-remaining',
    ),
    '118',
  )
  await db.run(
    `update api_key_windows set used = $2 where key_id = (select id from api_keys where hash = $1)`,
    [hashKey(key), LIMIT],
  )
  const refused = await fetch(url, { headers })
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(await envelope(refused, 429), 'rate_limited')
})

/** `fetch` unpacks a body by itself. */
async function readBytes(url: string): Promise<{ bytes: Buffer; encoding: string | undefined }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    bytes: Buffer
    encoding: string | undefined
  }>()
  const headers = { 'X-API-Key': keys.readOnly, 'Accept-Encoding': 'gzip' }
  get(url, { headers }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () =>
      resolve({ bytes: Buffer.concat(chunks), encoding: response.headers['content-encoding'] }),
    )
  }).on('error', reject)
  return promise
}
