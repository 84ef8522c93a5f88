// Each contact's rules: which states, what delay, how often to remind, and when to stay quiet. Minutes pass in the
// database.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createAuthority } from '../../kit/targets/certificates.ts'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import { rdapRecord, startRegistry } from '../../kit/targets/registry.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { startAlertFixture } from './fixture.ts'

const DAY_MS = 86_400_000
const ZONE = 'Asia/Kolkata'

const authority = createAuthority()
const directory = mkdtempSync(join(tmpdir(), 'upvane-e2e-'))
writeFileSync(join(directory, 'root.pem'), authority.root)
let address = '192.0.2.7'
const dns = await startDnsServer(({ name, type }) => {
  const data = name === 'moved.test' ? address : '127.0.0.1'
  return type === 'A' ? { answers: [{ name, type: 'A', data, ttl: 0 }] } : undefined
})
const web = await startWeb()
const notAfter = new Date(Date.now() + 10.5 * DAY_MS)
const shop = await startWeb(authority.issue('shop.test', { notAfter }), 'shop.test')
const registry = await startRegistry({
  rdap: { 'shop.com': rdapRecord(notAfter.toISOString()) },
  whois: {},
  suffixes: ['com'],
})
const fixture = await startAlertFixture({
  ALERT_HOLD_SECONDS: '1',
  ALERT_TOGETHER_SECONDS: '2',
  NODE_EXTRA_CA_CERTS: join(directory, 'root.pem'),
  PROBE_DNS_SERVERS: dns.address,
  RDAP_BOOTSTRAP_URL: registry.bootstrapUrl,
})
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
const { api, admin, contacts, standIn, sink, db, until } = fixture
after(async () => {
  await fixture.stop()
  await Promise.all([web.close(), shop.close(), registry.close()])
  dns.close()
  authority.remove()
  rmSync(directory, { recursive: true })
})

const FIELDS = { intervalSeconds: 86_400, timeoutSeconds: 5, expectedPeriodSec: null }
const create = async (name: string, fields: Record<string, unknown>) =>
  (await api.createMonitor({ ...FIELDS, name, ...fields })).id
const check = async (id: string) => (await api.post(`/monitors/${id}/check`, {})).monitor

const contact = (name: string, rules: Record<string, unknown> = {}) =>
  fixture.createContact({
    name,
    channel: 'WEBHOOK',
    settings: { url: `${standIn.origin}/own/${name}` },
    ...rules,
  })
/** `DOWN Shop is down`, in the order of arrival. */
const alertsTo = (name: string, about: string) =>
  standIn
    .at(`/own/${name}`)
    .map(({ body }) => `${body['kind']} ${body['title']}`)
    .filter((line) => line.includes(about))
const receives = (name: string, about: string, count: number) =>
  until(`${name} to hear ${count} about ${about}`, async () => {
    const lines = alertsTo(name, about)
    return lines.length >= count && lines
  })

/** Moves all conditions and notifications that many minutes into the past, and returns once they were processed. */
async function pass(minutes: number): Promise<void> {
  await db.run(
    `with notifications as (
       update alert_tellings set told_at = told_at - make_interval(mins => $1),
                                 reminded_at = reminded_at - make_interval(mins => $1)
     )
     update alert_troubles set noticed_at = noticed_at - make_interval(mins => $1), look_at = now()
      where done_at is null`,
    [minutes],
  )
  await until('a look', async () => {
    return (await db.count('alert_troubles', 'done_at is null and look_at <= now()', [])) === 0
  })
}

const wallClock = (hours: number) =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: ZONE }).format(
    Date.now() + hours * 3_600_000,
  )
const quiet = (from: number, to: number) => ({
  quietHours: { from: wallClock(from), to: wallClock(to), timezone: ZONE },
})

