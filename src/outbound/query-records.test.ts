import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startDnsServer } from '../../test/kit/targets/dns-server.ts'
import type { DnsRecordType } from '../domain/monitors/monitor.ts'
import { createOutbound, publicOnly } from './create-outbound.ts'
import { openOutboundConnection } from './outbound-connection.ts'
import { OutboundError } from './outbound-error.ts'

const PUBLIC = '93.184.215.14'
const ADDRESSES: Record<string, string[]> = {
  'public.example.com': [PUBLIC],
  'inside.example.com': ['172.18.0.3'],
  'mixed.example.com': [PUBLIC, '10.0.0.5'],
  'loopback.example.com': ['127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  // What a resolver with a search domain or an internal zone would answer.
  redis: ['172.18.0.9'],
  'db.internal': [PUBLIC],
  'hosts.example.com': [PUBLIC],
}
const dns = await startDnsServer(({ name, type }) => {
  if (type === 'AAAA' && name === 'inside6.example.com')
    return { answers: [{ type, name, data: 'fd00::5' }] }
  if (type === 'TXT' && name === 'inside.example.com')
    return { answers: [{ type, name, data: 'v=spf1 -all' }] }
  const found = type === 'A' ? ADDRESSES[name] : undefined
  return found ? { answers: found.map((data) => ({ type: 'A', name, data })) } : 'NXDOMAIN'
})
const directory = mkdtempSync(join(tmpdir(), 'upvane-names-'))
const hostsFile = join(directory, 'hosts')
writeFileSync(hostsFile, `172.18.0.3 postgres postgres.local\n172.18.0.4 hosts.example.com\n`)
after(async () => {
  await dns.close()
  rmSync(directory, { recursive: true })
})

const outbound = createOutbound({
  allowCidrs: ['10.0.0.0/8'],
  dnsServers: [dns.address],
  hostsFile,
  userAgent: 'test',
})

async function queryBy(from: typeof outbound, name: string, type: DnsRecordType) {
  try {
    return await openOutboundConnection(from, AbortSignal.timeout(2000)).query(name, type)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.code
  }
}

// biome-ignore format: a table is read by its columns
const rows: [name: string, type: DnsRecordType, restricted: string[] | string, withPrivateTargets: string[] | string][] = [
  ['public.example.com',   'A',    [PUBLIC],         [PUBLIC]],
  ['postgres',             'A',    'NOT_ALLOWED',    ['172.18.0.3']],
  ['POSTGRES.',            'A',    'NOT_ALLOWED',    ['172.18.0.3']],
  ['postgres.local',       'A',    'NOT_ALLOWED',    ['172.18.0.3']],
  ['postgres',             'MX',   'NOT_ALLOWED',    'NAME_NOT_FOUND'],
  ['redis',                'A',    'NOT_ALLOWED',    ['172.18.0.9']],
  ['nothing',              'A',    'NOT_ALLOWED',    'NAME_NOT_FOUND'], // refused as if it existed
  ['localhost',            'A',    'NOT_ALLOWED',    ['127.0.0.1']],
  ['a.localhost',          'A',    'NOT_ALLOWED',    ['127.0.0.1']],
  ['db.internal',          'A',    'NOT_ALLOWED',    [PUBLIC]],
  ['router.home.arpa',     'A',    'NOT_ALLOWED',    'NAME_NOT_FOUND'],
  ['hosts.example.com',    'A',    [PUBLIC],         ['172.18.0.4']], // restricted: DNS only, no hosts file
  ['inside.example.com',   'A',    'NOT_ALLOWED',    ['172.18.0.3']],
  ['inside6.example.com',  'AAAA', 'NOT_ALLOWED',    ['fd00::5']],
  ['mixed.example.com',    'A',    'NOT_ALLOWED',    [PUBLIC, '10.0.0.5']],
  ['loopback.example.com', 'A',    'NOT_ALLOWED',    ['127.0.0.1']],
  ['metadata.example.com', 'A',    'NOT_ALLOWED',    ['169.254.169.254']],
  ['inside.example.com',   'TXT',  ['v=spf1 -all'],  ['v=spf1 -all']],
  ['none.example.com',     'A',    'NAME_NOT_FOUND', 'NAME_NOT_FOUND'],
  ['none.invalid',         'A',    'NAME_NOT_FOUND', 'NAME_NOT_FOUND'],
]
for (const [name, type, restricted, withPrivateTargets] of rows)
  test(`${type} of ${name}: ${restricted}, with private targets ${withPrivateTargets}`, async () => {
    assert.deepEqual(await queryBy(publicOnly(outbound), name, type), restricted)
    assert.deepEqual(await queryBy(outbound, name, type), withPrivateTargets)
  })

test('a name that may not be asked for never reaches the resolver', async () => {
  dns.asked.length = 0
  for (const name of ['redis', 'db.internal', 'postgres.local', 'localhost'])
    await queryBy(publicOnly(outbound), name, 'A')
  assert.deepEqual(dns.asked, [])
})
