import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { COMPLETE, FIELDS, MONITOR_TYPES } from '../kit/monitor-fields.ts'
import { seedContact } from '../kit/seed.ts'
import type { Monitor } from '../kit/shapes.ts'

const fixture = await startProduct()
const { api, db } = fixture
after(() => fixture.stop())

const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'undefined'

describe('createMonitor: every field and its bounds', { concurrency: 8 }, () => {
  for (const { field, inside, outside } of FIELDS) {
    test(`createMonitor 201: ${field} takes what is just inside its bounds, and echoes it`, async () => {
      for (const value of inside) {
        const answer = await api.post('/monitors', { ...COMPLETE, [field]: value })
        assert.equal(answer.status, 201, `${field} ${show(value)}: ${answer.text}`)
        assert.deepEqual(answer.monitor[field as keyof Monitor], value, show(value))
        assert.deepEqual(await api.getMonitor(answer.monitor.id), answer.monitor)
      }
    })

    test(`createMonitor 400: ${field} refuses what is just outside, and names it`, async () => {
      for (const [value, path = field] of outside) {
        const answer = await api.post('/monitors', { ...COMPLETE, [field]: value })
        assert.equal(answer.code, 'validation_error', `${field} ${show(value)}`)
        assert.deepEqual([...new Set(answer.paths)], [path], `${field} ${show(value)}`)
      }
    })
  }

  for (const type of MONITOR_TYPES)
    test(`createMonitor 201: ${type} gets every default, and null where there is none`, async () => {
      const { url, host, port, keyword } = COMPLETE
      const needed = neededBy(type, { url, host, port, keyword })
      const before = Date.now() - 1000
      const answer = await api.post('/monitors', { name: 'Defaults', type, ...needed })
      const { id, createdAt, updatedAt, heartbeatUrl, ...rest } = answer.monitor

      const defaults = FIELDS.filter((row) => 'fallback' in row)
      const expected = Object.fromEntries(defaults.map((row) => [row.field, row.fallback]))
      const untouched = ['lastCheckedAt', 'lastStatusChangedAt', 'lastResponseMs', 'certExpiresAt']
      assert.deepEqual(rest, {
        ...expected,
        ...needed,
        name: 'Defaults',
        type,
        state: 'PENDING',
        ...Object.fromEntries(untouched.map((name) => [name, null])),
      })
      assert.equal(createdAt, updatedAt)
      assert.ok(Date.parse(createdAt) >= before && Date.parse(createdAt) <= Date.now() + 1000)
      assert.equal(answer.headers['location'], `/api/v1/monitors/${id}`)
      if (type === 'CRON') assert.match(String(heartbeatUrl), heartbeatForm())
    })
})

function neededBy(type: string, from: Record<string, unknown>): Record<string, unknown> {
  const fields: Record<string, string[]> = {
    KEYWORD: ['url', 'keyword'],
    PING: ['host'],
    PORT: ['host', 'port'],
    CRON: [],
  }
  return Object.fromEntries((fields[type] ?? ['url']).map((name) => [name, from[name]]))
}

const heartbeatForm = () => new RegExp(`^${fixture.service.baseUrl}/hb/[A-Za-z0-9_-]{22,}$`)

describe('createMonitor: what a type needs', { concurrency: 8 }, () => {
  const required: [type: string, field: keyof typeof COMPLETE][] = [
    ['HTTP', 'url'],
    ['KEYWORD', 'url'],
    ['KEYWORD', 'keyword'],
    ['PING', 'host'],
    ['PORT', 'host'],
    ['PORT', 'port'],
    ['DNS', 'url'],
    ['SSL', 'url'],
    ['DOMAIN', 'url'],
  ]
  for (const [type, field] of required)
    test(`createMonitor 400: ${type} without ${field}, with null or with an empty one`, async () => {
      const { [field]: _, ...without } = { ...COMPLETE, type }
      const empty = field === 'port' ? [] : [{ ...without, [field]: '' }]
      for (const body of [without, { ...without, [field]: null }, ...empty]) {
        const answer = await api.post('/monitors', body)
        assert.deepEqual(answer.paths, [field])
        const message = `${field} is required for ${type} monitors`
        assert.equal(answer.error.details?.[0]?.message, message)
      }
    })

  test('createMonitor 400: name and type are needed, and every problem is named in one answer', async () => {
    assert.deepEqual((await api.post('/monitors', {})).paths.toSorted(), ['name', 'type'])
    const wrong = { type: 'PORT', host: 'a b', intervalSeconds: 29, verifySsl: 'no', keyword: 7 }
    const { paths } = await api.post('/monitors', wrong)
    const expected = ['host', 'intervalSeconds', 'keyword', 'name', 'port', 'verifySsl']
    assert.deepEqual(paths.toSorted(), expected)
  })

  test('createMonitor 400: a hundred problems are reported as fifty', async () => {
    const expectedStatus = Array.from({ length: 100 }, () => 99)
    const { paths } = await api.post('/monitors', { ...COMPLETE, expectedStatus })
    assert.equal(paths.length, 50)
  })

  test('createMonitor 201: fields that do not apply to the type are only held to their bounds', async () => {
    const other = {
      url: 'not a url at all',
      host: 'http://not/a/host',
      keyword: '',
      requestHeaders: { 'not a token': 'x', Connection: 'close' },
    }
    const monitor = await api.createMonitor({ ...COMPLETE, ...other, type: 'CRON' })
    const { url, host, keyword, requestHeaders } = monitor
    assert.deepEqual({ url, host, keyword, requestHeaders }, other)
    await api.createMonitor({ ...COMPLETE, type: 'PING', url: 'ftp:/nowhere', port: 1 })
    await api.createMonitor({ ...COMPLETE, type: 'HTTP', host: '%%%', keyword: null })
  })
})

