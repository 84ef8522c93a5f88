import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowsAnonymousAccess, findNatsUser, readNatsOptions } from './nats-options.ts'

test('readNatsOptions: servers, user and password from the URL', () => {
  const { servers, user, connection } = readNatsOptions({
    url: 'nats://probe-eu-1:p%40ss%3A@a.example:4333, nats://b.example,nats://[::1]:4444',
  })
  assert.deepEqual(servers, ['a.example:4333', 'b.example:4222', '[::1]:4444'])
  assert.equal(user, 'probe-eu-1')
  assert.deepEqual(connection, { user: 'probe-eu-1', pass: 'p@ss:' })
})

test('readNatsOptions: tls:// or an authority demands TLS', () => {
  assert.deepEqual(readNatsOptions({ url: 'tls://a' }).connection, { tls: {} })
  const { connection } = readNatsOptions({ url: 'nats://a', caFile: 'ca.pem' })
  assert.deepEqual(connection, { tls: { caFile: 'ca.pem' } })
  assert.deepEqual(readNatsOptions({ url: 'nats://a' }).connection, {})
})

test('readNatsOptions: wss:// is a WebSocket, with the authority and the proxy', () => {
  const proxy = { own: undefined, general: 'http://proxy:3128', except: 'localhost' }
  const { servers, connection, webSocket } = readNatsOptions({
    url: 'wss://upvane.example.com/probe?x=1,ws://[::1]:8098/a/b',
    ca: 'PEM',
    proxy,
  })
  assert.deepEqual(servers, ['wss://upvane.example.com/probe', 'ws://[::1]:8098/a/b'])
  assert.deepEqual(connection, {}, 'the client takes no TLS options for it')
  assert.deepEqual(webSocket, { authority: { ca: 'PEM' }, proxy })
  assert.throws(() => readNatsOptions({ url: 'wss://a,tls://b' }), /must not have both/)
})

test('readNatsOptions: refuses other URLs without showing them', () => {
  for (const url of ['', 'http://u:secret@a', 'nats://', 'localhost:4222', 'nats://a,'])
    assert.throws(
      () => readNatsOptions({ url }),
      ({ message }: Error) => message.includes('NATS_URL') && !message.includes('secret'),
    )
})

// biome-ignore format: a table is read by its columns
const USERS: [url: string, user: string | undefined][] = [
  ['nats://a:4222',                           undefined],
  ['tls://probe-eu-1:secret@a:4222',          'probe-eu-1'],
  ['nats://a:4222,nats://probe-eu-1:x@b',     'probe-eu-1'],
  ['nats://probe%20eu.1:x@a',                 'probe_eu_1'],
  [`nats://${'p'.repeat(70)}:x@a`,            'p'.repeat(64)],
]

for (const [url, user] of USERS)
  test(`findNatsUser: ${url} is ${user}`, () => assert.equal(findNatsUser(url), user))

// biome-ignore format: a table is read by its columns
const OPEN: [url: string, isOpen: boolean][] = [
  ['nats://nats:4222',                        true],
  ['tls://nats.example.com:4222',             true],
  ['nats://10.0.0.5',                         true],
  ['nats://localhost,nats://10.0.0.5',        true],
  ['nats://upvane:secret@nats:4222',          false],
  ['nats://a,nats://upvane:secret@b',         false], // one user for all of them
  ['nats://localhost:4222',                   false],
  ['nats://127.0.0.1:4222',                   false],
  ['nats://127.9.9.9',                        false],
  ['nats://[::1]:4222',                       false],
]

for (const [url, isOpen] of OPEN)
  test(`isOpenToStrangers: ${url} is ${isOpen}`, () =>
    assert.equal(allowsAnonymousAccess({ url }), isOpen))

test('isOpenToStrangers: a file with credentials is as good as a user', () => {
  assert.equal(allowsAnonymousAccess({ url: 'nats://nats', credsFile: 'upvane.creds' }), false)
})
