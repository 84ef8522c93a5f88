// What belongs together: outages and their ends, first messages and those that refer to them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOWN_ALERT } from '../../../test/samples/alert.ts'
import type { Alert } from '../../domain/alerts/alert.ts'
import type { Posted } from '../../outbound/webhook-client.ts'
import { readAlertConfig } from '../../platform/config/alert-config.ts'
import { ConfigReader } from '../../platform/config/config-reader.ts'
import { alertmanager } from './alertmanager.ts'
import { apprise } from './apprise.ts'
import { customWebhook } from './custom-webhook.ts'
import { gotify } from './gotify.ts'
import { incidentIo } from './incident-io.ts'
import { githubIssues, gitlabIssues } from './issues.ts'
import { matrix } from './matrix.ts'
import { rocketChat } from './mattermost.ts'
import { jiraServiceManagement } from './opsgenie.ts'
import { PROVIDERS, REFERRING } from './registry.ts'
import { hider } from './send-alert.ts'
import { signal } from './signal.ts'
import { twilio } from './twilio.ts'

const DOWN = DOWN_ALERT
const UP: Alert = { ...DOWN, kind: 'RECOVERED', title: 'Checkout is up again' }
const STILL: Alert = { ...DOWN, kind: 'REMINDER', title: 'Checkout is still down' }
const SOON: Alert = { ...DOWN, kind: 'EXPIRING', title: 'Checkout expires soon' }

const { origins: ORIGINS } = readAlertConfig(new ConfigReader({}))
const STAMP = { deliveryId: '01a1dde6-483f-73d3-8001-df43e965a64e', sentAt: new Date(0) }
const bodyOf = ({ body }: { body: string }) => JSON.parse(body)
const answer = (status: number, text = '', retryAfter?: string): Posted => ({
  status,
  retryAfter,
  body: Buffer.from(text),
})

test('Jira Service Management: an alias that opens and closes, where Opsgenie lives on', () => {
  const down = jiraServiceManagement.request(DOWN, { apiKey: 'K' }, ORIGINS, STAMP)
  assert.equal(down.url, 'https://api.atlassian.com/jsm/ops/integration/v2/alerts')
  assert.equal(down.headers['authorization'], 'GenieKey K')
  assert.deepEqual([bodyOf(down).alias, bodyOf(down).priority], ['inc_01', 'P1'])
  const up = jiraServiceManagement.request(UP, { apiKey: 'K' }, ORIGINS, STAMP)
  assert.equal(
    up.url,
    'https://api.atlassian.com/jsm/ops/integration/v2/alerts/inc_01/close?identifierType=alias',
  )
})

test('incident.io and Alertmanager: the end has the key of the beginning; what never ends has its own', () => {
  const io = (alert: Alert) =>
    bodyOf(incidentIo.request(alert, { sourceId: 'S', token: 't' }, ORIGINS, STAMP))
  assert.deepEqual([io(DOWN).status, io(UP).status], ['firing', 'resolved'])
  assert.equal(io(DOWN).deduplication_key, io(UP).deduplication_key)
  assert.notEqual(io(SOON).deduplication_key, 'inc_01')
  const am = (alert: Alert) =>
    bodyOf(alertmanager.request(alert, { url: 'https://a.example', token: null }, ORIGINS, STAMP))
  assert.deepEqual([am(DOWN).status, am(UP).status], ['firing', 'resolved'])
  assert.deepEqual(am(DOWN).alerts[0].labels, am(UP).alerts[0].labels)
  assert.equal(am(DOWN).alerts[0].fingerprint, am(UP).alerts[0].fingerprint)
  assert.equal(am(DOWN).groupKey, am(UP).groupKey)
  assert.notEqual(am(SOON).groupKey, am(DOWN).groupKey)
})

const GITHUB = { repository: 'acme/shop', token: 't' }
const GITLAB = { server: 'https://gitlab.com/', project: 'acme/shop', token: 't' }
const KNOWN = { ...STAMP, reference: '41' }
const ISSUES = 'https://api.github.com/repos/acme/shop/issues'
const LAB = 'https://gitlab.com/api/v4/projects/acme%2Fshop/issues'

// biome-ignore format: a table is read by its columns
const STEPS: [alert: Alert, stamp: typeof STAMP & { reference?: string }, github: string[], gitlab: string[]][] = [
  [DOWN,  STAMP, [`POST ${ISSUES}`],                                        [`POST ${LAB}`]],
  [STILL, KNOWN, [`POST ${ISSUES}/41/comments`],                            [`POST ${LAB}/41/notes`]],
  [UP,    KNOWN, [`PATCH ${ISSUES}/41`, `POST ${ISSUES}/41/comments`],      [`PUT ${LAB}/41`, `POST ${LAB}/41/notes`]],
  [UP,    STAMP, [`POST ${ISSUES}`],                                        [`POST ${LAB}`]],
  [SOON,  KNOWN, [`POST ${ISSUES}`],                                        [`POST ${LAB}`]],
]
for (const [alert, stamp, github, gitlab] of STEPS)
  test(`issues: ${alert.kind}${'reference' in stamp ? ' of a known issue' : ''}`, () => {
    const steps = [
      githubIssues.request(alert, GITHUB, ORIGINS, stamp),
      githubIssues.followUp?.(alert, GITHUB, ORIGINS, stamp),
    ]
    const lab = [
      gitlabIssues.request(alert, GITLAB, ORIGINS, stamp),
      gitlabIssues.followUp?.(alert, GITLAB, ORIGINS, stamp),
    ]
    const shown = (all: typeof steps) =>
      all.flatMap((one) => (one ? `${one.method ?? 'POST'} ${one.url}` : []))
    assert.deepEqual([shown(steps), shown(lab)], [github, gitlab])
  })

