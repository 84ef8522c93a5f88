// Alert contacts through the private API, and what the running dispatcher sends to each provider.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ReceivedRequest } from '../../kit/providers/form.ts'
import { accountOf, PROVIDERS } from './accounts.ts'
import { startAlertFixture } from './fixture.ts'

const fixture = await startAlertFixture()
const { admin, contacts, standIn, sink, until } = fixture
after(() => fixture.stop())

const slack = (name: string) => accountOf('SLACK', standIn.origin, name)
const TITLE = '● Test alert for On call'

// biome-ignore format: a table is read by its columns
const CHECKS: Record<string, (heard: ReceivedRequest) => void> = {
  SLACK: ({ body }) => assert.match(String(body['text']), /^● Test alert for On call: Sent on /),
  DISCORD: ({ body }) => assert.equal((body['embeds'] as { title: string }[])[0]?.title, TITLE),
  GOOGLE_CHAT: ({ body }) => assert.deepEqual(body['thread'], { threadKey: 'test' }),
  TELEGRAM: ({ body }) => assert.equal(body['chat_id'], '-100'),
  PAGERDUTY: ({ body }) => {
    assert.deepEqual([body['routing_key'], body['event_action']], ['testsecret'.padEnd(32, '0'), 'trigger'])
    assert.equal((body['payload'] as { severity: string }).severity, 'info')
  },
  OPSGENIE: ({ headers, body }) => {
    assert.deepEqual([headers['authorization'], body['message']], ['GenieKey test-secret', TITLE])
  },
  NTFY: ({ headers, body }) => {
    assert.equal(headers['authorization'], 'Bearer tk_test_secret')
    assert.deepEqual([body['topic'], body['title']], ['test', TITLE])
  },
  PUSHOVER: ({ body }) => assert.deepEqual([body['token'], body['user'], body['title']], ['test-secret', 'user-secret', TITLE]),
  WEBHOOK: ({ body, headers }) => {
    assert.deepEqual([body['kind'], body['headline']], ['TEST', TITLE])
    assert.match(headers['webhook-signature'] ?? '', /^v1,/)
  },
  MATTERMOST: ({ body }) => assert.match(String(body['text']), /^● Test alert for On call: Sent on /),
  ROCKET_CHAT: ({ body }) => assert.match(String(body['text']), /^● Test alert for On call: Sent on /),
  MATRIX: ({ body, headers }) => {
    assert.equal(headers['authorization'], 'Bearer test-secret')
    assert.match(String(body['body']), /^● Test alert for On call\n/)
  },
  SIGNAL: ({ body }) => assert.deepEqual([body['number'], body['recipients']], ['+14155550100', ['+14155550101']]),
  JIRA_SERVICE_MANAGEMENT: ({ headers, body }) => {
    assert.deepEqual([headers['authorization'], body['message']], ['GenieKey test-secret', TITLE])
  },
  INCIDENT_IO: ({ headers, body }) => {
    assert.deepEqual([headers['authorization'], body['title'], body['status']], ['Bearer test-secret', TITLE, 'firing'])
  },
  ALERTMANAGER: ({ body }) => assert.deepEqual([body['status'], body['receiver']], ['firing', 'Upvane']),
  GITHUB_ISSUES: ({ headers, body }) => assert.deepEqual([headers['authorization'], body['title']], ['Bearer test-secret', TITLE]),
  GITLAB_ISSUES: ({ headers, body }) => assert.deepEqual([headers['private-token'], body['title']], ['test-secret', TITLE]),
  GOTIFY: ({ headers, body }) => assert.deepEqual([headers['x-gotify-key'], body['title']], ['test-secret', TITLE]),
  TWILIO: ({ body }) => assert.match(String(body['Body']), /^Test alert for On call: Sent on .* http/),
  APPRISE: ({ body }) => assert.deepEqual([body['title'], body['type'], body['tag']], [TITLE, 'info', 'ops']),
  CUSTOM_WEBHOOK: ({ method, headers, body, raw }) => {
    assert.deepEqual([method, headers['x-token'], headers['x-status']], ['PUT', 'test-secret-token', 'info'])
    assert.equal(body['text'], TITLE)
    assert.match(JSON.stringify(body['more']), /^\["Sent on [^"]+",\{"id":"whd_\w+"\}\]$/)
    assert.match(raw, /12345678901234567890/, 'what is no placeholder stays as it is')
  },
}

for (const channel of PROVIDERS)
  test(`${channel}: a test arrives as its provider documents it, and its secrets are never shown`, async () => {
    const { settings, path } = accountOf(channel, standIn.origin, 'test')
    const id = await fixture.createContact({ channel, settings })
    const answer = await admin.post(`${contacts}/${id}/test`)
    assert.equal(answer.status, 201, answer.text)
    const [delivery] = await until(`the test by ${channel}`, async () => {
      const all = await fixture.deliveriesTo(id)
      return all[0]?.status !== 'PENDING' && all
    })
    assert.deepEqual(standIn.complaints, [])
    assert.deepEqual(
      [delivery?.status, delivery?.kind, delivery?.attemptCount],
      ['SUCCEEDED', 'TEST', 1],
    )
    const [heard, ...more] = standIn.at(path)
    assert.ok(heard !== undefined, JSON.stringify(standIn.heard.map((one) => one.path)))
    assert.equal(more.length, 0, 'once')
    CHECKS[channel]?.(heard)
    const shown = (await admin.get(`${contacts}/${id}`)).text + (await admin.get(contacts)).text
    for (const value of [...Object.values(settings), standIn.secrets.get(path) ?? 'secret'])
      if (/secret|whsec/.test(value)) assert.ok(!shown.includes(value), `${value} is shown`)
    const { status } = await admin.delete(`${contacts}/${id}`)
    assert.equal(status, 200)
  })

test('EMAIL: a test is an email in HTML and text, with the id of its delivery', async () => {
  const id = await fixture.createContact({
    channel: 'EMAIL',
    settings: { address: 'ops@example.com' },
  })
  await admin.post(`${contacts}/${id}/test`)
  const mail = await until('the mail', async () => sink.to('ops@example.com')[0])
  assert.match(mail.text, /Test alert for On call/)
  assert.match(mail.html, /Manage alerts/)
  await admin.delete(`${contacts}/${id}`)
})

test('what a provider refuses for good is shown in its words and not retried', async () => {
  const { settings, path } = slack('refused')
  const { url = '' } = settings
  standIn.answers.set(path, { status: 403, body: `invalid_token for ${url}` })
  const id = await fixture.createContact({ channel: 'SLACK', settings })
  await admin.post(`${contacts}/${id}/test`)
  const [delivery] = await until('the refusal', async () => {
    const all = await fixture.deliveriesTo(id)
    return all[0]?.status === 'FAILED' && all
  })
  assert.deepEqual(
    [delivery?.attemptCount, delivery?.lastResponseStatus, delivery?.error],
    [1, 403, 'HTTP 403: invalid_token for …'],
  )
})

test('a provider that is busy is tried again', async () => {
  let count = 0
  const { path, settings } = slack('loaded')
  standIn.answers.set(path, { status: 429, headers: { 'retry-after': '1' } })
  const id = await fixture.createContact({ channel: 'SLACK', settings })
  await admin.post(`${contacts}/${id}/test`)
  await until('the first attempt', async () => (count = standIn.at(path).length) > 0)
  standIn.answers.delete(path)
  const [delivery] = await until('the second attempt', async () => {
    const all = await fixture.deliveriesTo(id)
    return all[0]?.status === 'SUCCEEDED' && all
  })
  assert.equal(delivery?.attemptCount, count + 1)
})

test('createAlertContact 400: settings of another channel, private addresses, no zone', async () => {
  const own = slack('a').settings
  // biome-ignore format: a table is read by its columns
  const rows: [Record<string, unknown>, path: string][] = [
    [{ channel: 'SLACK', settings: {} }, 'settings.url'],
    [{ channel: 'SLACK', settings: { url: 'https://10.0.0.1/x' } }, 'settings.url'],
    [{ channel: 'NTFY', settings: { server: 'http://example.com', topic: 'a' } }, 'settings.server'],
    [{ channel: 'SLACK', settings: { ...own, routingKey: 'x' } }, 'settings.routingKey'],
    [{ channel: 'PAGERDUTY', settings: { routingKey: 'e+23rschqsESqk9Q6_-g' } }, 'settings.routingKey'],
    [{ channel: 'WEBHOOK', settings: { ...own, secret: 'whsec_short' } }, 'settings.secret'],
    [{ channel: 'EMAIL', settings: { address: 'nobody' } }, 'settings.address'],
    [{ channel: 'OPSGENIE', settings: { apiKey: 'k', region: 'MARS' } }, 'settings.region'],
    [{ channel: 'TELEGRAM', settings: { botToken: 'a b', chatId: '1' } }, 'settings.botToken'],
    [{ channel: 'CUSTOM_WEBHOOK', settings: { ...own, body: '{"text": {{title}}}' } }, 'settings.body'],
    [{ channel: 'CUSTOM_WEBHOOK', settings: { ...own, body: '"{{titel}}"' } }, 'settings.body'],
    [{ channel: 'CUSTOM_WEBHOOK', settings: { ...own, body: `"${'x'.repeat(8000)}"` } }, 'settings.body'],
    [{ channel: 'CUSTOM_WEBHOOK', settings: { ...own, headers: 'Host: internal' } }, 'settings.headers'],
    [{ channel: 'CUSTOM_WEBHOOK', settings: { ...own, headers: 'no colon' } }, 'settings.headers'],
    [{ channel: 'CUSTOM_WEBHOOK', settings: { ...own, method: 'CONNECT' } }, 'settings.method'],
    [{ channel: 'CUSTOM_WEBHOOK', settings: { url: 'https://10.0.0.1/' } }, 'settings.url'],
    [{ channel: 'APPRISE', settings: { server: 'https://apprise.example.com' } }, 'settings.key'],
    [{ channel: 'TWILIO', settings: { accountSid: 'AC1', authToken: 'a', means: 'SMS', from: '+14155550100', to: '+14155550100' } }, 'settings.accountSid'],
    [{ channel: 'MATRIX', settings: { server: 'https://matrix.org', roomId: '#alias:matrix.org', accessToken: 'a' } }, 'settings.roomId'],
    [{ channel: 'GITHUB_ISSUES', settings: { repository: '../../user', token: 'a' } }, 'settings.repository'],
    [{ channel: 'SLACK', settings: own, delayMinutes: 61 }, 'delayMinutes'],
    [{ channel: 'SLACK', settings: own, reminderMinutes: 4 }, 'reminderMinutes'],
    [{ channel: 'SLACK', settings: own, quietHours: { from: '22:00', to: '06:00', timezone: 'Mars/Base' } }, 'quietHours.timezone'],
  ]
  for (const [body, path] of rows) {
    const answer = await admin.post(contacts, { name: 'A', ...body })
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.text, new RegExp(`"path":"${path}"`))
  }
})

