// Subscribers by Slack and by webhook, from the form without script to the last message.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { type Page, press, startSubscriberFixture, until } from './fixture.ts'
import { type Heard, startHookReceiver } from './hook-receiver.ts'

const receiver = await startHookReceiver()
const fixture = await startSubscriberFixture({
  env: { SLACK_URL: receiver.origin, SUBSCRIBER_ALLOW_CIDRS: '127.0.0.0/8' },
})
const { db, api } = fixture
after(async () => {
  await fixture.stop()
  await receiver.close()
})

const SLACK = 'https://hooks.slack.com'

const subscribe = ({ url }: Page, fields: Record<string, string>) =>
  press(`${url}/subscribe`, fields)

const heardAt = (path: string, nth = 1) =>
  until(`request ${nth} at ${path}`, async () => receiver.at(path)[nth - 1])

const confirmed = (count: number) =>
  until(`${count} confirmed`, async () => {
    const found = await db.count(
      'page_subscribers',
      `confirmed_at is not null and kind <> 'EMAIL'`,
      [],
    )
    return found === count
  })

const linkIn = ({ raw }: Heard, verb: string) => {
  const link = new RegExp(`https?://[^\\s"<|]+/${verb}/[\\w-]{43}`).exec(raw)?.[0]
  assert.ok(link, `no ${verb} link in ${raw}`)
  return link
}

/** As documented for receivers. */
function assertSigned({ raw, headers }: Heard, secret: string): void {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key).update(content).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${expected}`)
}

test('Slack: a link to confirm, then notices, then none after leaving', async () => {
  const page = await fixture.createPage({ name: 'Acme <!channel> & Co' })
  const path = '/services/T0/B0/first'
  const shown = await (await fetch(page.url)).text()
  assert.match(shown, /<summary>Slack<\/summary>.*name="slack".*<summary>Webhook<\/summary>/s)
  const sent = await subscribe(page, { slack: `${SLACK}${path}` })
  assert.equal(sent.status, 200)
  assert.match(await sent.text(), /Check your Slack channel/)
  const asked = await heardAt(path)
  assert.doesNotMatch(asked.raw, /<!channel>/)
  const link = linkIn(asked, 'confirm')
  // Slack itself opens links for a preview.
  assert.match(await (await fetch(link)).text(), /Confirm to send status updates/)
  await fixture.publish(page, { title: 'Before it was confirmed' })
  await fixture.quiet()
  assert.equal(receiver.at(path).length, 1)
  assert.match(await (await press(link)).text(), /You are subscribed/)

  const id = await fixture.publish(page, { message: 'We **look** into it <!here>.' })
  const notice = await heardAt(path, 2)
  assert.match(
    String(notice.json['text']),
    /^\*Investigating: Login errors\*\n\w{3}, \w{3} \d+, \d{4}, \d\d:\d\d UTC\nWe \*look\* into it &lt;/,
  )
  assert.ok(notice.raw.includes(`${page.url}/incidents/${id}`))
  assert.match(await (await press(linkIn(notice, 'unsubscribe'))).text(), /sends no more updates/)
  await api.post(`/status-incidents/${id}/updates`, { message: 'Found it.' })
  await fixture.quiet()
  assert.equal(receiver.at(path).length, 2)
})

for (const path of ['/echo', '/json'])
  test(`webhook: a challenge answered at ${path}, signed notices of incident and maintenance`, async () => {
    const page = await fixture.createPage()
    const url = `${receiver.origin}${path}`
    const sent = await subscribe(page, { webhook: url })
    assert.equal(sent.status, 200, await sent.text())
    const asked = await heardAt(path)
    assert.equal(asked.json['type'], 'subscription.challenge')
    const secret = String(asked.json['secret'])
    assertSigned(asked, secret)
    await until('confirmation', async () => {
      const rows = await db.count(
        'page_subscribers',
        `kind = 'WEBHOOK' and confirmed_at > now() - interval '1 min'`,
        [],
      )
      return rows > 0
    })
    const id = await fixture.publish(page, { message: 'Looking.' })
    const notice = await heardAt(path, 2)
    assertSigned(notice, secret)
    assert.equal(notice.json['type'], 'incident.published')
    const incident = notice.json['incident'] as Record<string, unknown>
    assert.deepEqual(
      [incident['id'], incident['message'], incident['url']],
      [id, 'Looking.', `${page.url}/incidents/${id}`],
    )
    assert.ok(!notice.raw.includes(secret))
    assert.equal((notice.json['page'] as { id: string }).id, page.id)
    // Once more changes nothing, and asks nobody.
    await subscribe(page, { webhook: url })
    await fixture.quiet()
    assert.equal(receiver.at(path).length, 2)
    await press(String(notice.json['unsubscribeUrl']))
    await api.post(`/status-incidents/${id}/updates`, { message: 'More.' })
    await fixture.quiet()
    assert.equal(receiver.at(path).length, 2)
  })

test('a webhook that fails gets the notice again, and 410 ends the subscription', async () => {
  const page = await fixture.createPage()
  const path = '/echo-failing'
  await subscribe(page, { webhook: `${receiver.origin}${path}` })
  await heardAt(path)
  await confirmed(1)
  receiver.statuses.set(path, 503)
  const id = await fixture.publish(page)
  const [first, second] = [await heardAt(path, 2), await heardAt(path, 3)]
  assert.equal(first.raw, second.raw)
  assert.equal(first.headers['webhook-id'], second.headers['webhook-id'])
  receiver.statuses.set(path, 410)
  await until(
    'end',
    async () => (await db.count('receivers', `disabled_reason = 'GONE'`, [])) === 1,
  )
  const before = receiver.at(path).length
  await api.post(`/status-incidents/${id}/updates`, { message: 'More.' })
  await fixture.quiet()
  assert.equal(receiver.at(path).length, before)
  const janitor = await fixture.stack.start('janitor', { env: fixture.env })
  await confirmed(0)
  await janitor.stop()
})
