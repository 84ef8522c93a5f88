// Who is notified that an endpoint is failing or was disabled: the organization's contacts, once, whatever is killed
// meanwhile.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { toUuid } from '../../kit/ids.ts'
import { type Script, startWeb } from '../../kit/targets/web.ts'
import { startAlertFixture } from '../alerts/fixture.ts'
import { queueEvents } from './queue.ts'

const DAY_SECONDS = 86_400
// Longer than one cycle of planning, claiming and sending.
const QUIET_MS = 2_500

const web = await startWeb()
const fixture = await startAlertFixture({ ALERT_HOLD_SECONDS: '1', ALERT_TOGETHER_SECONDS: '1' })
const { api, db, standIn, sink, until } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

const orgUuid = toUuid(fixture.orgId)
const hook = (name: string) => `${standIn.origin}/own/${name}`
const titlesAt = (name: string) =>
  standIn.at(`/own/${name}`).map(({ body }) => String(body['title']))
/** The alerts about one endpoint to the contact that subscribed to them. */
const alertsOf = (description: string) =>
  titlesAt('own').filter((title) => title.includes(` ${description} `))
const emailsOf = (description: string) =>
  sink.to('ops@example.com').filter(({ text }) => text.includes(` ${description} `))
const isNoted = (uuid: string, condition: string) =>
  db.count('alert_troubles', `endpoint_id = $1 and ${condition}`, [uuid])

async function endpoint(script: Script, description: string) {
  const page = web.page(script)
  const { id } = await api.createEndpoint({
    url: page.url,
    description,
    eventTypes: ['webhook.test'],
  })
  const uuid = toUuid(id)
  return {
    uuid,
    page,
    queue: (count: number) => queueEvents(db, orgUuid, uuid, count),
    /** As if it had been failing for that long and that often. */
    age: (days: number, failures: number) => fail('webhook_endpoints', uuid, days, failures),
    get: () => api.getEndpoint(id),
  }
}

const fail = (table: string, uuid: string, days: number, failures: number) =>
  db.run(
    `update ${table} set failures_in_a_row = $2, next_probe_at = null, probe_seconds = null,
            failing_since = now() - make_interval(secs => $3) where id = $1`,
    [uuid, failures, days * DAY_SECONDS],
  )

function logLinesOf(uuid: string): { what?: string; msg: string }[] {
  const files = globSync(join(fixture.stack.directory, 'service-*.log'))
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  return lines.filter((line) => line.includes(uuid)).map((line) => JSON.parse(line))
}

await fixture.createContact({ channel: 'EMAIL', settings: { address: 'ops@example.com' } })
await fixture.createContact({ channel: 'WEBHOOK', settings: { url: hook('own') } })
const deaf = { states: ['DOWN', 'RECOVERED'] }
await fixture.createContact({ channel: 'WEBHOOK', settings: { url: hook('deaf') }, ...deaf })
await fixture.createContact({ channel: 'WEBHOOK', settings: { url: hook('off') }, enabled: false })

// One after another: failures within the same second are reported in one message.
test('a day of failures warns, five days disable: each reported once, to the contacts that want it', async () => {
  const billing = await endpoint({ status: 500, body: 'no' }, 'Billing')
  await billing.age(0.9, 5)
  await billing.queue(2)
  await until('attempts', async () => (await billing.get()).lastFailureAt !== null)
  assert.equal(await isNoted(billing.uuid, 'true'), 0, 'not before a day')

  await billing.age(1.1, 5)
  await billing.queue(2)
  await until('the warning', async () => alertsOf('Billing')[0] && emailsOf('Billing')[0])
  assert.equal((await billing.get()).enabled, true)
  await billing.queue(2)

  await billing.age(5.1, 30)
  await billing.queue(2)
  await until('its end', async () => alertsOf('Billing')[1] && emailsOf('Billing')[1])
  await delay(QUIET_MS)
  const failing = 'Webhook endpoint Billing is failing'
  const disabled = 'Webhook endpoint Billing was disabled'
  assert.deepEqual(alertsOf('Billing'), [failing, disabled])
  assert.equal((await billing.get()).disabledReason, 'FAILING')
  const mails = emailsOf('Billing')
  assert.deepEqual(
    mails.map(({ headers }) => headers['subject']?.replace(/^\W+/, '')),
    [failing, disabled],
  )
  assert.match(mails[0]?.text ?? '', /After five days the endpoint is disabled/)
  assert.match(mails[1]?.text ?? '', /Cause: Answered with HTTP 500/)
  assert.doesNotMatch(mails[1]?.text ?? '', /\/page-/, 'its path may be a secret')
  assert.match(mails[1]?.text ?? '', /\/webhooks\n/)
  assert.deepEqual([...titlesAt('deaf'), ...titlesAt('off')], [])
  assert.deepEqual(
    logLinesOf(billing.uuid).map(({ what, msg }) => [what, msg]),
    [
      ['WARNED', 'webhook endpoint is failing'],
      ['DISABLED', 'webhook endpoint is failing'],
    ],
  )
})

