import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findShortages, listAddresses, type NeededAddress } from './private-targets.ts'

const NEEDED: readonly NeededAddress[] = [
  { region: 'eu', address: '10.0.0.2' },
  { region: 'eu', address: '10.0.0.1' },
  { region: 'us', address: '10.1.0.1' },
  { region: null, address: '192.168.0.1' },
]
const isPermitted = (address: string, allows: readonly string[]) =>
  allows.some((prefix) => address.startsWith(prefix))
const shortagesOf = (region: string, allows: readonly string[]) =>
  findShortages(NEEDED, [{ region, name: `${region}-1`, allows }], isPermitted).map(
    ({ name, addresses }) => [name, addresses],
  )

test('findShortages: the addresses of its region, and those of no region', () => {
  assert.deepEqual(shortagesOf('eu', []), [['eu-1', ['10.0.0.1', '10.0.0.2', '192.168.0.1']]])
  assert.deepEqual(shortagesOf('eu', ['10.']), [['eu-1', ['192.168.0.1']]])
  assert.deepEqual(shortagesOf('us', ['192.']), [['us-1', ['10.1.0.1']]])
  assert.deepEqual(shortagesOf('ap', []), [['ap-1', ['192.168.0.1']]])
  assert.deepEqual(shortagesOf('eu', ['10.', '192.']), [])
})

test('listAddresses: three, and how many more', () => {
  assert.equal(listAddresses(['a']), 'a')
  assert.equal(listAddresses(['a', 'b', 'c']), 'a, b, c')
  assert.equal(listAddresses(['a', 'b', 'c', 'd', 'e']), 'a, b, c and 2 more')
})
