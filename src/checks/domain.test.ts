import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openAttemptFixture } from '../../test/kit/targets/attempt-fixture.ts'
import { rdapRecord, startRegistry } from '../../test/kit/targets/registry.ts'
import { findExpiry, findServer, type Registration } from './rdap.ts'
import { createRegistrationCache } from './registration.ts'
import { findExpiryLine } from './whois.ts'

const registry = await startRegistry({
  suffixes: ['com', 'co.uk'],
  rdap: {
    'good.com': rdapRecord('2099-05-06T07:08:09Z', 'Example Registrar, Inc.'),
    'shop.co.uk': rdapRecord('2099-01-01T00:00:00Z'),
    'broken.com': '{"events": "none',
  },
  whois: {
    'old.org': 'Domain Name: OLD.ORG\r\nRegistry Expiry Date: 2001-02-03T04:05:06Z\r\n',
    'broken.com': 'registrar: RU-CENTER\npaid-till: 2099.11.30\n',
  },
})
const fixture = await openAttemptFixture({ registry })
after(() => Promise.all([registry.close(), fixture.close()]))
const check = (url: string) => fixture.attempt({ type: 'DOMAIN', url, timeoutSeconds: 5 })

test('DOMAIN asks RDAP for the registrable domain, once in 6 h', async () => {
  for (const url of ['good.com', 'https://a.b.good.com/x']) {
    const attempt = await check(url)
    assert.ok(attempt.outcome === 'OK', JSON.stringify(attempt))
    assert.equal(attempt.domainExpiresAt, '2099-05-06T07:08:09.000Z')
    assert.equal(attempt.issuer, 'Example Registrar, Inc.')
    assert.deepEqual([attempt.responseMs, attempt.resolvedIp], [undefined, undefined])
  }
  const unnamed = await check('www.shop.co.uk')
  assert.equal(unnamed.outcome, 'OK')
  assert.ok(!('issuer' in unnamed))
  assert.deepEqual(registry.asked, ['rdap good.com', 'rdap shop.co.uk'])
})

test('checks of one domain at the same moment share one question', async () => {
  const cache = createRegistrationCache(2)
  const answer = Promise.withResolvers<Registration>()
  let questions = 0
  const ask = () => {
    questions += 1
    return answer.promise
  }
  const both = [cache.share('a.com', ask), cache.share('a.com', ask)]
  const registration = { expiresAt: new Date(0), registrar: null }
  answer.resolve(registration)
  assert.deepEqual(await Promise.all(both), [registration, registration])
  assert.equal(questions, 1)
  await cache.share('a.com', ask)
  assert.equal(questions, 2, 'an answered question is over')
})

test('WHOIS answers where RDAP does not or talks nonsense', async () => {
  const old = await check('old.org')
  assert.ok(old.outcome === 'FAILED' && old.cause === 'Domain old.org expired on 2001-02-03')
  const broken = await check('broken.com')
  assert.ok(broken.outcome === 'OK' && broken.domainExpiresAt === '2099-11-30T00:00:00.000Z')
  assert.equal(broken.issuer, 'RU-CENTER')
})

for (const url of ['unknown.com', 'www.unknown.org'])
  test(`${url}: neither the registry nor the zone knows it: not registered, and asked once in 6 h`, async () => {
    for (let i = 0; i < 3; i++) {
      const attempt = await check(url)
      assert.ok(attempt.outcome === 'FAILED', JSON.stringify(attempt))
      assert.equal(attempt.causeCode, 'DOMAIN_NOT_REGISTERED')
      assert.equal(attempt.cause, `Domain ${url.replace('www.', '')} is not registered`)
    }
    assert.equal(registry.asked.filter((asked) => asked.endsWith(url.slice(-7))).length, 1)
  })

for (const url of ['localhost', '127.0.0.1', 'co.uk']) {
  test(`no date for ${url}: inconclusive, never an outage`, async () => {
    const attempt = await check(url)
    assert.ok(attempt.outcome === 'INCONCLUSIVE' && attempt.reason === 'LOOKUP_FAILED')
  })
}

test('no registry at all: inconclusive', async () => {
  const alone = await openAttemptFixture()
  const attempt = await alone.attempt({ type: 'DOMAIN', url: 'good.com', timeoutSeconds: 5 })
  assert.ok(attempt.outcome === 'INCONCLUSIVE' && attempt.reason === 'LOOKUP_FAILED')
  await alone.close()
})

test('the cache forgets after 6 h, and the oldest first', () => {
  const cache = createRegistrationCache(2)
  const at = (hours: number) => new Date(hours * 3_600_000)
  const registration = { expiresAt: at(99), registrar: 'Example' }
  for (const [hour, domain] of ['a', 'b', 'c'].entries()) cache.keep(domain, registration, at(hour))
  assert.equal(cache.find('a', at(2)), undefined)
  assert.deepEqual(cache.find('b', at(6.9)), registration)
  assert.equal(cache.find('b', at(7)), undefined)
})

test('the longest suffix of the bootstrap file names the server', () => {
  const services = [
    [['uk'], ['https://uk.example/']],
    [
      ['co.uk', 'CO'],
      ['ftp://no/', 'https://co.example'],
    ],
  ]
  assert.equal(findServer({ services }, 'a.co.uk'), 'https://co.example')
  assert.equal(findServer({ services }, 'a.org.uk'), 'https://uk.example/')
  assert.equal(findServer({ services }, 'auk'), undefined)
})

test('hostile answers give no date, and no exception', () => {
  const strange = [undefined, null, 7, 'x', [], {}, { events: {} }, { events: [null] }]
  for (const value of strange) {
    assert.equal(findExpiry(value), undefined)
    assert.equal(findServer(value, 'a.com'), undefined)
  }
  assert.equal(findServer({ services: [null, [1, 2], [['com'], [null]]] }, 'a.com'), undefined)
  assert.equal(
    findExpiry({ events: [{ eventAction: 'expiration', eventDate: 'soon' }] }),
    undefined,
  )
})

// biome-ignore format: a table is read by its columns
const lines: [line: string, day: string | undefined][] = [
  ['Registry Expiry Date: 2027-03-04T05:06:07Z',                '2027-03-04'],
  ['   Registrar Registration Expiration Date: 2027-03-04T23:59:59+0000', '2027-03-04'],
  ['paid-till:     2027-03-04T00:00:00Z',                       '2027-03-04'],
  ['expires: 2027.03.04',                                       '2027-03-04'],
  ['Expiry date:  04-Mar-2027',                                 '2027-03-04'],
  ['expire: 04.03.2027',                                        '2027-03-04'],
  ['Expiration Date: 2027/03/04',                               '2027-03-04'],
  ['expires............: 4.3.2027 00:00:00',                    '2027-03-04'],
  ['Valid Until: 2027-03-04 12:00:00',                          '2027-03-04'],
  ['Expiry date: unknown',                                      undefined],
  ['Creation Date: 2027-03-04',                                 undefined],
  ['No match for domain',                                       undefined],
]
for (const [line, day] of lines) {
  test(`WHOIS "${line}" -> ${day}`, () => {
    assert.equal(findExpiryLine(`% note\r\n${line}\r\nx: y\r\n`)?.toISOString().slice(0, 10), day)
  })
}