test('delay, reminders until it is acknowledged, quiet hours; the end to exactly those who were alerted', async () => {
  const names = ['plain', 'remind', 'late', 'quiet', 'asleep']
  await contact('plain')
  await contact('remind', { reminderMinutes: 5 })
  await contact('late', { delayMinutes: 10 })
  const quietId = await contact('quiet', quiet(-2, 2))
  const asleepId = await contact('asleep', quiet(-2, 2))
  await fixture.createContact({ channel: 'EMAIL', settings: { address: 'ops@example.com' } })
  const page = web.page({ status: 503, body: '<h1>upstream connect error</h1>' })
  const id = await create('Shop', { type: 'HTTP', url: page.url })

  await Promise.all([receives('plain', 'Shop', 1), receives('remind', 'Shop', 1)])
  await pass(5)
  await receives('remind', 'Shop', 2)
  await pass(5)
  await Promise.all([receives('remind', 'Shop', 3), receives('late', 'Shop', 1)])
  assert.deepEqual(alertsTo('quiet', 'Shop'), [])

  const { data } = (await api.get(`/incidents?monitorId=${id}`)).incidents
  const taken = await api.post(`/incidents/${data[0]?.id}/acknowledge`, { note: 'Rollback' })
  assert.equal(taken.status, 200, taken.text)
  await pass(30)
  await admin.patch(`${contacts}/${quietId}`, quiet(3, 4))
  await receives('quiet', 'Shop', 1)

  page.become({})
  assert.equal((await check(id)).state, 'UP')
  await Promise.all(['plain', 'late', 'quiet'].map((name) => receives(name, 'Shop', 2)))
  await receives('remind', 'Shop', 4)
  await admin.patch(`${contacts}/${asleepId}`, { quietHours: null })
  await until('all to be done', async () => {
    return (await db.count('alert_troubles', 'done_at is null', [])) === 0
  })
  const [down, still, end] = [
    'DOWN Shop is down',
    'REMINDER Shop is still down',
    'RECOVERED Shop is up again',
  ]
  assert.deepEqual(
    names.map((name) => alertsTo(name, 'Shop')),
    [[down, end], [down, still, still, end], [down, end], [down, end], []],
  )

  const mails = await until('the mails', async () => {
    const all = sink.to('ops@example.com')
    return all.length === 2 && all
  })
  const [first, last] = mails.map(({ text }) => text)
  assert.doesNotMatch(first ?? '', /upstream/, 'what a private address answers stays there')
  assert.match(first ?? '', /^Detected from: default, in \d attempts within \d+ s$/m)
  assert.match(last ?? '', /^Now: HTTP 200 in \d+ ms from default$/m)
  assert.match(last ?? '', /^Acknowledged by: .+ at \d\d:\d\d: “Rollback”$/m)
  assert.match(last ?? '', /^Uptime 30 days: \d\d?\.\d\d%$/m)
})

test('certificates and domains that run out, changed records and slow answers: each once, to those who want it, by hook and mail', async () => {
  await contact('choosy', { states: ['DNS_CHANGED'] })
  const before = sink.to('ops@example.com').length
  const page = web.page({ delayMs: 900 })
  const slow = { degradedThresholdMs: 300, degradedSamples: 1, degradedThresholdMode: 'LAST' }
  const soon = { sslExpiryThresholdDays: 30 }
  const [, dnsId, slowId] = await Promise.all([
    create('Certificate', { type: 'SSL', url: `shop.test:${shop.port}`, ...soon }),
    create('Record', { type: 'DNS', url: 'moved.test', dnsRecordType: 'A' }),
    create('Slow', { type: 'HTTP', url: page.url, ...slow }),
  ])
  // Alone, because conditions of the same kind are reported together.
  await receives('plain', 'Certificate', 1)
  await pass(1)
  await create('Domain', { type: 'DOMAIN', url: 'shop.com', ...soon })
  await until('the first answer', async () => (await api.getMonitor(dnsId)).state === 'UP')
  address = '192.0.2.8'
  await check(dnsId)
  await until('DEGRADED', async () => (await check(slowId)).state === 'DEGRADED')
  await Promise.all(['Domain', 'Record', 'Slow'].map((about) => receives('plain', about, 1)))
  page.become({})
  await until('UP', async () => (await check(slowId)).state === 'UP')
  await Promise.all([receives('plain', 'Slow', 2), receives('choosy', 'Record', 1)])
  await check(dnsId)
  await pass(60)

  const day = `\\w{3}, \\w{3} ${notAfter.getUTCDate()}, ${notAfter.getUTCFullYear()}`
  const expected: [kind: string, title: string, summary: string][] = [
    ['EXPIRING', 'Certificate expires soon', `The certificate expires on ${day}, in 10 days$`],
    ['EXPIRING', 'Domain expires soon', `The domain expires on ${day}, in 10 days$`],
    ['DNS_CHANGED', 'DNS for Record changed', '192\\.0\\.2\\.7 → 192\\.0\\.2\\.8$'],
    ['DEGRADED', 'Slow is degraded', 'Slower than its threshold since '],
    ['RECOVERED', 'Slow is no longer degraded', 'After '],
  ]
  const heard = standIn.at('/own/plain').filter(({ body }) => !`${body['title']}`.includes('Shop'))
  const mails = await until('the mails', async () => {
    const own = sink.to('ops@example.com').slice(before)
    return own.length >= expected.length && own
  })
  assert.deepEqual([heard.length, mails.length], [expected.length, expected.length])
  for (const [kind, title, summary] of expected) {
    const hook = heard.find(({ body }) => body['title'] === title)?.body
    assert.equal(hook?.['kind'], kind)
    assert.match(`${hook?.['summary']}`, new RegExp(`^${summary}`), title)
    const mail = mails.find(({ text }) => text.startsWith(`${title}\n`))
    assert.match(mail?.text ?? '', new RegExp(`^${title}\n\n${summary}`, 'm'))
    assert.ok(mail?.html.includes(title), title)
  }
  assert.deepEqual(alertsTo('choosy', ''), ['DNS_CHANGED DNS for Record changed'])
})
