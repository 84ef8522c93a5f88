// DNS checks against a scripted name server: every record type, what matches the expected value, who is to blame for
// silence, and when a changed answer is reported.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from 'dns-packet'
import { type Reply, startDnsServer } from '../../kit/targets/dns-server.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { startEngine } from './fixture.ts'

// The product trusts a control query for 5 s.
const RESOLVER_STATE_MS = 5_100

const records = new Map<string, Reply>()
let isMute = false
let controlQueryMs = Number.NEGATIVE_INFINITY
const dns = await startDnsServer(({ name, type }) => {
  if (type === 'NS' && name === '.') controlQueryMs = performance.now()
  if (isMute) return 'SILENCE'
  return records.get(`${type} ${name.toLowerCase()}`)
})
const web = await startWeb()
const engine = await startEngine({ env: { PROBE_DNS_SERVERS: dns.address } })
after(async () => {
  await engine.stop()
  await web.close()
  dns.close()
})

let names = 0
const newName = () => `name-${++names}.example.test`
const set = (name: string, type: string, reply: Reply) => records.set(`${type} ${name}`, reply)
const answers = (name: string, type: 'A' | 'AAAA' | 'CNAME' | 'NS', values: string[]): Reply => ({
  answers: values.map((data): Answer => ({ name, type, data, ttl: 0 })),
})

const DATA: Record<string, (name: string) => Reply> = {
  A: (name) => answers(name, 'A', ['192.0.2.7', '192.0.2.8']),
  AAAA: (name) => answers(name, 'AAAA', ['2001:db8::7']),
  CNAME: (name) => answers(name, 'CNAME', ['Target.Example.test']),
  NS: (name) => answers(name, 'NS', ['ns1.example.test', 'ns2.example.test']),
  MX: (name) => ({
    answers: [
      { name, type: 'MX', ttl: 0, data: { preference: 10, exchange: 'mx1.example.test' } },
      { name, type: 'MX', ttl: 0, data: { preference: 20, exchange: 'mx2.example.test' } },
    ],
  }),
  TXT: (name) => ({
    answers: [
      { name, type: 'TXT', ttl: 0, data: ['v=spf1 a, b', ' -all'] },
      { name, type: 'TXT', ttl: 0, data: ['second'] },
    ],
  }),
}

function watch(url: string, fields: Record<string, unknown>) {
  return engine.createChecked({ type: 'DNS', url, ...fields })
}

// biome-ignore format: a table is read by its columns
const rows: [type: string, expected: string | null, cause: string | null][] = [
  ['A',     null,                                 null],
  ['A',     '192.0.2.7',                          null], // extra records are fine
  ['A',     ' 192.0.2.8 , 192.0.2.7 ',            null],
  ['A',     '192.0.2.8\n192.0.2.7',               null],
  ['A',     '192.0.2.7, 192.0.2.9',               'DNS A is 192.0.2.7, 192.0.2.8, expected 192.0.2.7, 192.0.2.9'],
  ['AAAA',  '2001:DB8::7',                        null],
  ['AAAA',  '2001:0db8:0000:0000:0000:0000:0000:0007', null], // compared as addresses, not as text
  ['AAAA',  '2001:db8:0::0:7',                    null],
  ['AAAA',  '2001:db8::8',                        'DNS AAAA is 2001:db8::7, expected 2001:db8::8'],
  ['CNAME', 'target.EXAMPLE.test.',               null],
  ['CNAME', 'other.example.test',                 'DNS CNAME is Target.Example.test, expected other.example.test'],
  ['NS',    'NS2.example.test., ns1.example.test', null],
  ['MX',    'mx2.example.test',                   null],
  ['MX',    '10 mx1.example.test.,20 mx2.example.test', null],
  ['MX',    '20 mx1.example.test',                'DNS MX is 10 mx1.example.test, 20 mx2.example.test, expected 20 mx1.example.test'],
  ['TXT',   'v=spf1 a, b -all',                   null], // the comma is part of the text
  ['TXT',   ' second \nv=spf1 a, b -all',         null],
  ['TXT',   'SECOND',                             'DNS TXT is v=spf1 a, b -all, second, expected SECOND'],
  ['TXT',   'second.',                            'DNS TXT is v=spf1 a, b -all, second, expected second.'],
  ['TXT',   'v=spf1  a, b -all',                  'DNS TXT is v=spf1 a, b -all, second, expected v=spf1  a, b -all'],
  ['TXT',   'second, v=spf1 a, b -all',           'DNS TXT is v=spf1 a, b -all, second, expected second, v=spf1 a, b -all'],
]

