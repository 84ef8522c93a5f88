// The link in an alert: it shows the incident, acknowledges it in the contact's name, and nothing else.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ReceivedRequest } from '../../kit/providers/form.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { accountOf } from './accounts.ts'
import { startAlertFixture } from './fixture.ts'

const web = await startWeb()
const fixture = await startAlertFixture({ ALERT_HOLD_SECONDS: '1', ALERT_TOGETHER_SECONDS: '1' })
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
const { api, admin, db, sink, standIn, until } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

const FIELDS = { type: 'HTTP', intervalSeconds: 86_400, timeoutSeconds: 5, expectedPeriodSec: null }
const LINK = /https?:\/\/[^\s"'<>|)]+\/acknowledge#([\w-]+)/
const stranger = fixture.visitor()
const read = (token: string) => stranger.post('/acknowledgements/read', { token })
const acknowledge = (token: string) => stranger.post('/acknowledgements/acknowledge', { token })
/** Wrong links are counted for each network; these tests are about something else. */
const forgiveTries = () => db.run(`delete from sign_in_windows where subject like 'link%'`)

const tokenIn = (text: string): string => {
  const [, token] = LINK.exec(text) ?? []
  assert.ok(token !== undefined, `no link in ${text}`)
  return token
}
const rawOf = ({ raw }: ReceivedRequest) => raw.replaceAll('\\/', '/')

async function fail(name: string) {
  const page = web.page({ status: 503 })
  const { id } = await api.createMonitor({ ...FIELDS, name, url: page.url })
  const incidentId = await until('the incident', async () => {
    const { data } = (await api.get(`/incidents?monitorId=${id}`)).incidents
    return data[0]?.id
  })
  return { id, incidentId, page }
}
const incidentOf = async (id: string) => (await api.get(`/incidents/${id}`)).incident

const SLACK = accountOf('SLACK', standIn.origin, 'ack')
const TELEGRAM = accountOf('TELEGRAM', standIn.origin, 'ack')
const reached = ({ channel, settings }: typeof SLACK) => ({ channel, settings })
let slackId = ''

test('Slack, Telegram and email get links of their own; others the page of the incident', async () => {
  slackId = await fixture.createContact({ name: 'Ops channel', ...reached(SLACK) })
  await fixture.createContact({ name: 'Telegram group', ...reached(TELEGRAM) })
  await fixture.createContact({
    name: 'Ana',
    channel: 'EMAIL',
    settings: { address: 'ana@example.com' },
  })
  const ntfy = accountOf('NTFY', standIn.origin, 'ack')
  await fixture.createContact({ name: 'Phones', ...reached(ntfy) })
  const { incidentId } = await fail('Links')
  const mail = await until('the mail', async () => sink.to('ana@example.com')[0])
  const [slack, telegram, plain] = await until('all of them', async () => {
    const heard = [SLACK.path, TELEGRAM.path, '/'].map((path) => standIn.at(path)[0])
    return heard.every((one) => one !== undefined) && heard
  })
  assert.ok(slack && telegram && plain)
  const tokens = [rawOf(slack), rawOf(telegram), mail.text].map(tokenIn)
  assert.equal(new Set(tokens).size, 3, 'one for each contact')
  assert.doesNotMatch(rawOf(plain), LINK)
  assert.match(rawOf(plain), new RegExp(`/incidents/${incidentId}#acknowledge`))

  await until('the record of the attempt', () =>
    db.count('attempts', `response_body like '%message_id%'`, []).then((n) => n > 0),
  )
  for (const token of tokens)
    assert.equal(await db.count('attempts', `response_body like '%' || $1 || '%'`, [token]), 0)

  const names = []
  for (const token of tokens) {
    const { status, json } = await read(token)
    assert.equal(status, 200)
    const { monitor, organization, contact, acknowledgedBy } = json as Record<string, unknown>
    assert.deepEqual([monitor, acknowledgedBy], ['Links', null])
    assert.equal(typeof organization, 'string')
    names.push(contact)
  }
  assert.deepEqual(names, ['Ops channel', 'Telegram group', 'Ana'])
  // A program that follows links requests the page, without what is after the #.
  await stranger.exchange('GET', '/acknowledge')
  assert.equal((await incidentOf(incidentId)).acknowledgedAt, null, 'looking changes nothing')

  const [, token = ''] = tokens
  const done = await acknowledge(token)
  assert.equal(done.status, 200, done.text)
  assert.equal((done.json as { acknowledgedBy: string }).acknowledgedBy, 'Telegram group')
  const incident = await incidentOf(incidentId)
  assert.deepEqual(
    [incident.acknowledgedBy?.type, incident.acknowledgedBy?.name],
    ['USER', 'Telegram group'],
  )
  assert.match(incident.acknowledgedBy?.id ?? '', /^act_/)
  assert.ok(
    incident.timeline.some(
      ({ type, message }) =>
        type === 'ACKNOWLEDGED' && message === 'Acknowledged by contact Telegram group by link.',
    ),
  )
  const screen = await admin.get(`/organizations/${fixture.orgId}/overview/incidents/${incidentId}`)
  const shown = screen.json as { acknowledgedBy: { type: string } }
  assert.equal(shown.acknowledgedBy.type, 'ALERT_CONTACT', screen.text)
  const second = await acknowledge(tokens[0] ?? '')
  assert.equal((second.json as { acknowledgedBy: string }).acknowledgedBy, 'Telegram group')
  const { text } = await admin.get(`/organizations/${fixture.orgId}/audit-log`)
  assert.equal(text.split('"acknowledgeIncident"').length - 1, 1, 'one entry, for the first')
  assert.match(text, /"type":"ALERT_CONTACT"/)
})

async function slackToken(name: string) {
  const before = standIn.at(SLACK.path).length
  const failed = await fail(name)
  const heard = await until('the alert', async () => standIn.at(SLACK.path)[before])
  return { ...failed, token: tokenIn(rawOf(heard)) }
}

test('a changed link is none: every byte of it counts', async () => {
  const { token, incidentId } = await slackToken('Forged')
  const bytes = Buffer.from(token, 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const forged = Buffer.from(bytes)
    forged[at] = (forged[at] ?? 0) ^ 1
    const answer = await acknowledge(forged.toString('base64url'))
    assert.equal(answer.status, 404, `byte ${at}: ${answer.text}`)
    if (at % 5 === 4) await forgiveTries()
  }
  for (const other of ['', 'x', token.slice(0, -8), 'A'.repeat(110)]) {
    const answer = await acknowledge(other)
    assert.ok([400, 404].includes(answer.status), answer.text)
  }
  await forgiveTries()
  assert.equal((await incidentOf(incidentId)).acknowledgedAt, null)
  assert.equal((await acknowledge(token)).status, 200, 'the right one works')
})

test('links end with the incident, which they show for a while, and with the contact', async () => {
  const late = await slackToken('Late')
  const { id: resolvedId, page, token: resolved, incidentId } = await slackToken('Over')
  page.become({})
  assert.equal((await api.post(`/monitors/${resolvedId}/check`, {})).monitor.state, 'UP')
  assert.equal((await acknowledge(resolved)).status, 404)
  const over = (await read(resolved)).json as Record<string, unknown>
  const { acknowledgedBy, acknowledgedAt, works } = over
  assert.deepEqual([acknowledgedBy, acknowledgedAt, works], [null, null, false])
  assert.ok(!Number.isNaN(Date.parse(String(over['resolvedAt']))))
  const before = (await read(late.token)).json as Record<string, unknown>
  assert.deepEqual([before['resolvedAt'], before['works']], [null, true])
  const fields = ['cause', 'contact', 'monitor', 'organization', 'startedAt']
  const states = ['acknowledgedAt', 'acknowledgedBy', 'resolvedAt', 'works']
  for (const shown of [over, before])
    assert.deepEqual(Object.keys(shown).toSorted(), [...fields, ...states].toSorted())
  assert.equal((await incidentOf(incidentId)).acknowledgedAt, null)

  assert.equal((await read(late.token)).status, 200)
  assert.equal((await admin.delete(`${fixture.contacts}/${slackId}`)).status, 200)
  assert.equal((await acknowledge(late.token)).status, 404)
  assert.equal((await read(late.token)).status, 404)
  assert.equal((await incidentOf(late.incidentId)).acknowledgedAt, null)
  await forgiveTries()
})

test('guesses are limited', async () => {
  await forgiveTries()
  const statuses = []
  for (let i = 0; i < 40; i += 1) statuses.push((await acknowledge('A'.repeat(110))).status)
  assert.deepEqual([...new Set(statuses)], [404, 429])
  await forgiveTries()
})