test('410 is reported at once', async () => {
  const gone = await endpoint({ status: 410 }, 'Old shop')
  await gone.queue(1)
  await until('the notice', async () => alertsOf('Old shop')[0])
  assert.deepEqual(alertsOf('Old shop'), ['Webhook endpoint Old shop was disabled'])
})

test('where there is no contact the owners are notified, once', async () => {
  const other = await fixture.createOrganization()
  const { person } = await fixture.join(other.id, 'OWNER')
  const { url } = web.page({ status: 410 })
  const wish = { url, description: 'Alone', eventTypes: ['webhook.test'] }
  const { id } = await other.api.createEndpoint(wish)
  await queueEvents(db, other.uuid, toUuid(id), 1)
  await until('the email', async () => sink.to(person.email)[0])
  await until('its end', async () => (await isNoted(toUuid(id), 'done_at is null')) === 0)
  await delay(QUIET_MS)
  const [email, ...more] = sink.to(person.email)
  assert.deepEqual(more, [])
  assert.match(email?.text ?? '', /^Webhook endpoint Alone was disabled\n/)
  assert.match(email?.text ?? '', /is an owner of Bench\.\n$/)
})

test('an endpoint that works again before a contact was notified is not reported to it', async () => {
  const night = await fixture.createContact({
    channel: 'WEBHOOK',
    settings: { url: hook('night') },
    quietHours: quietNow(),
  })
  const flapping = await endpoint({ status: 500 }, 'Flapping')
  await flapping.age(1.1, 5)
  await flapping.queue(1)
  await until('the warning of others', async () => alertsOf('Flapping')[0])
  assert.equal(await isNoted(flapping.uuid, 'done_at is null'), 1, 'one is still to be notified')
  flapping.page.become({})
  await flapping.queue(1)
  await until('its end', async () => (await isNoted(flapping.uuid, 'done_at is null')) === 0)
  await fixture.admin.delete(`${fixture.contacts}/${night}`)
  assert.deepEqual(titlesAt('night'), [])
})

test('an alert contact that fails is called what it is, and is no webhook endpoint', async () => {
  const id = await fixture.createContact({ channel: 'WEBHOOK', settings: { url: hook('broken') } })
  standIn.answers.set('/own/broken', { status: 500 })
  await fixture.admin.post(`${fixture.contacts}/${id}/test`, {})
  await until('an attempt', async () => standIn.at('/own/broken').length > 0)
  await fail('receivers', toUuid(id), 1.1, 5)
  const [line] = await until('the log', async () => {
    const lines = logLinesOf(toUuid(id))
    return lines.length > 0 && lines
  })
  assert.deepEqual([line?.what, line?.msg], ['WARNED', 'alert contact is failing'])
  await fixture.admin.delete(`${fixture.contacts}/${id}`)
})

test('dispatchers that are killed while endpoints are judged: each is noted once and reported', async () => {
  const all = 24
  const made = await Promise.all(
    Array.from({ length: all }, (_, i) =>
      endpoint({ status: 500, delayMs: (i * 37) % 700 }, `Endpoint ${i}`),
    ),
  )
  await Promise.all(made.map(({ age }) => age(1.1, 5)))
  const uuids = made.map(({ uuid }) => uuid)
  const count = (condition: string) =>
    db.count('webhook_endpoints', `id = any ($1) and ${condition}`, [uuids])
  const env = { BASE_URL: fixture.service.baseUrl }
  const second = await fixture.stack.start('dispatcher', { env })
  await Promise.all(made.map(({ queue }) => queue(2)))
  await until('some to be judged', async () => (await count('warned_at is not null')) > 3)
  await Promise.all([fixture.dispatcher.kill(), second.kill()])
  assert.ok((await count('warned_at is null')) > 0, 'killed in the middle of it')
  // Gives up their attempts in flight now, not half a minute later.
  await db.run(`update attempts set claimed_until = now() where coalesce(outcome, '') = ''`, [])
  await fixture.stack.start('dispatcher', { env })
  await until('all to be judged', async () => (await count('warned_at is not null')) === all)
  await until('all to be reported', async () => {
    return (await db.count('alert_troubles', 'done_at is null', [])) === 0
  })
  const { noted, endpoints } = await db.one<{ noted: number; endpoints: number }>(
    `select count(*)::integer as noted, count(distinct endpoint_id)::integer as endpoints
       from alert_troubles where endpoint_id = any ($1)`,
    [uuids],
  )
  assert.deepEqual([noted, endpoints], [all, all])
})

/** From an hour ago until an hour from now. */
function quietNow() {
  const clock = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16)
  return { from: clock(-3_600_000), to: clock(3_600_000), timezone: 'UTC' }
}
