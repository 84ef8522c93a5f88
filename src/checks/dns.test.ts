import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openAttemptFixture } from '../../test/kit/targets/attempt-fixture.ts'
import type { DnsRecordType } from '../domain/monitors/monitor.ts'

const MX = { preference: 10, exchange: 'MX1.example.org' }
const fixture = await openAttemptFixture({
  dns: ({ name, type }) => {
    if (name === '.') return undefined
    if (name !== 'example.org') return 'NXDOMAIN'
    if (type === 'A')
      return { answers: ['1.2.3.4', '5.6.7.8'].map((data) => ({ type, name, data })) }
    if (type === 'AAAA') return { answers: [{ type, name, data: '2606:4700::1' }] }
    if (type === 'MX') return { answers: [{ type, name, data: MX }] }
    if (type === 'NS') return { answers: [{ type, name, data: 'ns1.example.org' }] }
    if (type === 'TXT') return { answers: [{ type, name, data: 'v=spf1, include:x -all' }] }
    return undefined
  },
})
after(() => fixture.close())

// biome-ignore format: a table is read by its columns
const rows: [url: string, type: DnsRecordType, expected: string | null, outcome: string][] = [
  ['example.org',                'A',     null,                       'OK'],
  ['https://example.org:8443/x', 'A',     null,                       'OK'],
  ['example.org:53',             'A',     null,                       'OK'],
  ['example.org',                'A',     '',                         'OK'],
  ['example.org',                'A',     '1.2.3.4',                  'OK'], // extra records are allowed
  ['example.org',                'A',     ' 5.6.7.8 ,1.2.3.4',        'OK'],
  ['example.org',                'A',     '1.2.3.4\n9.9.9.9',         'DNS_MISMATCH'],
  ['example.org',                'AAAA',  '2606:4700::1',             'OK'],
  ['example.org',                'AAAA',  '2606:4700:0:0:0:0:0:0001', 'OK'], // the same address
  ['example.org',                'AAAA',  '2606:4700::2',             'DNS_MISMATCH'],
  ['example.org',                'AAAA',  'fe80::1%eth0',             'DNS_MISMATCH'],
  ['example.org',                'MX',    'mx1.example.org.',         'OK'],
  ['example.org',                'MX',    '10 mx1.example.org',       'OK'],
  ['example.org',                'MX',    '20 mx1.example.org',       'DNS_MISMATCH'],
  ['example.org',                'NS',    'NS1.Example.ORG.',         'OK'],
  ['example.org',                'TXT',   'v=spf1, include:x -all',   'OK'], // a comma is part of the text
  ['example.org',                'TXT',   ' v=spf1, include:x -all ', 'OK'],
  ['example.org',                'TXT',   'v=SPF1, include:x -all',   'DNS_MISMATCH'],
  ['example.org',                'TXT',   'v=spf1, include:x -all.',  'DNS_MISMATCH'],
  ['example.org',                'TXT',   'v=spf1',                   'DNS_MISMATCH'],
  ['example.org',                'CNAME', null,                       'DNS_NO_RECORDS'],
  ['none.example.org',           'A',     null,                       'DNS_NO_RECORDS'],
  ['localhost',                  'A',     '127.0.0.1',                'OK'],
]
for (const [url, dnsRecordType, dnsExpected, outcome] of rows) {
  test(`DNS ${dnsRecordType} of ${url}, expected ${JSON.stringify(dnsExpected)} -> ${outcome}`, async () => {
    const attempt = await fixture.attempt({
      type: 'DNS',
      url,
      dnsRecordType,
      dnsExpected,
      timeoutSeconds: 1,
    })
    assert.equal(attempt.outcome === 'FAILED' ? attempt.causeCode : attempt.outcome, outcome)
  })
}

test('the answers are evidence', async () => {
  const target = { type: 'DNS', url: 'example.org', dnsRecordType: 'A', dnsExpected: null } as const
  const attempt = await fixture.attempt({ ...target, timeoutSeconds: 1 })
  assert.ok(attempt.outcome === 'OK')
  assert.deepEqual(attempt.dnsAnswers, ['1.2.3.4', '5.6.7.8'])
})

test('a resolver that answers nobody makes every type inconclusive', async () => {
  const broken = await openAttemptFixture({ dns: () => 'SILENCE' })
  const attempts = await Promise.all([
    broken.attempt(
      { type: 'DNS', url: 'example.org', dnsRecordType: 'A', dnsExpected: null, timeoutSeconds: 1 },
      600,
    ),
    broken.attempt({ type: 'PORT', host: 'example.org', port: 80, timeoutSeconds: 1 }, 600),
    broken.attempt({ type: 'SSL', url: 'example.org', verifySsl: true, timeoutSeconds: 1 }, 600),
    broken.attempt({ type: 'PING', host: 'example.org', timeoutSeconds: 1 }, 600),
  ])
  for (const attempt of attempts) {
    assert.ok(attempt.outcome === 'INCONCLUSIVE', JSON.stringify(attempt))
    assert.equal(attempt.reason, 'RESOLVER_UNREACHABLE')
    assert.ok(attempt.durationMs < 850)
  }
  await broken.close()
})
