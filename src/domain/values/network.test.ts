import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network.ts'

// biome-ignore format: a table is read by its columns
const networks: [address: string, network: string][] = [
  ['203.0.113.7',              '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6',     '2001:db8:1:2::/64'],
  ['2001:db8:1:2::',           '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:2::9',      '2001:db8:1:2::/64'],
  ['2001:db8::1',              '2001:db8:0:0::/64'],
  ['::1',                      '0:0:0:0::/64'],
  ['fe80::1',                  'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1',       '64:ff9b:0:0::/64'],
  ['',                         ''],
]
for (const [address, network] of networks)
  test(`${address} belongs to ${network}`, () => assert.equal(networkOf(address), network))
