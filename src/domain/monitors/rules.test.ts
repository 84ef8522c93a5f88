import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleMonitor } from '../../../test/samples/monitor.ts'
import type { MonitorSettings } from './monitor.ts'
import { headerProblems, monitorProblems, targetProblems } from './rules.ts'

const paths = (settings: Partial<MonitorSettings>) =>
  monitorProblems({ ...sampleMonitor(), url: null, ...settings }).map(({ path }) => path)

// biome-ignore format: a table is read by its columns
const rows: [type: MonitorSettings['type'], given: Partial<MonitorSettings>, paths: string[]][] = [
  ['HTTP',    {},                                            ['url']],
  ['HTTP',    { url: '' },                                   ['url']],
  ['HTTP',    { url: 'example.com' },                        ['url']],
  ['HTTP',    { url: 'https://example.com' },                []],
  ['KEYWORD', {},                                            ['url', 'keyword']],
  ['KEYWORD', { url: 'https://example.com', keyword: '' },   ['keyword']],
  ['KEYWORD', { url: 'https://example.com', keyword: 'ok' }, []],
  ['PING',    {},                                            ['host']],
  ['PING',    { host: 'http://x' },                          ['host']],
  ['PING',    { host: 'x' },                                 []],
  ['PING',    { host: 'x', url: 'not a url' },               []], // does not apply, so is not validated
  ['PORT',    {},                                            ['host', 'port']],
  ['PORT',    { host: 'x' },                                 ['port']],
  ['PORT',    { host: 'x', port: 1 },                        []],
  ['DNS',     {},                                            ['url']],
  ['DNS',     { url: '_dmarc.example.com' },                 []],
  ['SSL',     { url: 'example.com:8443' },                   []],
  ['DOMAIN',  { url: 'https://www.example.com/x' },          []],
  ['DOMAIN',  { url: 'no host' },                            ['url']],
  ['CRON',    {},                                            []],
]
for (const [type, given, expected] of rows) {
  test(`${type} with ${JSON.stringify(given)}: problems at [${expected}]`, () => {
    assert.deepEqual(paths({ ...given, type }), expected)
  })
}

// biome-ignore format: a table is read by its columns
const targets: [type: MonitorSettings['type'], url: string | null, has: boolean][] = [
  ['DOMAIN', 'https://www.example.com/x',  true],
  ['DOMAIN', 'shop.example.co.uk:8443',    true],
  ['DOMAIN', 'bücher.de',                  true],
  ['DOMAIN', '192.0.2.1',                  false],
  ['DOMAIN', 'https://[2001:db8::1]/',     false],
  ['DOMAIN', 'com',                        false],
  ['DOMAIN', 'co.uk',                      false],
  ['DOMAIN', 'localhost',                  false],
  ['DOMAIN', 'no host',                    true], // said by another rule
  ['DOMAIN', null,                         true],
  ['SSL',    '192.0.2.1',                  true],
]
for (const [type, url, has] of targets)
  test(`${type} ${url} ${has ? 'may be' : 'is no'} new target`, () => {
    const problems = targetProblems({ ...sampleMonitor(), type, url })
    assert.deepEqual(problems, has ? [] : [{ path: 'url', message: 'has no registrable domain' }])
  })

test('a missing field is named with its type', () => {
  const [problem] = monitorProblems({ ...sampleMonitor(), type: 'PORT', host: 'x', port: null })
  assert.deepEqual(problem, { path: 'port', message: 'port is required for PORT monitors' })
})

for (const name of [
  'Connection',
  'keep-alive',
  'Proxy-Authorization',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'Content-Length',
  'Expect',
  ':authority',
  'a b',
  '',
])
  test(`the header "${name}" is refused at its own path`, () => {
    assert.deepEqual(
      headerProblems({ [name]: 'x' }).map(({ path }) => path),
      [`requestHeaders.${name}`],
    )
  })

test('Host and Authorization are sent as given', () => {
  assert.deepEqual(headerProblems({ Host: 'other.example', Authorization: 'Bearer x' }), [])
})

test('64 headers and 8 KiB are the most', () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'v']))
  assert.deepEqual(headerProblems(headers(64)), [])
  assert.deepEqual(
    headerProblems(headers(65)).map(({ path }) => path),
    ['requestHeaders'],
  )
  assert.deepEqual(headerProblems({ a: 'x'.repeat(8 * 1024 - 1) }), [])
  assert.deepEqual(
    headerProblems({ a: 'x'.repeat(8 * 1024) }).map(({ path }) => path),
    ['requestHeaders'],
  )
})

test('headers are accepted if and only if node:http can send them', () => {
  const name = fc.string({ unit: 'binary', maxLength: 6 })
  const value = fc.string({ unit: 'binary', maxLength: 10 })
  fc.assert(
    fc.property(name, value, (key, text) => {
      const refused = headerProblems({ [key]: text }).some(
        ({ message }) => !message.startsWith('is set by'),
      )
      assert.equal(refused, !canSend(key, text), JSON.stringify([key, text]))
    }),
    { numRuns: 5000 },
  )
})

function canSend(name: string, value: string): boolean {
  const outgoing = request({
    host: '127.0.0.1',
    port: 1,
    createConnection: () => {
      throw new Error('never')
    },
  })
  outgoing.on('error', () => {})
  try {
    outgoing.setHeader(name, value)
    return true
  } catch {
    return false
  }
}

const REFUSED_URLS: readonly [url: string, message: RegExp][] = [
  ['example.com', /must start with https/],
  ['https://', /must start with https/],
  ['ftp://example.com', /must start with https/],
  ['https://me:secret@example.com', /user name or password/],
  ['https://example.com/a b', /a space; write it as %20/],
  ['https://example.com:99999', /a port of at most 65535/],
  ['https://256.256.256.256/', /a valid IPv4 address/],
  ['https://exa<mple.com/', /a valid host/],
]
for (const [url, message] of REFUSED_URLS)
  test(`${url} is refused with what is wrong`, () => {
    const [problem, ...more] = monitorProblems({ ...sampleMonitor(), type: 'HTTP', url })
    assert.deepEqual([problem?.path, more], ['url', []])
    assert.match(problem?.message ?? '', message)
  })
