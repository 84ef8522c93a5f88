// Alert contacts through the dashboard's own API, and what each provider is sent by the running dispatcher.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Heard, startAlertBench } from './bench.ts'

const bench = await startAlertBench()
const { admin, contacts, standIn, sink, until } = bench
after(() => bench.stop())

type Row = {
  channel: string
  settings: Record<string, string>
  path: string
  check(heard: Heard): void
}

const hook = (name: string) => `${standIn.origin}/hooks/${name}/T0secret9`
const TITLE = '● Test alert for On call'

// biome-ignore format: a table is read by its columns
const ROWS: Row[] = [
  { channel: 'SLACK', settings: { url: hook('slack') }, path: '/hooks/slack/T0secret9',
    check: ({ body }) => assert.match(String(body['text']), /^● Test alert for On call: Sent on /) },
  { channel: 'DISCORD', settings: { url: hook('discord') }, path: '/hooks/discord/T0secret9',
    check: ({ body }) => {
      assert.deepEqual(body['allowed_mentions'], { parse: [] })
      assert.equal((body['embeds'] as { title: string }[])[0]?.title, TITLE)
    } },
  { channel: 'TEAMS', settings: { url: hook('teams') }, path: '/hooks/teams/T0secret9',
    check: ({ body }) => {
      const [card] = body['attachments'] as { contentType: string }[]
      assert.equal(card?.contentType, 'application/vnd.microsoft.card.adaptive')
    } },
  { channel: 'GOOGLE_CHAT', settings: { url: `${hook('chat')}?key=k` },
    path: '/hooks/chat/T0secret9?key=k&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD',
    check: ({ body }) => assert.deepEqual(body['thread'], { threadKey: 'test' }) },
  { channel: 'TELEGRAM', settings: { botToken: '123:tokensecret', chatId: '-100' },
    path: '/bot123:tokensecret/sendMessage',
    check: ({ body }) => assert.deepEqual([body['chat_id'], body['parse_mode']], ['-100', 'HTML']) },
  { channel: 'PAGERDUTY', settings: { routingKey: 'routingsecret' }, path: '/v2/enqueue',
    check: ({ body }) => {
      assert.deepEqual([body['routing_key'], body['event_action']], ['routingsecret', 'trigger'])
      assert.equal((body['payload'] as { severity: string }).severity, 'info')
    } },
  { channel: 'OPSGENIE', settings: { apiKey: 'geniesecret', region: 'EU' }, path: '/v2/alerts',
    check: ({ headers, body }) => {
      assert.equal(headers['authorization'], 'GenieKey geniesecret')
      assert.equal(body['message'], TITLE)
    } },
  { channel: 'NTFY', settings: { server: standIn.origin, topic: 'ops', token: 'tk_secret' }, path: '/',
    check: ({ headers, body }) => {
      assert.equal(headers['authorization'], 'Bearer tk_secret')
      assert.deepEqual([body['topic'], body['title']], ['ops', TITLE])
    } },
  { channel: 'PUSHOVER', settings: { appToken: 'appsecret', userKey: 'usersecret' }, path: '/1/messages.json',
    check: ({ body }) => assert.deepEqual([body['token'], body['user'], body['title']], ['appsecret', 'usersecret', TITLE]) },
  { channel: 'WEBHOOK', settings: { url: hook('own') }, path: '/hooks/own/T0secret9',
    check: ({ body }) => assert.deepEqual([body['kind'], body['headline']], ['TEST', TITLE]) },
]

for (const { channel, settings, path, check } of ROWS)
  test(`${channel}: a test arrives as its provider wants it, and its secrets are never shown`, async () => {
    const id = await bench.createContact({ channel, settings })
    const answer = await admin.post(`${contacts}/${id}/test`)
    assert.equal(answer.status, 201, answer.text)
    const [delivery] = await until(`the test by ${channel}`, async () => {
      const all = await bench.deliveriesTo(id)
      return all[0]?.status !== 'PENDING' && all
    })
    assert.deepEqual(
      [delivery?.status, delivery?.kind, delivery?.attemptCount],
      ['SUCCEEDED', 'TEST', 1],
    )
    const [heard, ...more] = standIn.at(path)
    assert.ok(heard !== undefined, JSON.stringify(standIn.heard.map((one) => one.path)))
    assert.equal(more.length, 0, 'once')
    assert.deepEqual([heard.method, heard.headers['content-type']], ['POST', 'application/json'])
    check(heard)
    const shown = (await admin.get(`${contacts}/${id}`)).text + (await admin.get(contacts)).text
    for (const value of Object.values(settings))
      if (/secret/.test(value)) assert.ok(!shown.includes(value), `${value} is shown`)
    const { status } = await admin.delete(`${contacts}/${id}`)
    assert.equal(status, 200)
  })

test('EMAIL: a test is a letter in HTML and text, with the id of its delivery', async () => {
  const id = await bench.createContact({
    channel: 'EMAIL',
    settings: { address: 'ops@example.com' },
  })
  await admin.post(`${contacts}/${id}/test`)
  const mail = await until('the mail', async () => sink.to('ops@example.com')[0])
  assert.match(mail.text, /Test alert for On call/)
  assert.match(mail.html, /Change what is sent/)
  await admin.delete(`${contacts}/${id}`)
})