test('updateAlertContact: what is left out stays, secrets too; members may read and not write', async () => {
  const id = await fixture.createContact({ channel: 'SLACK', settings: slack('kept').settings })
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
  await until('the test', async () => standIn.at(slack('kept').path).length === 1)
  const { visitor: member } = await fixture.join(fixture.orgId, 'MEMBER')
  assert.equal((await member.get(`${contacts}/${id}`)).status, 200)
  assert.equal((await member.patch(`${contacts}/${id}`, { name: 'x' })).status, 403)
  assert.equal((await member.post(`${contacts}/${id}/test`)).status, 403)
  const other = await fixture.createOrganization()
  const { visitor: stranger } = await fixture.join(other.id, 'OWNER')
  const theirs = `/organizations/${other.id}/alert-contacts/${id}`
  assert.equal((await stranger.get(theirs)).status, 404)
  assert.equal((await stranger.delete(theirs)).status, 404)
})

test('updateAlertContact 400: another server does not get the token that was stored for the first', async () => {
  const { settings } = accountOf('NTFY', standIn.origin, 'kept-token')
  const id = await fixture.createContact({ channel: 'NTFY', settings })
  const server = 'https://ntfy.example.com'
  const moved = await admin.patch(`${contacts}/${id}`, { settings: { server } })
  assert.deepEqual([moved.status, moved.paths], [400, ['settings.token']])
  const shown = (await admin.get(`${contacts}/${id}`)).json as { settings: { server: string } }
  assert.equal(shown.settings.server, standIn.origin)
  for (const token of ['tk_of_the_new_server', '']) {
    const again = await admin.patch(`${contacts}/${id}`, { settings: { server, token } })
    assert.equal(again.status, 200, again.text)
  }
})