describe('records and what is expected of them', { concurrency: 8 }, () => {
  for (const [dnsRecordType, dnsExpected, cause] of rows)
    test(`${dnsRecordType} expected ${JSON.stringify(dnsExpected)}: ${cause ?? 'UP'}`, async () => {
      const name = newName()
      set(name, dnsRecordType, DATA[dnsRecordType]?.(name) ?? 'SERVFAIL')
      const { id, state } = await watch(name, { dnsRecordType, dnsExpected })
      if (cause === null) return assert.equal(state, 'UP')
      const incident = await engine.incidentOf(id)
      assert.deepEqual([state, incident.cause], ['DOWN', cause])
      assert.equal(incident.causeCode, 'DNS_MISMATCH')
      const { dnsAnswers, attempts } = incident.openedBy
      assert.ok(Array.isArray(dnsAnswers) && dnsAnswers.length > 0)
      assert.equal((attempts as unknown[]).length, 1, 'a wrong answer is decisive at once')
    })

  for (const form of ['NAME', 'NAME:53', 'https://NAME/path'])
    test(`the hostname of ${form} counts`, async () => {
      const name = newName()
      set(name, 'A', answers(name, 'A', ['192.0.2.1']))
      const { state } = await watch(form.replace('NAME', name), { dnsExpected: '192.0.2.1' })
      assert.equal(state, 'UP')
    })

  test('UP has the time of the query', async () => {
    const name = newName()
    set(name, 'A', {
      ...(answers(name, 'A', ['192.0.2.1']) as { answers: Answer[] }),
      delayMs: 200,
    })
    const { id } = await watch(name, {})
    const { lastResponseMs } = await engine.checkSampled(id)
    assert.ok((lastResponseMs ?? 0) >= 190, `${lastResponseMs}`)
  })
})

describe('no answer', { concurrency: 8 }, () => {
  test('a name that does not exist, and one without such records, are DOWN at once', async () => {
    const missing = newName()
    set(missing, 'A', 'NXDOMAIN')
    const empty = newName()
    set(empty, 'MX', { answers: [] })
    for (const [name, type] of [
      [missing, 'A'],
      [empty, 'MX'],
    ] as const) {
      const { id, state } = await watch(name, { dnsRecordType: type })
      const { causeCode, openedBy } = await engine.incidentOf(id)
      assert.deepEqual([state, causeCode], ['DOWN', 'DNS_NO_RECORDS'])
      assert.equal((openedBy['attempts'] as unknown[]).length, 1)
    }
  })

  for (const reply of ['SERVFAIL', 'SILENCE'] as const)
    test(`${reply} for this name, while the resolver works: DOWN after two attempts`, async () => {
      const name = newName()
      set(name, 'A', reply)
      const { id, state } = await watch(name, { timeoutSeconds: 2 })
      const { causeCode, cause, openedBy } = await engine.incidentOf(id)
      assert.deepEqual([state, causeCode], ['DOWN', 'DNS_ERROR'])
      assert.match(cause ?? '', /^DNS lookup failed \((ESERVFAIL|ETIMEOUT)\)$/)
      assert.equal((openedBy['attempts'] as unknown[]).length, 2)
    })

  test('an HTTP monitor of a name that does not exist is DOWN with DNS_ERROR', async () => {
    const name = newName()
    for (const type of ['A', 'AAAA']) set(name, type, 'NXDOMAIN')
    const { id } = await engine.createChecked({ type: 'HTTP', url: `http://${name}/` })
    const { causeCode, cause } = await engine.incidentOf(id)
    assert.deepEqual([causeCode, cause], ['DNS_ERROR', 'DNS lookup failed (ENOTFOUND)'])
  })

  for (const host of ['a'.repeat(255), `${'a'.repeat(64)}.test`, 'a..b', '999.1.1.1'])
    test(`a PING or PORT monitor of ${host.slice(0, 20)}, which no resolver finds, is DOWN with DNS_ERROR`, async () => {
      for (const fields of [{ type: 'PING' }, { type: 'PORT', port: 80 }]) {
        const { id } = await engine.createChecked({ ...fields, host, timeoutSeconds: 2 })
        assert.equal((await engine.incidentOf(id)).causeCode, 'DNS_ERROR')
      }
    })

  test('an HTTP monitor finds its target by name', async () => {
    const name = newName()
    set(name, 'A', answers(name, 'A', ['127.0.0.1']))
    const page = web.page({})
    const url = page.url.replace('127.0.0.1', name)
    const { state } = await engine.createChecked({ type: 'HTTP', url })
    assert.deepEqual([state, page.seen[0]?.headers['host']], ['UP', `${name}:${web.port}`])
  })
})

