import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import type { ApiError } from '../../platform/api-error.ts'
import { AbuseGuard } from '../public/abuse-guard.ts'
import { clientAddress } from './client-address.ts'

test('an address is refused after its limit, and free again in the next minute', () => {
  const guard = new AbuseGuard(2, 120)
  guard.count('a', 0)
  guard.count('a', 1000)
  assert.throws(
    () => guard.count('a', 30_500),
    (error: ApiError) => {
      assert.equal(error.code, 'rate_limited')
      assert.equal(error.headers['Retry-After'], '30')
      assert.equal(error.headers['RateLimit'], 'public-api;r=0;t=30')
      return true
    },
  )
  guard.count('b', 30_500)
  guard.count('a', 60_000)
})

test('an IPv6 network is counted as one address', () => {
  const guard = new AbuseGuard(2, 120)
  guard.count('2001:db8:1:2::1', 0)
  guard.count('2001:db8:1:2:ffff::2', 0)
  assert.throws(() => guard.count('2001:db8:1:2::3', 0))
  guard.count('2001:db8:1:3::3', 0)
})

test('0 turns the guard off', () => {
  const guard = new AbuseGuard(0, 120)
  for (let i = 0; i < 10_000; i++) guard.count('a', 0)
})

// biome-ignore format: a table is read by its columns
const rows: [peer: string, forwarded: string | undefined, trusted: string[], address: string][] = [
  ['9.9.9.9',         undefined,             [],                       '9.9.9.9'],
  ['9.9.9.9',         '1.1.1.1',             [],                       '9.9.9.9'], // anyone can send the header
  ['10.0.0.1',        '1.1.1.1',             ['10.0.0.0/8'],           '1.1.1.1'],
  ['10.0.0.1',        '6.6.6.6, 1.1.1.1',    ['10.0.0.0/8'],           '1.1.1.1'], // forged by the client
  ['10.0.0.1',        '1.1.1.1, 10.0.0.2',   ['10.0.0.0/8'],           '1.1.1.1'],
  ['::ffff:10.0.0.1', '1.1.1.1',             ['10.0.0.1'],             '1.1.1.1'],
  ['fd00::1',         '2001:db8::5',         ['fd00::/8'],             '2001:db8::5'],
  ['10.0.0.1',        'garbage',             ['10.0.0.0/8'],           '10.0.0.1'],
  ['10.0.0.1',        '6.6.6.6, 1.2.3.4:5678', ['10.0.0.0/8'],         '1.2.3.4'],
  ['10.0.0.1',        '6.6.6.6, [2001:db8::5]:443', ['10.0.0.0/8'],    '2001:db8::5'],
  ['10.0.0.1',        '6.6.6.6, [2001:db8::5]', ['10.0.0.0/8'],        '2001:db8::5'],
  ['10.0.0.1',        '1.1.1.1, 10.0.0.2:80, ::ffff:10.0.0.3', ['10.0.0.0/8'], '1.1.1.1'],
  ['10.0.0.1',        '6.6.6.6, unknown, 10.0.0.2', ['10.0.0.0/8'],    '10.0.0.2'], // anything beyond can be forged
  ['10.0.0.1',        '6.6.6.6, 1.2.3.4:x',  ['10.0.0.0/8'],           '10.0.0.1'],
  ['10.0.0.1',        '6.6.6.6,',            ['10.0.0.0/8'],           '10.0.0.1'],
  ['10.0.0.1',        '6.6.6.6, [1.2.3.4',   ['10.0.0.0/8'],           '10.0.0.1'],
]
for (const [peer, forwarded, trusted, address] of rows) {
  test(`peer ${peer}, forwarded for ${forwarded}, trusting [${trusted}] -> ${address}`, () => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    const request = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage
    assert.equal(clientAddress(trusted)(request), address)
  })
}