describe('createMonitor: addresses', { concurrency: 8 }, () => {
  const http = {
    good: [
      'http://example.com',
      'https://example.com:8443/a?b=c#d',
      'HTTPS://EXAMPLE.COM/',
      'http://127.0.0.1:8080/',
      'http://[::1]:9/x',
      'https://bücher.example/ä?ö',
      `https://example.com/${'p'.repeat(2048 - 20)}`,
    ],
    bad: [
      'example.com',
      '//example.com/',
      'ftp://example.com/',
      'https://',
      'http:///path',
      'https:example.com',
      'https://user@example.com/',
      'https://user:secret@example.com/',
      'https://exa mple.com/',
      'http://example.com:99999/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      ' https://example.com/',
      `https://example.com/${'p'.repeat(2048 - 19)}`,
    ],
  }
  const host = {
    good: [
      'example.com',
      'localhost',
      '192.0.2.1',
      '::1',
      '2001:db8::1',
      'a-b.example',
      'xn--bcher-kva.de',
      'bücher.example',
      '_srv.example',
      '-a.b-_',
      'a..b',
      '999.1.1.1',
      `${'a'.repeat(64)}.example`,
      'a'.repeat(253),
      'a'.repeat(254),
      'a'.repeat(255),
      `${'a.'.repeat(127)}a`,
    ],
    bad: [
      'http://example.com',
      'example.com:80',
      'example.com/path',
      'exa mple.com',
      'example.com ',
      '192.0.2.1:80',
      'user@example.com',
      'a%62c',
      'a*b',
      'a,b',
      '[::1',
      '::zz',
      'x'.repeat(256),
    ],
  }
  const named = {
    good: [
      'example.com',
      'example.com:8443',
      'https://example.com/path?x=1',
      '_dmarc.example.com',
      'tcp://example.com:993',
      '192.0.2.1',
    ],
    bad: ['exa mple.com', 'https://', '://', 'example.com:99999', '..', '/path', '\t'],
  }
  const rows = [
    { types: ['HTTP', 'KEYWORD'], field: 'url', ...http },
    { types: ['PING', 'PORT'], field: 'host', ...host },
    { types: ['DNS', 'SSL'], field: 'url', ...named },
    {
      types: ['DOMAIN'],
      field: 'url',
      good: named.good.filter((value) => value !== '192.0.2.1'),
      bad: [...named.bad, '192.0.2.1', 'https://[2001:db8::1]/', 'com', 'localhost'],
    },
  ]
  for (const { types, field, good, bad } of rows)
    for (const type of types) {
      test(`createMonitor 201: ${type} reads ${field}, and keeps it as it was sent`, async () => {
        for (const value of good) {
          const answer = await api.post('/monitors', { ...COMPLETE, type, [field]: value })
          assert.equal(answer.status, 201, `${value}: ${answer.text}`)
          assert.equal(answer.monitor[field as 'url'], value)
        }
      })
      test(`createMonitor 400: ${type} refuses an address it cannot read, path ${field}`, async () => {
        for (const value of bad) {
          const answer = await api.post('/monitors', { ...COMPLETE, type, [field]: value })
          assert.equal(answer.code, 'validation_error', value)
          assert.deepEqual(answer.paths, [field], value)
        }
      })
    }
})

