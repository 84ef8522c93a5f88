// Strangers type any URL: nothing inside is reached, nobody is flooded, and nothing starts without the receiver's word.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { toUuid } from '../../kit/ids.ts'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import { listen } from '../../kit/targets/listen.ts'
import { type Page, press, startSubscriberFixture, until } from './fixture.ts'
import { startHookReceiver } from './hook-receiver.ts'

const INSIDE = '127.0.0.66'
const receiver = await startHookReceiver()
let connections = 0
const victim = await listen(
  createServer((socket) => {
    connections += 1
    socket.destroy()
  }),
  INSIDE,
)
// A name is public when it is typed, and inside when it is used: only what it resolves to at the end counts.
const dns = await startDnsServer(({ name, type }) =>
  type === 'A' ? { answers: [{ type, name, data: INSIDE }] } : undefined,
)
const fixture = await startSubscriberFixture({
  env: {
    SLACK_URL: receiver.origin,
    // Only the receiver's address: everything else inside stays closed.
    SUBSCRIBER_ALLOW_CIDRS: '127.0.0.1/32',
    PROBE_DNS_SERVERS: dns.address,
  },
})
const { db } = fixture
after(async () => {
  await fixture.stop()
  await receiver.close()
  await victim.close()
  dns.close()
})

let visitor = 0
/** Each from a network of its own, unless it is named. */
const subscribe = ({ url }: Page, fields: Record<string, string>, address?: string) => {
  visitor += 1
  const from = address ?? `10.${visitor >> 8}.${visitor & 255}.7`
  return press(`${url}/subscribe`, fields, { 'X-Forwarded-For': from })
}
const countOf = (page: Page, condition = 'true') =>
  db.count('page_subscribers', `page_id = $1 and ${condition}`, [toUuid(page.id)])

test('what is typed must be public: private addresses, other schemes and hosts like Slack are refused in words', async () => {
  const page = await fixture.createPage()
  const webhooks = [
    '',
    'x',
    'http://example.com/hook',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    `https://${INSIDE}:${victim.port}/`,
    'https://[::1]/',
    'https://metadata.internal/',
    'https://user:pw@example.com/',
    'https://example.com:25/',
    `https://example.com/${'x'.repeat(20_000)}`,
    '"><script>alert(1)</script>',
  ]
  const slacks = [
    'https://hooks.slack.com.evil.example/services/T0/B0/x',
    'https://hooks.slack.com@evil.example/services/T0/B0/x',
    'https://hooks.slack.com/services/../../x',
    `${receiver.origin}/services/T0/B0/x`,
  ]
  for (const webhook of webhooks) {
    const answer = await subscribe(page, { webhook })
    assert.equal(answer.status, 400, webhook.slice(0, 60))
    const text = await answer.text()
    assert.doesNotMatch(text, /<script>alert/)
    if (webhook.length < 1000) assert.match(text, /Enter a public address/)
  }
  for (const slack of slacks) {
    const answer = await subscribe(page, { slack })
    assert.equal(answer.status, 400, slack)
    assert.match(await answer.text(), /Enter a Slack webhook URL/)
  }
  assert.equal(await countOf(page), 0)
  assert.equal(receiver.heard.length, 0)
})

test('a name that leads inside is not connected to, and nothing of it is kept', async () => {
  const page = await fixture.createPage()
  const answer = await subscribe(page, { webhook: `https://rebound.example.com:${victim.port}/` })
  assert.equal(answer.status, 200)
  await until('the attempt', async () => (await countOf(page)) === 0)
  assert.ok(dns.asked.some((name) => name.includes('rebound.example.com')))
  assert.equal(connections, 0)
})

const FAILING = ['/wrong', '/all', '/redirect', '/refused', '/slow', '/huge']

for (const path of FAILING)
  test(`a challenge that is answered with ${path.slice(1)} confirms nothing, and is not repeated`, async () => {
    const page = await fixture.createPage()
    const startMs = performance.now()
    await subscribe(page, { webhook: `${receiver.origin}${path}` })
    await until('the challenge', async () => receiver.at(path).length === 1)
    await until('its end', async () => (await countOf(page)) === 0)
    assert.ok(performance.now() - startMs < 15_000, 'it ends within seconds')
    await fixture.publish(page)
    await fixture.quiet()
    assert.equal(receiver.at(path).length, 1)
    assert.equal(receiver.at('/echo').length, 0, 'a redirect is not followed')
  })

test('the link of a challenge does not confirm it', async () => {
  const page = await fixture.createPage()
  await subscribe(page, { webhook: `${receiver.origin}/slow-link` })
  const [asked] = await until('the challenge', async () => {
    const all = receiver.at('/slow-link')
    return all.length > 0 && all
  })
  const token = /[\w-]{43}$/.exec(String(asked?.json['unsubscribeUrl']))?.[0] ?? ''
  for (const verb of ['confirm', 'manage'])
    assert.equal((await press(`${page.url}/${verb}/${token}`)).status, 404, verb)
  assert.equal(await countOf(page, 'confirmed_at is not null'), 0)
  await until('its end', async () => (await countOf(page)) === 0)
})

test('a victim gets few challenges, however many pages, paths and networks ask', async () => {
  const pages = await Promise.all([0, 1, 2].map(() => fixture.createPage()))
  await db.run('delete from mail_windows', [])
  const before = receiver.heard.length
  for (const page of pages)
    for (let i = 0; i < 12; i++)
      assert.equal(
        (await subscribe(page, { webhook: `${receiver.origin}/wrong-flood-${i % 8}` })).status,
        200,
      )
  await fixture.quiet()
  await fixture.quiet()
  const got = receiver.heard.length - before
  assert.ok(got > 0 && got <= 10, `${got} challenges`)
  const workspace = receiver.heard.length
  for (let i = 0; i < 20; i++)
    await subscribe(pages[i % 3] as Page, { slack: `https://hooks.slack.com/services/T9/B${i}/x` })
  await fixture.quiet()
  assert.ok(receiver.heard.length - workspace <= 10)
})

test('one network may not ask for ever', async () => {
  const page = await fixture.createPage()
  const statuses: number[] = []
  for (let i = 0; i < 31; i++) {
    const slack = `https://hooks.slack.com/services/TN${i}/B0/x`
    statuses.push((await subscribe(page, { slack }, '192.0.2.9')).status)
  }
  assert.deepEqual([statuses[29], statuses[30]], [200, 429])
})

test('a page has at most 50 that wait, and those that are confirmed stay', async () => {
  const page = await fixture.createPage()
  for (let i = 0; i < 55; i++)
    await subscribe(page, { slack: `https://hooks.slack.com/services/TP${i}/B0/x` })
  assert.equal(await countOf(page), 50)
})

test('a page without subscriptions takes none of them', async () => {
  const page = await fixture.createPage({ subscribersEnabled: false })
  assert.doesNotMatch(await (await fetch(page.url)).text(), /name="(?:slack|webhook)"/)
  const answer = await subscribe(page, { webhook: `${receiver.origin}/echo` })
  assert.equal(answer.status, 404)
})
