// Alerts that no provider accepts, for each channel: busy, broken and revoked. Each ends in a delivery that says why,
// and the owners are notified once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { toUuid } from '../../kit/ids.ts'
import { startWeb } from '../../kit/targets/web.ts'
import { accountOf, PROVIDERS } from './accounts.ts'
import { startAlertFixture } from './fixture.ts'

const web = await startWeb()
// Three attempts, within seconds.
const fixture = await startAlertFixture({
  WEBHOOK_RETRY_SCHEDULE_SECONDS: '0.2,0.2',
  ALERT_HOLD_SECONDS: '1',
  ALERT_TOGETHER_SECONDS: '3',
})
await Promise.all([fixture.stack.start('scheduler'), fixture.stack.start('probe')])
const { api, admin, contacts, standIn, sink, db, until } = fixture
after(async () => {
  await fixture.stop()
  await web.close()
})

const FIELDS = { type: 'HTTP', intervalSeconds: 86_400, timeoutSeconds: 5, expectedPeriodSec: null }
const fail = async (name: string) =>
  (await api.createMonitor({ ...FIELDS, name, url: web.page({ status: 503 }).url })).id

// biome-ignore format: a table is read by its columns
const ROWS: [channel: string, busy: RegExp, broken: RegExp, revoked: RegExp][] = [
  ['SLACK',       /^HTTP 429: rate_limited$/,             /^HTTP 500: rollup_error$/,      /^HTTP 403: invalid_token$/],
  ['DISCORD',     /^HTTP 429: You are being rate limited/, /^HTTP 500: 500: Internal/,     /^HTTP 404: Unknown Webhook$/],
  ['TEAMS',       /^HTTP 429: Rate limit is exceeded/,    /^HTTP 502: The server did not/, /^HTTP 400: Could not execute work/],
  ['GOOGLE_CHAT', /^HTTP 429: Resource has been exh/,     /^HTTP 503: Try again$/,         /^HTTP 404: Not found$/],
  ['TELEGRAM',    /^HTTP 429: Too Many Requests/,         /^HTTP 502: Bad Gateway/,        /^HTTP 401: Unauthorized/],
  ['PAGERDUTY',   /^Answered with HTTP 429$/,             /^HTTP 500: Try again$/,         /^HTTP 400: Invalid routing key$/],
  ['OPSGENIE',    /^HTTP 429: You are making too many/,   /^HTTP 503: Service unavail/,    /^HTTP 403: Api key is invalid$/],
  ['NTFY',        /^HTTP 429: limit reached/,             /^HTTP 500: internal server/,    /^HTTP 401: unauthorized$/],
  ['PUSHOVER',    /^HTTP 429: application is over its/,   /^HTTP 500: internal error$/,    /^HTTP 400: application token is inv/],
  ['WEBHOOK',     /^HTTP 429: slow down$/,                /^HTTP 503: upstream$/,          /^HTTP 410: gone$/],
  ['MATTERMOST',  /^HTTP 429: limit exceeded$/,           /^HTTP 500: Internal error$/,    /^HTTP 404: Unable to get the webhook/],
  ['ROCKET_CHAT', /^HTTP 429: Error, too many requests/,  /^HTTP 500: Internal server/,    /^HTTP 401: Invalid integration id/],
  ['MATRIX',      /^HTTP 429: Too Many Requests$/,        /^HTTP 500: Internal server/,    /^HTTP 401: Unrecognised access/],
  ['SIGNAL',      /^HTTP 429: Rate limit exceeded$/,      /^HTTP 400: Failed to send/,     /^HTTP 400: User .* is not regist/],
  ['JIRA_SERVICE_MANAGEMENT', /^HTTP 429: You are making too many/, /^HTTP 503: Service unavail/, /^HTTP 401: Could not authentic/],
  ['INCIDENT_IO', /^HTTP 429: Rate limit exceeded$/,      /^HTTP 500: Try later$/,         /^HTTP 401: We could not authentic/],
  ['ALERTMANAGER', /^HTTP 429: too many requests$/,       /^HTTP 502: Bad Gateway$/,       /^HTTP 410: This receiver was deleted$/],
  ['GITHUB_ISSUES', /^HTTP 403: You have exceeded a second/, /^HTTP 502: Server Error$/,   /^HTTP 401: Bad credentials$/],
  ['GITLAB_ISSUES', /^HTTP 429: Retry later$/,            /^HTTP 500: 500 Internal/,       /^HTTP 401: 401 Unauthorized$/],
  ['GOTIFY',      /^HTTP 429: slow down$/,                /^HTTP 500: Internal Server/,    /^HTTP 401: you need to provide/],
  ['TWILIO',      /^HTTP 429: Too Many Requests$/,        /^HTTP 503: Service unavail/,    /^HTTP 401: Authenticate$/],
  ['APPRISE',     /^HTTP 429: Too many requests$/,        /^HTTP 500: Could not load/,     /^HTTP 204: no configuration has/],
  ['CUSTOM_WEBHOOK', /^HTTP 429: slow down$/,             /^HTTP 503: upstream$/,          /^HTTP 410: gone$/],
  ['EMAIL',       /^Answered with SMTP 450 to RCPT TO/,   /^Answered with SMTP 451/,       /^Answered with SMTP 550/],
]
const MODES = ['busy', 'broken', 'revoked'] as const
type Mode = (typeof MODES)[number]
const nameOf = (channel: string, mode: Mode) => `${channel} ${mode}`

