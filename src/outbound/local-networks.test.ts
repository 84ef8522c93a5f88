import assert from 'node:assert/strict'
import type { NetworkInterfaceInfo } from 'node:os'
import { test } from 'node:test'
import { localNetworks } from './local-networks.ts'

function on(...cidrs: string[]): NetworkInterfaceInfo[] {
  return cidrs.map((cidr): NetworkInterfaceInfo => {
    const address = cidr.split('/')[0] ?? ''
    const common = { address, netmask: '', mac: '', internal: address === '127.0.0.1', cidr }
    return address.includes(':')
      ? { ...common, family: 'IPv6', scopeid: 0 }
      : { ...common, family: 'IPv4' }
  })
}
const of = (...cidrs: string[]) => localNetworks({ eth0: on(...cidrs) })

test('addresses of one network have one fingerprint, and other networks another', () => {
  assert.deepEqual(of('192.168.1.10/24'), of('192.168.1.77/24'))
  assert.notDeepEqual(of('192.168.1.10/24'), of('192.168.2.10/24'))
  assert.notDeepEqual(of('10.0.0.1/8'), of('10.0.0.1/16'))
  assert.deepEqual(of('2001:db8:1:2::a/64'), of('2001:db8:1:2:3:4:5:6/128'))
  assert.notDeepEqual(of('2001:db8:1:2::a/64'), of('2001:db8:1:3::a/64'))
})

test('loopback, link-local addresses and networks of containers count for nothing', () => {
  const shared = {
    lo: on('127.0.0.1/8'),
    docker0: on('172.17.0.1/16'),
    'br-0af1': on('172.18.0.1/16'),
    veth12: on('10.1.0.1/24'),
  }
  assert.deepEqual(localNetworks({ ...shared, eth0: on('fe80::1/64', '169.254.3.4/16') }), [])
  assert.equal(localNetworks({ ...shared, eth0: on('10.0.0.7/24') }).length, 1)
})

test('fingerprints are few, and tokens in a fixed order', () => {
  const many = Array.from({ length: 40 }, (_, i) => `10.0.${i}.1/24`)
  const found = of(...many)
  assert.equal(found.length, 16)
  assert.ok(found.every((print) => /^[0-9a-f]{16}$/.test(print)))
  assert.deepEqual(of(...many.toReversed()), found)
})