test('what a provider refuses for good is told in its words and not tried again', async () => {
  const url = hook('revoked')
  standIn.answers.set('/hooks/revoked/T0secret9', { status: 403, body: `invalid_token for ${url}` })
  const id = await bench.createContact({ channel: 'SLACK', settings: { url } })
  await admin.post(`${contacts}/${id}/test`)
  const [delivery] = await until('the refusal', async () => {
    const all = await bench.deliveriesTo(id)
    return all[0]?.status === 'FAILED' && all
  })
  assert.deepEqual(
    [delivery?.attemptCount, delivery?.lastResponseStatus, delivery?.error],
    [1, 403, 'HTTP 403: invalid_token for …'],
  )
})

test('a provider that is busy is tried again', async () => {
  let count = 0
  const path = '/hooks/busy/T0secret9'
  standIn.answers.set(path, { status: 429, headers: { 'retry-after': '1' } })
  const id = await bench.createContact({ channel: 'SLACK', settings: { url: hook('busy') } })
  await admin.post(`${contacts}/${id}/test`)
  await until('the first attempt', async () => (count = standIn.at(path).length) > 0)
  standIn.answers.delete(path)
  const [delivery] = await until('the second attempt', async () => {
    const all = await bench.deliveriesTo(id)
    return all[0]?.status === 'SUCCEEDED' && all
  })
  assert.equal(delivery?.attemptCount, count + 1)
})

test('createAlertContact 400: settings of another channel, private addresses, no zone', async () => {
  // biome-ignore format: a table is read by its columns
  const rows: [Record<string, unknown>, path: string][] = [
    [{ channel: 'SLACK', settings: {} }, 'settings.url'],
    [{ channel: 'SLACK', settings: { url: 'https://10.0.0.1/x' } }, 'settings.url'],
    [{ channel: 'NTFY', settings: { server: 'http://example.com', topic: 'a' } }, 'settings.server'],
    [{ channel: 'SLACK', settings: { url: hook('a'), routingKey: 'x' } }, 'settings.routingKey'],
    [{ channel: 'EMAIL', settings: { address: 'nobody' } }, 'settings.address'],
    [{ channel: 'OPSGENIE', settings: { apiKey: 'k', region: 'MARS' } }, 'settings.region'],
    [{ channel: 'TELEGRAM', settings: { botToken: 'a b', chatId: '1' } }, 'settings.botToken'],
    [{ channel: 'SLACK', settings: { url: hook('a') }, delayMinutes: 61 }, 'delayMinutes'],
    [{ channel: 'SLACK', settings: { url: hook('a') }, reminderMinutes: 4 }, 'reminderMinutes'],
    [{ channel: 'SLACK', settings: { url: hook('a') }, quietHours: { from: '22:00', to: '06:00', timezone: 'Mars/Base' } }, 'quietHours.timezone'],
  ]
  for (const [body, path] of rows) {
    const answer = await admin.post(contacts, { name: 'A', ...body })
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.text, new RegExp(`"path":"${path}"`))
  }
})

test('updateAlertContact: what is left out stays, secrets too; members may read and not write', async () => {
  const id = await bench.createContact({ channel: 'SLACK', settings: { url: hook('kept') } })
  const quietHours = { from: '22:00', to: '06:30', timezone: 'Europe/Berlin' }
  const changed = await admin.patch(`${contacts}/${id}`, {
    name: 'Night',
    quietHours,
    states: ['DOWN'],
  })
  assert.equal(changed.status, 200, changed.text)
  const contact = changed.json as Record<string, unknown>
  assert.deepEqual(
    [contact['name'], contact['states'], contact['quietHours']],
    ['Night', ['DOWN'], quietHours],
  )
  await admin.post(`${contacts}/${id}/test`)
  await until('the test', async () => standIn.at('/hooks/kept/T0secret9').length === 1)
  const { visitor: member } = await bench.join(bench.orgId, 'MEMBER')
  assert.equal((await member.get(`${contacts}/${id}`)).status, 200)
  assert.equal((await member.patch(`${contacts}/${id}`, { name: 'x' })).status, 403)
  assert.equal((await member.post(`${contacts}/${id}/test`)).status, 403)
  const other = await bench.createOrganization()
  const { visitor: stranger } = await bench.join(other.id, 'OWNER')
  const theirs = `/organizations/${other.id}/alert-contacts/${id}`
  assert.equal((await stranger.get(theirs)).status, 404)
  assert.equal((await stranger.delete(theirs)).status, 404)
})

test('attachAlertContact: many at once, and new monitors by themselves', async () => {
  const first = await bench.api.createMonitor({ name: 'First' })
  const id = await bench.createContact({
    channel: 'SLACK',
    settings: { url: hook('attached') },
    allMonitors: false,
  })
  const attached = async () =>
    ((await admin.get(`${contacts}/${id}`)).json as { monitorIds: string[] }).monitorIds
  assert.deepEqual(await attached(), [])
  const second = await bench.api.createMonitor({ name: 'Second' })
  assert.deepEqual(await attached(), [second.id])
  await admin.post(`${contacts}/${id}/monitors`, { do: 'ATTACH', monitorIds: [first.id, 'mon_x'] })
  assert.deepEqual((await attached()).toSorted(), [first.id, second.id].toSorted())
  await admin.post(`${contacts}/${id}/monitors`, { do: 'DETACH', monitorIds: null })
  assert.deepEqual(await attached(), [])
})
