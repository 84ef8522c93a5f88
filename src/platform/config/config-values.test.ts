import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  contactProblem,
  hostAndPortProblem,
  hostProblem,
  nat64PrefixProblem,
  natsUrlProblem,
  networkProblem,
  originProblem,
  proxyProblem,
  resolverProblem,
  serverProblem,
} from './config-values.ts'

type Check = (text: string) => string | undefined
const table: [name: string, check: Check, good: readonly string[], bad: readonly string[]][] = [
  [
    'a network',
    networkProblem,
    ['10.0.0.0/8', '192.0.2.1', '::1', 'fd00::/8', '0.0.0.0/0', '2001:db8::/128'],
    ['not-an-ip', '10.0.0.0/99', '1.2.3', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '10.0.0.0/-1', ''],
  ],
  [
    'a security contact',
    contactProblem,
    ['mailto:security@example.com', 'https://example.com/report', 'tel:+1-201-555-0123'],
    [
      'security@example.com',
      'http://example.com',
      'mailto:x',
      'mailto:a@b\nX: y',
      'https://a b',
      '',
    ],
  ],
  [
    'a NAT64 prefix',
    nat64PrefixProblem,
    ['64:ff9b::/96', '64:ff9b:1::/48', '2001:db8::/32'],
    ['64:ff9b::', '64:ff9b::/97', '10.0.0.0/32', '64:ff9b::/96/8', 'x/96', '', '2001:db8::/33'],
  ],
  [
    'a host',
    hostProblem,
    ['0.0.0.0', '::', 'localhost', 'db.internal', 'upvane_api', '127.0.0.1'],
    ['999.1.1.1', '1.2.3', 'a b', 'http://x', 'a..b', 'x'.repeat(254)],
  ],
  [
    'a resolver',
    resolverProblem,
    ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]', '[2001:db8::53]:53'],
    ['foo:bar', 'dns.example.com', '192.0.2.53:0', '192.0.2.53:70000', '[::1', '192.0.2.53:'],
  ],
  [
    'a host with a port',
    hostAndPortProblem,
    ['one.one.one.one:443', '127.0.0.1:1', '[::1]:443'],
    ['nonsense', 'a:b', '::1', ':443', 'x:0', '999.1.1.1:443'],
  ],
  [
    'a server with or without a port',
    serverProblem,
    ['whois.iana.org', '127.0.0.1:4343', '[::1]:43'],
    ['http://x', 'a:b', '1.2.3'],
  ],
  [
    'an origin',
    originProblem,
    ['https://up.example.com', 'http://localhost:8080/', 'https://[::1]:8443'],
    ['https://x/path', 'https://x/?q', 'https://x/#f', 'https://user@x'],
  ],
  [
    'NATS addresses',
    natsUrlProblem,
    ['nats://127.0.0.1:4222', 'tls://u:p@a:4222, tls://u:p@b:4222', 'wss://a/probe'],
    ['http://x', 'nats://', 'nats://a,http://b', 'x'],
  ],
  [
    'a proxy',
    proxyProblem,
    ['http://proxy:3128', 'https://u:p%40ss@proxy.example.com/'],
    ['proxy:3128', 'socks5://proxy', 'http://proxy/path', 'x'],
  ],
]

for (const [name, check, good, bad] of table)
  test(`${name} is accepted in every usual form and refused in any other`, () => {
    for (const text of good) assert.equal(check(text), undefined, text)
    for (const text of bad) assert.equal(typeof check(text), 'string', text)
  })
