import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNat64Prefixes, throughNat64 } from './nat64.ts'

// The examples of RFC 6052, section 2.4: 192.0.2.33 under prefixes of every length.
// biome-ignore format: a table is read by its columns
const rows: [prefix: string, address: string, reached: string][] = [
  ['2001:db8::/32',               '2001:db8:c000:221::',            '192.0.2.33'],
  ['2001:db8:100::/40',           '2001:db8:1c0:2:21::',            '192.0.2.33'],
  ['2001:db8:122::/48',           '2001:db8:122:c000:2:2100::',     '192.0.2.33'],
  ['2001:db8:122:300::/56',       '2001:db8:122:3c0:0:221::',       '192.0.2.33'],
  ['2001:db8:122:344::/64',       '2001:db8:122:344:c0:2:2100::',   '192.0.2.33'],
  ['2001:db8:122:344::/96',       '2001:db8:122:344::192.0.2.33',   '192.0.2.33'],
  ['64:ff9b::/96',                '64:ff9b::a00:1',                 '10.0.0.1'],
  ['64:ff9b:1::/48',              '64:ff9b:1:a00:0:100::',          '10.0.0.1'],
  ['2a01:4f8:c2c:123f:64::/96',   '2a01:4f8:c2c:123f:64::a9fe:a9fe', '169.254.169.254'],
  ['2a01:4f8:c2c:123f:64::/96',   '2606:4700::1111',                '2606:4700::1111'], // outside the prefix
  ['2a01:4f8:c2c:123f:64::/96',   '10.0.0.1',                       '10.0.0.1'],
  ['2a01:4f8:c2c:123f:64::/96',   'no address',                     'no address'],
]
for (const [prefix, address, reached] of rows)
  test(`${address} under ${prefix} reaches ${reached}`, () => {
    assert.equal(throughNat64(address, parseNat64Prefixes([prefix])), reached)
  })

test('without prefixes every address is itself', () => {
  assert.equal(throughNat64('2a01:4f8:c2c:123f:64::a00:1', []), '2a01:4f8:c2c:123f:64::a00:1')
})
