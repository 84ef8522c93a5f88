// Tests of contacts and endpoints with the values of a form: sent through the same guard, limited, and never stored.
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { findFreePort } from '../../tools/services/ports.ts'
import { toUuid } from '../kit/ids.ts'
import { type SmtpSink, startSmtpSink } from '../kit/smtp-sink.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

const MAX_TESTS = 10

type Result = {
  delivered: boolean
  status: number | null
  error: string | null
  answer: string | null
}
type Seen = { path: string; headers: IncomingHttpHeaders; body: string }

let fixture: AppFixture
let sink: SmtpSink
let server: Server
let receiver: string
const seen: Seen[] = []
let respond: (body: string) => { status: number; body: string } = () => ({
  status: 200,
  body: 'ok',
})

before(async () => {
  const port = await findFreePort()
  fixture = await startAppFixture({
    SMTP_URL: `smtp://127.0.0.1:${port}?tls=off`,
    SMTP_FROM: 'alerts@upvane.example',
  })
  sink = await startSmtpSink({ port, judge: () => 'TAKE' })
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    seen.push({ path: request.url ?? '', headers: request.headers, body })
    const answer = respond(body)
    response.writeHead(answer.status).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  server.close()
  await sink.close()
  await fixture.stop()
})

async function createAllowed(isAllowed = true): Promise<Team> {
  const team = await createTeam(fixture)
  await fixture.db.run('update organizations set private_targets = $2 where id = $1', [
    toUuid(team.orgId),
    isAllowed,
  ])
  return team
}

const at = (team: Team, path: string) => `/organizations/${team.orgId}${path}`
const tryContact = (team: Team, body: object) =>
  team.owner.post(at(team, '/alert-contact-trials'), body)
const tryEndpoint = (team: Team, body: object) =>
  team.member.post(at(team, '/webhook-endpoint-trials'), body)

test('tryAlertContact: sends with the settings of the form, shows the response without them, stores nothing', async () => {
  const team = await createAllowed()
  const url = `${receiver}/hook/s3cr3t-token`
  respond = () => ({ status: 404, body: `no hook at ${url}` })
  const answer = await tryContact(team, { name: 'Ops', channel: 'SLACK', settings: { url } })
  assert.equal(answer.status, 200, answer.text)
  const result = answer.json as Result
  assert.deepEqual([result.delivered, result.status], [false, 404])
  assert.equal(result.answer, 'no hook at …')
  assert.ok(!answer.text.includes('s3cr3t'), answer.text)
  assert.match(seen.at(-1)?.body ?? '', /Test alert for Ops/)
  respond = () => ({ status: 200, body: 'ok' })
  const good = await tryContact(team, { name: 'Ops', channel: 'SLACK', settings: { url } })
  assert.equal((good.json as Result).delivered, true)

  const stored = await fixture.db.one<{ contacts: number; deliveries: number; log: string }>(
    `select (select count(*)::integer from alert_contacts where org_id = $1) as contacts,
            (select count(*)::integer from deliveries where org_id = $1) as deliveries,
            (select string_agg(l::text, ' ') from audit_log l where org_id = $1) as log`,
    [toUuid(team.orgId)],
  )
  assert.deepEqual([stored.contacts, stored.deliveries], [0, 0])
  assert.match(stored.log, /tryAlertContact/)
  assert.ok(!stored.log.includes('s3cr3t'), 'the audit log has no settings')
})

test('tryAlertContact: an edited contact is tested with its saved secret, but not at another server', async () => {
  const team = await createAllowed()
  const settings = { server: receiver, topic: 'ops', token: 'tk_saved_secret' }
  const made = await team.owner.post(at(team, '/alert-contacts'), {
    name: 'Phone',
    channel: 'NTFY',
    settings,
  })
  assert.equal(made.status, 201, made.text)
  const { id: contactId } = made.json as { id: string }
  const wish = { name: 'Phone', channel: 'NTFY', contactId }
  const kept = await tryContact(team, { ...wish, settings: { topic: 'other' } })
  assert.equal((kept.json as Result).delivered, true, kept.text)
  assert.equal(seen.at(-1)?.headers['authorization'], 'Bearer tk_saved_secret')

  const count = seen.length
  const moved = await tryContact(team, { ...wish, settings: { server: 'https://evil.example' } })
  assert.deepEqual([moved.status, moved.paths], [400, ['settings.token']])
  assert.equal((await tryContact(team, { ...wish, channel: 'SLACK', settings: {} })).status, 400)
  const other = await createAllowed()
  assert.equal((await tryContact(other, { ...wish, settings: {} })).status, 404)
  assert.equal(seen.length, count)
})