/** So many messages exist, and each has ended. In one statement: they appear all at once, between two statements even. */
const untilSettled = (count: number) =>
  until('the end of every delivery', async () => {
    const all = await db.one<{ messages: number; open: number }>(
      `select count(*)::int as messages, count(*) filter (where settled_at is null)::int as open from alert_messages`,
    )
    return all.messages === count && all.open === 0
  })

async function createAll(): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [channel] of ROWS)
    for (const mode of MODES) {
      const { settings } = PROVIDERS.includes(channel)
        ? accountOf(channel, standIn.origin, mode)
        : { settings: { address: `${mode}@example.com` } }
      const name = nameOf(channel, mode)
      ids.set(name, await fixture.createContact({ name, channel, settings }))
    }
  return ids
}

test('each channel, busy, broken and revoked: a delivery says why, and owners hear of it once', async () => {
  const { person: owner } = await fixture.join(fixture.orgId, 'OWNER')
  const emails = () => sink.to(owner.email)
  const ids = await createAll()
  const monitorId = await fail('Shop')
  await untilSettled(ids.size)

  for (const [channel, ...errors] of ROWS)
    for (const [index, mode] of MODES.entries()) {
      const name = nameOf(channel, mode)
      const all = await fixture.deliveriesTo(ids.get(name) ?? '')
      const [delivery] = all
      assert.equal(all.length, 1, name)
      const attempts = mode === 'revoked' ? 1 : 3
      assert.deepEqual([delivery?.status, delivery?.attemptCount], ['FAILED', attempts], name)
      assert.match(delivery?.error ?? '', errors[index] ?? /never/, name)
      assert.doesNotMatch(JSON.stringify(all), /secret/, name)
    }
  await until('the emails', async () =>
    [...ids.keys()].every((name) => countOf(textOf(emails()), name) > 0),
  )
  for (const name of ids.keys()) assert.equal(countOf(textOf(emails()), name), 1, name)
  assert.match(textOf(emails()), /^\d+ alert contacts are failing$/m)
  const owners = await db.run<{ email: string }>(
    `select u.email from members m join users u on u.id = m.user_id where m.role = 'OWNER'`,
  )
  assert.deepEqual(
    [...new Set(sink.mails.map(({ to }) => to))].toSorted(),
    owners.map(({ email }) => email).toSorted(),
    'only owners are notified',
  )

  const { data } = (await api.get(`/incidents?monitorId=${monitorId}`)).incidents
  const { timeline } = (await api.get(`/incidents/${data[0]?.id}`)).incident
  const lines = timeline.filter(({ type }) => type === 'ALERT_FAILED')
  assert.equal(lines.length, ids.size)
  assert.ok(
    lines.some(({ message }) =>
      message.startsWith('SLACK revoked could not be told (HTTP 403: invalid_token)'),
    ),
  )

  await goOn(ids, emails)
})

/** Sending continues, except to the contact that is gone; the owners are notified of all of it. */
async function goOn(ids: ReadonlyMap<string, string>, emails: () => { text: string }[]) {
  const before = emails().length
  const requests = (path: string) => standIn.at(path).length
  const revoked = accountOf('SLACK', standIn.origin, 'revoked').path
  const gone = accountOf('WEBHOOK', standIn.origin, 'revoked').path
  const tried = [requests(revoked), requests(gone)]
  const failing = ids.get('SLACK broken') ?? ''
  // As after five days of failures.
  await db.run(
    `update receivers set failing_since = now() - interval '6 days', failures_in_a_row = 25 where id = $1`,
    [toUuid(failing)],
  )
  await fail('Blog')
  await untilSettled(2 * ids.size)
  assert.deepEqual([requests(revoked), requests(gone)], [(tried[0] ?? 0) + 1, tried[1]])
  const [email] = await until('the email', async () => {
    const more = emails().slice(before)
    return more.length > 0 && more
  })
  assert.match(email?.text ?? '', /SLACK broken no longer gets alerts/)
  assert.equal(emails().length, before + 1, 'once')
  const givenUp = async (name: string) =>
    ((await admin.get(`${contacts}/${ids.get(name)}`)).json as { givenUp: boolean }).givenUp
  assert.deepEqual(
    [await givenUp('SLACK broken'), await givenUp('WEBHOOK revoked'), await givenUp('SLACK busy')],
    [true, true, false],
  )
}

const textOf = (mails: readonly { text: string }[]) => mails.map(({ text }) => text).join('\n')
/** Not as the end of another name, such as CUSTOM_WEBHOOK. */
const countOf = (text: string, part: string) =>
  text.split(new RegExp(`(?<!_)${RegExp.escape(part)}`)).length - 1
