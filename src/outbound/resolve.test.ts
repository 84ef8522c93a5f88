import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Reply, type Script, startDnsServer } from '../../test/kit/targets/dns-server.ts'
import { parseHostsFile } from './local-names.ts'
import { createNameResolver } from './resolve.ts'

const A = (name: string): Reply => ({ answers: [{ type: 'A', name, data: '1.2.3.4' }] })
const texts = Array.from({ length: 30 }, (_, i) => `text ${i}`)
const zone: Record<string, Reply> = {
  'A both.test': A('both.test'),
  'AAAA both.test': {
    answers: [{ type: 'AAAA', name: 'both.test', data: '2606::1' }],
    delayMs: 60,
  },
  'A four.test': A('four.test'),
  'A half.test': A('half.test'),
  'AAAA half.test': 'SILENCE',
  'TXT big.test': { truncated: texts.map((data) => ({ type: 'TXT', name: 'big.test', data })) },
  'TXT long.test': { answers: [{ type: 'TXT', name: 'long.test', data: ['one ', 'text'] }] },
  'MX mail.test': {
    answers: [
      { type: 'MX', name: 'mail.test', data: { preference: 10, exchange: 'mx.mail.test' } },
    ],
  },
}
const every: Record<string, Reply> = {
  'broken.test': 'SERVFAIL',
  'silent.test': 'SILENCE',
  'none.test': 'NXDOMAIN',
}
const script: Script = ({ name, type }) => zone[`${type} ${name}`] ?? every[name]
const server = await startDnsServer(script)
after(() => server.close())

const hosts = parseHostsFile(
  '10.0.0.7 Printer printer.lan # at the door\n::7 printer\n# 1.1.1.1 no\n',
)
const names = createNameResolver({ servers: [server.address], hosts })
const within = (ms: number) => AbortSignal.timeout(ms)

// biome-ignore format: a table is read by its columns
const found: [host: string, addresses: string[]][] = [
  ['both.test',       ['1.2.3.4', '2606::1']],
  ['four.test',       ['1.2.3.4']],
  ['half.test',       ['1.2.3.4']], // does not wait for the silent family
  ['9.9.9.9',         ['9.9.9.9']],
  ['::1',             ['::1']],
  ['localhost',       ['127.0.0.1', '::1']],
  ['LOCALHOST.',      ['127.0.0.1', '::1']],
  ['a.b.localhost',   ['127.0.0.1', '::1']],
  ['printer',         ['10.0.0.7', '::7']],
  ['PRINTER.lan',     ['10.0.0.7']],
]
for (const [host, addresses] of found) {
  test(`lookup of ${host} -> ${addresses}`, async () => {
    assert.deepEqual(await names.lookup(host, within(2_000)), addresses)
  })
}

// biome-ignore format: a table is read by its columns
const failing: [host: string, code: string, detail: string][] = [
  ['none.test',      'NAME_NOT_FOUND',    'ENOTFOUND'],
  ['empty.test',     'NAME_NOT_FOUND',    'ENODATA'],
  ['a.invalid',      'NAME_NOT_FOUND',    'ENOTFOUND'],
  ['invalid',        'NAME_NOT_FOUND',    'ENOTFOUND'],
  ['broken.test',    'NAME_NOT_ANSWERED', 'ESERVFAIL'],
  ['silent.test',    'NAME_NOT_ANSWERED', 'ETIMEOUT'],
]
for (const [host, code, detail] of failing) {
  test(`lookup of ${host} fails: ${code} (${detail})`, async () => {
    await assert.rejects(names.lookup(host, within(800)), { code, detail })
  })
}

test('nothing local is asked of the server', () => {
  assert.ok(server.asked.length > 0)
  assert.deepEqual(
    server.asked.filter((line) => /localhost|printer|invalid/i.test(line)),
    [],
  )
})

test('records: MX with priority, TXT joined, an answer too big for UDP over TCP', async () => {
  assert.deepEqual(await names.query('mail.test', 'MX', within(800)), ['10 mx.mail.test'])
  assert.deepEqual(await names.query('long.test', 'TXT', within(800)), ['one text'])
  assert.equal((await names.query('big.test', 'TXT', within(800))).length, 30)
  assert.deepEqual(await names.query('localhost', 'AAAA', within(800)), ['::1'])
  await assert.rejects(names.query('localhost', 'MX', within(800)), { detail: 'ENODATA' })
})

test('a silent name ends at the deadline, not at the resolver’s own timeouts', async () => {
  const startMs = performance.now()
  await assert.rejects(names.lookup('silent.test', within(300)))
  assert.ok(performance.now() - startMs < 450)
})

// biome-ignore format: a table is read by its columns
const ours: [what: string, script: Script][] = [
  ['answers nobody',        () => 'SILENCE'],
  ['has lost the internet', () => 'SERVFAIL'],
  ['refuses everything',    () => 'REFUSED'],
]
for (const [what, brokenScript] of ours) {
  test(`a resolver that ${what} is our fault, not the name’s`, async () => {
    const broken = await startDnsServer(brokenScript)
    const { lookup } = createNameResolver({ servers: [broken.address], hosts })
    await assert.rejects(lookup('four.test', within(600)), { code: 'RESOLVER_UNREACHABLE' })
    broken.close()
  })
}

test('no resolver at all is our fault', async () => {
  const { lookup } = createNameResolver({ servers: ['127.0.0.1:1'], hosts })
  await assert.rejects(lookup('four.test', within(3_000)), { code: 'RESOLVER_UNREACHABLE' })
})

test('the control question is asked once in 5 s, however many names are broken', async () => {
  const asked = () => server.asked.filter((line) => line === 'NS .').length
  const before = asked()
  const lookups = Array.from({ length: 20 }, () => names.lookup('broken.test', within(500)))
  const outcomes = await Promise.allSettled(lookups)
  assert.ok(outcomes.every((outcome) => outcome.status === 'rejected'))
  assert.ok(asked() - before <= 1)
})