test('issues: the number is found, also in a response that was cut', () => {
  assert.equal(githubIssues.referenceIn?.(answer(201, '{"id":1,"number":41}')), '41')
  assert.equal(githubIssues.referenceIn?.(answer(201, '{"id":1,"number": 41,"body":"…')), '41')
  const comment = answer(201, '{"id":2,"body":"\\"number\\": 3"}')
  assert.equal(githubIssues.referenceIn?.(comment), undefined)
  assert.equal(gitlabIssues.referenceIn?.(answer(201, '{"id":900,"iid":7}')), '7')
  assert.equal(gitlabIssues.referenceIn?.(answer(201, '{"id":3,"noteable_iid":7}')), undefined)
  for (const iid of ['"../../x"', '1e308', '1.5', 'null', '["7"]'])
    assert.equal(gitlabIssues.referenceIn?.(answer(201, `{"iid":${iid}}`)), undefined, iid)
})

test('issues: neither Markdown nor mentions of what a target said', () => {
  const wild = { ...DOWN, summary: '@octocat see #1 [x](http://evil) <img src=x>' }
  const { body } = bodyOf(githubIssues.request(wild, GITHUB, ORIGINS, STAMP))
  assert.doesNotMatch(body, /@octocat|#1|(?<!\\)\[x|(?<!\\)<img/)
})

test('Matrix: later messages are in the thread of the first, and a retry is the same transaction', () => {
  const settings = { server: 'https://matrix.org', roomId: '!a:b', accessToken: 't' }
  const first = matrix.request(DOWN, settings, ORIGINS, STAMP)
  assert.equal(first.method, 'PUT')
  assert.match(first.url, /\/rooms\/!a%3Ab\/send\/m\.room\.message\/01a1dde6-/)
  assert.equal(bodyOf(first)['m.relates_to'], undefined)
  for (const hostile of ['"$\\u0000"', '"$a b"', '"\\ud800"', `"$${'a'.repeat(255)}"`, '7', 'null'])
    assert.equal(matrix.referenceIn?.(answer(200, `{"event_id":${hostile}}`)), undefined, hostile)
  const eventId = matrix.referenceIn?.(answer(200, '{"event_id":"$1"}'))
  const later = matrix.request(UP, settings, ORIGINS, { ...STAMP, reference: eventId ?? null })
  assert.equal(bodyOf(later)['m.relates_to'].event_id, '$1')
  assert.equal(matrix.request(DOWN, settings, ORIGINS, STAMP).url, first.url)
  const busy = matrix.judge(answer(429, '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1500}'))
  assert.deepEqual([busy.verdict, busy.retryAfter], ['RETRY', '2'])
})

test('Gotify: the token is in a header, and an outage is louder than its end', () => {
  const settings = { server: 'https://gotify.example/push/', appToken: 'A1' }
  const { url, headers } = gotify.request(DOWN, settings, ORIGINS, STAMP)
  assert.equal(url, 'https://gotify.example/push/message')
  assert.equal(headers['x-gotify-key'], 'A1')
  const [down, up] = [DOWN, UP].map((alert) =>
    bodyOf(gotify.request(alert, settings, ORIGINS, STAMP)),
  )
  assert.deepEqual([down.priority, up.priority], [8, 2])
})

test('Twilio: a message ends with the link, and a call says it twice', () => {
  const account = { accountSid: 'AC1', authToken: 't', from: '+1', to: '+2' }
  const sms = twilio.request(DOWN, { ...account, means: 'SMS' }, ORIGINS, STAMP)
  assert.match(sms.url, /\/Accounts\/AC1\/Messages\.json$/)
  const said = new URLSearchParams(sms.body).get('Body') ?? ''
  assert.ok(said.startsWith('Checkout is down: HTTP 503') && said.endsWith(DOWN.links.open))
  const wild = { ...DOWN, title: '</Say><Dial>+1900</Dial>' }
  const call = twilio.request(wild, { ...account, means: 'CALL' }, ORIGINS, STAMP)
  assert.match(call.url, /\/Calls\.json$/)
  const twiml = new URLSearchParams(call.body).get('Twiml') ?? ''
  assert.doesNotMatch(twiml, /<Dial>/)
  assert.match(twiml, /^<Response><Say loop="2">.*<\/Say><\/Response>$/)
})

test('custom webhook: method, headers and body as they were written', () => {
  const settings = {
    url: 'https://a.example/x',
    method: 'PUT' as const,
    format: null,
    headers: 'Authorization: Bearer abc\nX-Title: {{title}}\nContent-Type: application/acme+json',
    body: '{"t": "{{title}}", "id": "{{id}}"}',
  }
  const wild = { ...DOWN, title: 'a"},\n{"b": \\' }
  const request = customWebhook.request(wild, settings, ORIGINS, STAMP)
  assert.equal(request.method, 'PUT')
  assert.deepEqual(request.headers, {
    authorization: 'Bearer abc',
    'x-title': 'a"}, {"b": \\',
    'content-type': 'application/acme+json',
  })
  assert.equal(bodyOf(request).t, wild.title)
  assert.match(bodyOf(request).id, /^whd_/)
  const get = customWebhook.request(DOWN, { ...settings, method: 'GET' }, ORIGINS, STAMP)
  assert.deepEqual([get.method, get.body], ['GET', ''])
})

// biome-ignore format: a table is read by its columns
const JUDGED: [who: string, judge: typeof gotify.judge, posted: Posted, verdict: string, error: string | null][] = [
  ['Gotify',         gotify.judge,        answer(401, '{"error":"Unauthorized","errorDescription":"no token"}'), 'OVER',  'HTTP 401: no token'],
  ['Rocket.Chat',    rocketChat.judge,    answer(200, '{"success":true}'),                                       'OK',    null],
  ['Rocket.Chat',    rocketChat.judge,    answer(200, '{"success":false,"error":"script"}'),                     'RETRY', 'HTTP 500: script'],
  ['GitHub',         githubIssues.judge,  answer(403, '{"message":"secondary rate limit"}', '60'),               'RETRY', 'HTTP 403: secondary rate limit'],
  ['GitHub',         githubIssues.judge,  answer(403, '{"message":"Resource not accessible"}'),                  'OVER',  'HTTP 403: Resource not accessible'],
  ['GitHub',         githubIssues.judge,  answer(410, '{"message":"This issue was deleted"}'),                   'OVER',  'HTTP 410: This issue was deleted'],
  ['incident.io',    incidentIo.judge,    answer(422, '{"errors":[{"code":"required","message":"title is required"}]}'), 'OVER', 'HTTP 422: title is required'],
  ['Apprise',        apprise.judge,       answer(200, '{"error":""}'),                                           'OK',    null],
  ['Apprise',        apprise.judge,       answer(204),                                                           'OVER',  'HTTP 204: no configuration has this key or these tags'],
  ['Apprise',        apprise.judge,       answer(424, '{"error":"One or more notifications failed"}'),           'OVER',  'HTTP 424: One or more notifications failed'],
  ['Signal',         signal.judge,        answer(400, '{"error":"connection closed"}'),                          'RETRY', 'HTTP 400: connection closed'],
  ['Signal',         signal.judge,        answer(400, '{"error":"User is not registered."}'),                    'OVER',  'HTTP 400: User is not registered.'],
  ['custom webhook', customWebhook.judge, answer(404, 'not here'),                                               'RETRY', 'HTTP 404: not here'],
  ['custom webhook', customWebhook.judge, answer(410),                                                           'GONE',  'Answered with HTTP 410'],
]
for (const [who, judge, posted, verdict, error] of JUDGED)
  test(`${who}: ${posted.status} ${posted.body.toString().slice(0, 60)}: ${verdict}`, () => {
    const judged = judge(posted)
    assert.deepEqual([judged.verdict, judged.error], [verdict, error])
  })

const OWN = new Set(['WEBHOOK', 'CUSTOM_WEBHOOK'])
for (const [channel, { judge }] of Object.entries(PROVIDERS))
  test(`${channel}: 401, 404, 410 and 429 mean what they say`, () => {
    const wrong = OWN.has(channel) ? 'RETRY' : 'OVER'
    const verdicts = [200, 401, 404, 410, 429, 503].map((status) => judge(answer(status)).verdict)
    const gone = channel === 'GITHUB_ISSUES' ? 'OVER' : 'GONE'
    assert.deepEqual(verdicts, ['OK', wrong, wrong, gone, 'RETRY', 'RETRY'])
    assert.equal(judge(answer(429, '', '7')).retryAfter, '7')
  })

test('hider: headers and lists of addresses are hidden as a whole and in parts', () => {
  const hide = hider({ headers: 'Authorization: Bearer abcdef123', urls: 'json://one,json://two' })
  assert.equal(hide('you sent abcdef123 to json://two'), 'you sent … to …')
})

test('only channels whose messages have a name of their own look for one', () => {
  assert.deepEqual([...REFERRING].toSorted(), ['GITHUB_ISSUES', 'GITLAB_ISSUES', 'MATRIX'])
})