test('tryAlertContact: an email goes to members and confirmed addresses only', async () => {
  const team = await createTeam(fixture)
  const { person, visitor } = await fixture.join(team.orgId, 'ADMIN')
  const send = (address: string) =>
    visitor.post(at(team, '/alert-contact-trials'), {
      name: 'Ops',
      channel: 'EMAIL',
      settings: { address },
    })
  const stranger = await send('stranger@example.com')
  assert.deepEqual([stranger.status, stranger.code], [409, 'conflict'])
  assert.deepEqual(sink.to('stranger@example.com'), [])
  const own = await send(person.email)
  assert.equal((own.json as Result).delivered, true, own.text)
  assert.match(sink.to(person.email)[0]?.headers['subject'] ?? '', /Test/)
})

test('tryWebhookEndpoint: signed, with the secret of an edited endpoint, and refused for what is not public', async () => {
  const team = await createAllowed()
  const url = `${receiver}/events`
  const fresh = await tryEndpoint(team, { url })
  assert.deepEqual([(fresh.json as Result).delivered, (fresh.json as Result).answer], [true, 'ok'])
  const made = await team.owner.post(at(team, '/webhook-endpoints'), { url, eventTypes: ['*'] })
  const { id: endpointId, secret } = made.json as { id: string; secret: string }
  respond = () => ({ status: 503, body: '' })
  const failing = (await tryEndpoint(team, { url: `${url}?new`, endpointId })).json as Result
  respond = () => ({ status: 200, body: 'ok' })
  assert.deepEqual([failing.delivered, failing.status, failing.answer], [false, 503, null])
  const { path, headers, body } = seen.at(-1) ?? { path: '', headers: {}, body: '' }
  assert.equal(path, '/events?new')
  const event = new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string
    data: { endpointId: string }
  }
  assert.deepEqual([event.type, event.data.endpointId], ['webhook.test', endpointId])

  const strict = await createAllowed(false)
  const count = seen.length
  for (const bad of [url, 'http://169.254.169.254/', 'https://10.0.0.1/', 'javascript:1', '']) {
    const refused = await tryEndpoint(strict, { url: bad })
    assert.deepEqual([refused.status, refused.paths], [400, ['url']], bad)
  }
  assert.equal((await tryEndpoint(strict, { url: 'https://a.example', endpointId })).status, 404)
  assert.equal(
    (await strict.reader.post(at(strict, '/webhook-endpoint-trials'), { url })).status,
    403,
  )
  assert.equal(seen.length, count)
})

test('tests before saving: only so many in a quarter of an hour, together with those of saved contacts', async () => {
  const team = await createAllowed()
  const made = await team.owner.post(at(team, '/alert-contacts'), {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: `${receiver}/hook` },
  })
  const { id } = made.json as { id: string }
  assert.equal((await team.owner.post(at(team, `/alert-contacts/${id}/test`), {})).status, 201)
  const wish = { name: 'Ops', channel: 'SLACK', settings: { url: `${receiver}/hook` } }
  const statuses: number[] = []
  for (let i = 0; i < MAX_TESTS; i++) statuses.push((await tryContact(team, wish)).status)
  assert.deepEqual(statuses, [...Array<number>(MAX_TESTS - 1).fill(200), 429])
  const endpoints: number[] = []
  for (let i = 0; i <= MAX_TESTS; i++)
    endpoints.push((await tryEndpoint(team, { url: `${receiver}/events` })).status)
  assert.deepEqual(endpoints, [...Array<number>(MAX_TESTS).fill(200), 429])
})