describe('createMonitor: request headers', { concurrency: 8 }, () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'v']))
  const good: Record<string, string>[] = [
    { Host: 'other.example', Authorization: 'Basic abc', 'User-Agent': 'me' },
    { "!#$%&'*+-.^_`|~09Az": 'every token character' },
    { 'X-Empty': '', 'X-Tab': 'a\tb', 'X-Latin': 'é' },
    many(64),
    { 'X-Large': 'v'.repeat(8192 - 7) },
  ]
  test('createMonitor 201: headers that HTTP can carry are stored and echoed exactly', async () => {
    for (const requestHeaders of good) {
      const monitor = await api.createMonitor({ ...COMPLETE, type: 'HTTP', requestHeaders })
      assert.deepEqual(monitor.requestHeaders, requestHeaders)
    }
  })

  // biome-ignore format: many short values read better side by side
  const refused = [
    'Connection', 'keep-alive', 'PROXY-Authorization', 'proxy-x', 'TE', 'Trailer', 'Expect',
    'Transfer-Encoding', 'Upgrade', 'content-length', ':authority', 'a b', 'a:b', 'ä', '',
  ]
  for (const type of ['HTTP', 'KEYWORD'])
    test(`createMonitor 400: ${type} refuses headers the connection sets, and names that are none`, async () => {
      for (const name of refused) {
        const requestHeaders = { Accept: '*/*', [name]: 'x' }
        const answer = await api.post('/monitors', { ...COMPLETE, type, requestHeaders })
        assert.deepEqual(
          [answer.code, ...answer.paths],
          ['validation_error', `requestHeaders.${name}`],
        )
      }
      for (const value of ['a\rb', 'a\nb', 'a\r\nX-Injected: 1', 'a\0b']) {
        const answer = await api.post('/monitors', {
          ...COMPLETE,
          type,
          requestHeaders: { A: value },
        })
        assert.deepEqual([...new Set(answer.paths)], ['requestHeaders.A'], show(value))
      }
    })

  test('createMonitor 400: 65 headers, or one byte more than 8 KiB', async () => {
    for (const requestHeaders of [many(65), { 'X-Large': 'v'.repeat(8192 - 6) }]) {
      const answer = await api.post('/monitors', { ...COMPLETE, type: 'HTTP', requestHeaders })
      assert.deepEqual(answer.paths, ['requestHeaders'])
    }
  })
})

describe('createMonitor: what JSON can smuggle', { concurrency: 8 }, () => {
  const textFields = ['name', 'url', 'host', 'requestBody', 'keyword', 'dnsExpected']
  for (const field of textFields)
    test(`createMonitor 400: ${field} with U+0000 or half a surrogate pair`, async () => {
      for (const value of ['a\0b', '\0', '\ud800', 'a\udc00b', '\udc00\ud800']) {
        const answer = await api.post('/monitors', { ...COMPLETE, [field]: value })
        assert.deepEqual([...new Set(answer.paths)], [field], show(value))
      }
    })

  test('createMonitor 400: half a surrogate pair in the name or value of a header', async () => {
    for (const requestHeaders of [{ A: '\ud800' }, { A: '\0' }]) {
      const answer = await api.post('/monitors', { ...COMPLETE, requestHeaders })
      assert.deepEqual([...new Set(answer.paths)], ['requestHeaders.A'])
    }
    for (const name of ['\0', '\ud800']) {
      const answer = await api.post('/monitors', { ...COMPLETE, requestHeaders: { [name]: 'x' } })
      assert.equal(answer.code, 'validation_error', show(name))
    }
  })

  const numbers: [json: string, status: number][] = [
    ['300.0', 201],
    ['3e2', 201],
    ['300.5', 400],
    ['1e400', 400],
    ['-1e400', 400],
    ['-0', 400],
    ['"300"', 400],
    ['[300]', 400],
  ]
  for (const [json, status] of numbers)
    test(`createMonitor ${status}: intervalSeconds written as ${json}`, async () => {
      const rawBody = `{"name":"n","type":"CRON","intervalSeconds":${json}}`
      const answer = await api.request('POST', '/monitors', { rawBody })
      assert.equal(answer.status, status, answer.text)
      if (status === 201) assert.equal(answer.monitor.intervalSeconds, 300)
      else assert.deepEqual(answer.paths, ['intervalSeconds'])
    })

  test('createMonitor 201: unknown and read-only properties are ignored', async () => {
    const monitor = await api.createMonitor({
      id: 'mon_mine',
      state: 'UP',
      createdAt: '2000-01-01T00:00:00Z',
      heartbeatUrl: 'https://example.com/',
      organizationId: 'org_other',
      lastResponseMs: 'nonsense',
      surprise: { deep: [1, 2, 3] },
    })
    assert.equal(monitor.state, 'PENDING')
    assert.notEqual(monitor.id, 'mon_mine')
    assert.notEqual(monitor.createdAt, '2000-01-01T00:00:00.000Z')
    assert.match(String(monitor.heartbeatUrl), heartbeatForm())
  })

  test('createMonitor 201: organizationId in query or body never selects another organization', async () => {
    const { id: orgId } = await fixture.createOrganization()
    const body = { name: 'Mine', type: 'CRON', organizationId: orgId, organization_id: orgId }
    const { monitor } = await api.post(`/monitors?organizationId=${orgId}&org_id=${orgId}`, body)
    assert.equal((await api.getMonitor(monitor.id)).name, 'Mine')
  })

  const prototypes: [json: string, status: number][] = [
    ['{"__proto__":{"name":"n"},"type":"CRON"}', 400],
    ['{"name":"n","type":"CRON","__proto__":{"intervalSeconds":5}}', 201],
    ['{"name":"n","type":"CRON","constructor":{"prototype":{"polluted":true}}}', 201],
    ['{"name":"n","type":"CRON","toString":1,"hasOwnProperty":2,"valueOf":3}', 201],
    ['{"name":"n","type":"CRON","requestHeaders":{"constructor":"x"}}', 201],
    ['{"name":"n","type":"CRON","requestHeaders":{"__proto__":"x"}}', 400],
    ['{"constructor":{"name":"n","type":"CRON"}}', 400],
  ]
  for (const [rawBody, status] of prototypes)
    test(`createMonitor ${status}: keys of prototypes are keys like others: ${rawBody}`, async () => {
      const answer = await api.request('POST', '/monitors', { rawBody })
      assert.equal(answer.status, status, answer.text)
      if (status === 201) assert.equal(answer.monitor.intervalSeconds, 300)
      await api.createMonitor()
    })
})