test('moveAlertContact: an Opsgenie contact continues at Jira Service Management, and no other can be moved', async () => {
  const { settings } = accountOf('OPSGENIE', standIn.origin, 'moved')
  const rules = { states: ['DOWN'], delayMinutes: 5 }
  const id = await fixture.createContact({ channel: 'OPSGENIE', settings, ...rules })
  const move = `${contacts}/${id}/move`
  const { visitor: member } = await fixture.join(fixture.orgId, 'MEMBER')
  assert.equal((await member.post(move, {})).status, 403)
  const bad = await admin.post(move, { apiKey: 'a b' })
  assert.deepEqual([bad.status, bad.paths], [400, ['apiKey']])
  const moved = await admin.post(move, {})
  assert.equal(moved.status, 200, moved.text)
  const contact = moved.json as Record<string, unknown>
  assert.deepEqual(
    [contact['channel'], contact['states'], contact['delayMinutes']],
    ['JIRA_SERVICE_MANAGEMENT', ['DOWN'], 5],
  )
  assert.ok(!moved.text.includes('moved-secret'), 'the key is not shown')
  const before = standIn.at('/jsm/*').length
  await admin.post(`${contacts}/${id}/test`)
  const heard = await until('the test', async () => standIn.at('/jsm/*')[before])
  assert.equal(heard.headers['authorization'], 'GenieKey moved-secret', 'the key stays')
  assert.equal((await admin.post(move, {})).status, 409)
  const { text } = await admin.get(`/organizations/${fixture.orgId}/audit-log`)
  assert.match(text, /"action":"moveAlertContact"/)
  assert.ok(!text.includes('moved-secret'))
  const other = await fixture.createOrganization()
  const { visitor: stranger } = await fixture.join(other.id, 'OWNER')
  const theirs = `/organizations/${other.id}/alert-contacts/${id}/move`
  assert.equal((await stranger.post(theirs, {})).status, 404)
})

test('attachAlertContact: many at once, and new monitors by themselves', async () => {
  const first = await fixture.api.createMonitor({ name: 'First' })
  const id = await fixture.createContact({
    channel: 'SLACK',
    settings: slack('attached').settings,
    allMonitors: false,
  })
  const attached = async () =>
    ((await admin.get(`${contacts}/${id}`)).json as { monitorIds: string[] }).monitorIds
  assert.deepEqual(await attached(), [])
  const second = await fixture.api.createMonitor({ name: 'Second' })
  assert.deepEqual(await attached(), [second.id])
  await admin.post(`${contacts}/${id}/monitors`, { do: 'ATTACH', monitorIds: [first.id, 'mon_x'] })
  assert.deepEqual((await attached()).toSorted(), [first.id, second.id].toSorted())
  await admin.post(`${contacts}/${id}/monitors`, { do: 'DETACH', monitorIds: null })
  assert.deepEqual(await attached(), [])
})