describe('monitor.dns_changed', { concurrency: 4 }, () => {
  test('the first good answer is the baseline; a new value is reported once; the state stays', async () => {
    const name = newName()
    const show = (...values: string[]) => set(name, 'A', answers(name, 'A', values))
    show('192.0.2.2', '192.0.2.1')
    const { id } = await watch(name, {})
    const changes = async () =>
      (await engine.eventsOf(id)).filter(({ type }) => type === 'monitor.dns_changed')

    for (const values of [['192.0.2.1', '192.0.2.2'], ['192.0.2.1'], ['192.0.2.2']]) {
      show(...values)
      await engine.check(id)
    }
    assert.deepEqual(await changes(), [], 'another order, and less of the usual, is no news')

    show('192.0.2.1', '192.0.2.3')
    const { state } = await engine.check(id)
    await engine.check(id)
    const [change, ...more] = await changes()
    assert.deepEqual([state, more.length], ['UP', 0])
    const { monitor: _, ...published } = change?.data ?? {}
    const before = ['192.0.2.1', '192.0.2.2']
    assert.deepEqual(published, { before, after: ['192.0.2.1', '192.0.2.3'] })
    assert.deepEqual(await engine.incidentsOf(id), [])
    show('192.0.2.2')
    await engine.check(id)
    assert.equal((await changes()).length, 1, 'a value seen within seven days is no news')
  })

  test('an answer that fails the check is no answer to compare with', async () => {
    const name = newName()
    set(name, 'A', answers(name, 'A', ['192.0.2.1']))
    const { id } = await watch(name, { dnsExpected: '192.0.2.1' })
    set(name, 'A', answers(name, 'A', ['192.0.2.9']))
    assert.equal((await engine.check(id)).state, 'DOWN')
    const published = ['monitor.up', 'monitor.down', 'incident.opened']
    assert.deepEqual(await engine.eventTypesOf(id), published)
  })

  test('off: nothing is published; another name or record type starts a new baseline', async () => {
    const [first, second] = [newName(), newName()]
    set(first, 'A', answers(first, 'A', ['192.0.2.1']))
    set(second, 'A', answers(second, 'A', ['192.0.2.2']))
    set(second, 'AAAA', answers(second, 'AAAA', ['2001:db8::1']))
    const { id } = await watch(first, {})
    await engine.patch(id, { url: second })
    await engine.check(id)
    await engine.patch(id, { dnsRecordType: 'AAAA' })
    await engine.check(id)
    await engine.patch(id, { dnsAlertOnChange: false })
    set(second, 'AAAA', answers(second, 'AAAA', ['2001:db8::2']))
    await engine.check(id)
    const updates = Array.from({ length: 3 }, () => 'monitor.updated')
    assert.deepEqual(await engine.eventTypesOf(id), ['monitor.up', ...updates])
  })
})

test('a resolver that answers nobody is our fault: 500, nothing changes, the metrics show it', async () => {
  const name = newName()
  set(name, 'A', answers(name, 'A', ['192.0.2.1']))
  const { id } = await watch(name, { timeoutSeconds: 1 })
  const http = await engine.createChecked({
    type: 'HTTP',
    url: web.page({}).url,
    timeoutSeconds: 1,
  })
  await engine.patch(http.id, { url: `http://${newName()}/` })
  const before = await engine.api.getMonitor(id)
  const published = await engine.eventTypesOf(id)
  isMute = true
  try {
    // The result of the last control query, which said that the resolver works, has expired.
    await delay(controlQueryMs + RESOLVER_STATE_MS - performance.now())
    const key = { 'Idempotency-Key': 'mute-resolver' }
    const answer = await engine.checkRaw(id, key)
    assert.deepEqual([answer.status, answer.code], [500, 'internal_error'])
    assert.equal((await engine.checkRaw(http.id)).status, 500)
    assert.deepEqual(await engine.api.getMonitor(id), before)
    assert.deepEqual(await engine.verdictsOf(id), ['PASSED'])
    assert.deepEqual(await engine.eventTypesOf(id), published)
    isMute = false
    await delay(100)
    const again = await engine.checkRaw(id, key)
    assert.equal(again.status, 200, 'the key was released')
    assert.equal(again.headers.get('idempotency-replayed'), null)
  } finally {
    isMute = false
  }
  const metrics = await (await fetch(`${engine.service.internalUrl}/metrics`)).text()
  assert.match(
    metrics,
    /upvane_checks_inconclusive_total\{type="DNS",reason="RESOLVER_UNREACHABLE"\} [1-9]/,
  )
})