describe('createMonitor: what comes with it', () => {
  test('createMonitor 201: one event monitor.created with its secrets masked', async () => {
    const requestHeaders = { Authorization: 'Bearer secret', 'X-Other': 'also secret' }
    const secrets = { requestHeaders, requestBody: 'secret body' }
    const monitor = await api.createMonitor({ ...COMPLETE, type: 'HTTP', ...secrets })
    const [event, ...more] = await db.eventsOf(monitor.id)
    assert.deepEqual([event?.type, more], ['monitor.created', []])
    const masked = { Authorization: '***', 'X-Other': '***' }
    const shown = { ...monitor, requestHeaders: masked, requestBody: null }
    assert.deepEqual(event?.data, { monitor: shown })
    assert.equal(event?.timestamp, monitor.createdAt)
  })

  test('createMonitor 201: it is due at once; a CRON monitor when its first ping is late', async () => {
    const http = await api.createMonitor({ ...COMPLETE, type: 'HTTP' })
    const status = await db.monitorStatus(http.id)
    assert.equal(status.next_due_at?.toISOString(), http.createdAt)
    assert.deepEqual(await db.spansOf(http.id), { states: ['PENDING'], open: ['PENDING'] })

    const rows: [fields: Record<string, number>, seconds: number][] = [
      [{ intervalSeconds: 600, graceSeconds: 10 }, 610],
      [{ intervalSeconds: 600, expectedPeriodSec: 3600, graceSeconds: 0 }, 3600],
    ]
    for (const [fields, seconds] of rows) {
      const cron = await api.createMonitor(fields)
      const { next_due_at } = await db.monitorStatus(cron.id)
      assert.equal(Number(next_due_at) - Date.parse(cron.createdAt), seconds * 1000)
    }
  })

  test("createMonitor 201: all alert contacts of the organization are attached, and nobody else's", async () => {
    const { id, uuid, api: owner } = await fixture.createOrganization()
    const { id: otherId } = await fixture.createOrganization()
    const contacts = [await seedContact(db, id), await seedContact(db, id)]
    await seedContact(db, otherId)
    const monitor = await owner.createMonitor()
    await seedContact(db, id)

    const attached = await db.run<{ contact_id: string }>(
      'select contact_id from monitor_alert_contacts where org_id = $1 order by contact_id',
      [uuid],
    )
    assert.deepEqual(
      attached.map((row) => row.contact_id),
      contacts.toSorted(),
    )
    assert.equal((await owner.getMonitor(monitor.id)).id, monitor.id)
  })

  test('createMonitor 201: every heartbeat address is another one', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => api.createMonitor()))
    const addresses = new Set(made.map((monitor) => monitor.heartbeatUrl))
    assert.equal(addresses.size, 20)
  })

  test('createMonitor 400: nothing is stored and nothing is published', async () => {
    const { uuid, api: owner } = await fixture.createOrganization()
    await owner.post('/monitors', { name: '', type: 'CRON' })
    assert.equal((await owner.get('/monitors')).monitors.pagination.total, 0)
    assert.equal(await db.count('events', 'org_id = $1', [uuid]), 0)
  })
})
