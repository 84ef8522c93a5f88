import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeHost } from './host.ts'
import { isMailServer, isPermitted, isPublic, parseAllowList } from './permit.ts'

// Hosts that someone might type to reach forbidden addresses; most are normalized to plain addresses first.
// biome-ignore format: one family of tricks a line
const FORBIDDEN = [
  '127.0.0.1', '127.1', '127.255.255.254', '0177.0.0.1', '0x7f.1', '0x7f000001', '2130706433',
  '017700000001', '127.0.0.1.', '１２７.０.０.１', '0', '0.0.0.0', '0.1.2.3',
  '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.1.1', '169.254.169.254',
  '100.64.0.1', '100.100.100.200', '192.0.0.1', '192.0.0.192', '192.0.2.1', '198.18.0.1',
  '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
  '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '::a00:1', '::ffff:0:7f00:1',
  '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', 'fc00::1', 'fd00:ec2::254',
  '168.63.129.16', '::ffff:168.63.129.16', '64:ff9b:1:fffe::a00:1', '169.254.170.2', '169.254.0.23',
  '169.254.42.42', 'fd00:c2b6:a59d::254', 'fd20:ce::254', '2002:a83f:8110::', '64:ff9b::a83f:8110',
  'fe80::1', 'fec0::1', 'ff02::1', '2001:db8::1', '3fff::1', '4000::1', '5f00::1',
]
for (const host of FORBIDDEN) {
  test(`not reachable by default: ${host}`, () => {
    assert.equal(isPermitted(normalizeHost(host), []), false)
  })
}

for (const host of [
  '1.1.1.1',
  '93.184.216.34',
  '2606:4700:4700::1111',
  '172.32.0.1',
  '100.128.0.1',
])
  test(`public: ${host}`, () => assert.equal(isPermitted(normalizeHost(host), []), true))

// biome-ignore format: a table is read by its columns
const ALLOWED: [address: string, cidrs: string[], permitted: boolean][] = [
  ['127.0.0.1',              ['127.0.0.0/8'],           true],
  ['::ffff:127.0.0.1',       ['127.0.0.0/8'],           true], // what a dual-stack socket reports
  ['10.1.2.3',               ['127.0.0.0/8'],           false],
  ['::1',                    ['127.0.0.0/8'],           false],
  ['::1',                    ['::1/128'],               true],
  ['169.254.169.254',        ['169.254.0.0/16'],        false], // metadata must be listed explicitly
  ['169.254.169.254',        ['0.0.0.0/0'],             false],
  ['169.254.169.254',        ['169.254.169.254/32'],    true],
  ['::ffff:169.254.169.254', ['169.254.0.0/16'],        false],
  ['fd00:ec2::254',          ['fd00::/8'],              false],
  ['fd00:ec2::254',          ['fd00:ec2::254/128'],     true],
  ['100.100.100.200',        ['100.64.0.0/10'],         false],
  ['192.0.0.192',            ['192.0.0.0/24'],          false],
  ['168.63.129.16',          ['168.63.0.0/16'],         false],
  ['168.63.129.16',          ['168.63.129.16/32'],      true],
  ['169.254.170.2',          ['169.254.0.0/16'],        false],
  ['fd20:ce::254',           ['fd00::/8'],              false],
  ['not an address',         ['0.0.0.0/0', '::/0'],     false],
  ['',                       ['0.0.0.0/0', '::/0'],     false],
]
for (const [address, cidrs, permitted] of ALLOWED) {
  test(`${address || 'nothing'} with ${cidrs.join(' and ')} allowed: ${permitted}`, () => {
    assert.equal(isPermitted(address, parseAllowList(cidrs)), permitted)
  })
}

test('an allow-list that cannot be read is refused, not ignored', () => {
  assert.throws(() => parseAllowList(['10.0.0.0']))
  assert.throws(() => parseAllowList(['everything']))
})

test('mail ports are closed on public addresses only', () => {
  assert.equal(isMailServer('1.1.1.1', 25), true)
  assert.equal(isMailServer('1.1.1.1', 587), true)
  assert.equal(isMailServer('1.1.1.1', 443), false)
  assert.equal(isMailServer('127.0.0.1', 25), false)
  assert.equal(isPublic('10.0.0.1'), false)
})

for (const host of ['', 'a b', 'user@host', 'host/path', 'a\0b', `${'a'.repeat(250)}.test`])
  test(`no host: ${JSON.stringify(host)}`, () =>
    assert.throws(() => normalizeHost(host), { code: 'NAME_NOT_FOUND', detail: 'EBADNAME' }))

test('hosts are judged in one spelling', () => {
  assert.equal(normalizeHost('[::1]'), '::1')
  assert.equal(normalizeHost('BÜCHER.example.'), 'xn--bcher-kva.example')
  assert.equal(normalizeHost('_dmarc.example.com'), '_dmarc.example.com')
})
