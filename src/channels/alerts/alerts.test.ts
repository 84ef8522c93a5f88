// What providers are sent, and what their responses mean. documented.test.ts compares every request with its documents.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOWN_ALERT } from '../../../test/samples/alert.ts'
import { type Alert, bounded } from '../../domain/alerts/alert.ts'
import { isSigned, type SignedHeaders } from '../../domain/events/signature.ts'
import type { Posted } from '../../outbound/webhook-client.ts'
import { readAlertConfig } from '../../platform/config/alert-config.ts'
import { ConfigReader } from '../../platform/config/config-reader.ts'
import { discord } from './discord.ts'
import { googleChat } from './google-chat.ts'
import { microsoftTeams } from './microsoft-teams.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerDuty } from './pagerduty.ts'
import { pushover } from './pushover.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

const DOWN = DOWN_ALERT
const UP: Alert = { ...DOWN, kind: 'RECOVERED', title: 'Checkout is up again' }
const TEST: Alert = { ...DOWN, kind: 'TEST', links: { ...DOWN.links, acknowledge: null } }
// Names can contain anything: every provider's markup, and more text than any of them accepts.
const WILD = bounded({
  ...DOWN,
  title: '<!channel> @everyone *a* [x](http://evil) <b>&' + 'é'.repeat(3000),
  summary: '</b><a href="http://evil">' + 's'.repeat(40_000),
  facts: Array.from({ length: 60 }, (_, i) => ({ label: `<${i}>`, value: '*&<'.repeat(3000) })),
})

const { origins: ORIGINS } = readAlertConfig(new ConfigReader({}))
const STAMP = { deliveryId: '01a1dde6-483f-73d3-8001-df43e965a64e', sentAt: new Date(0) }
const HOOK = 'https://hooks.example/T0/B0/secret'
const bodyOf = ({ body }: { body: string }) => JSON.parse(body)
const length = (text: string) => [...text].length
const answer = (status: number, text = '', retryAfter?: string): Posted => ({
  status,
  retryAfter,
  body: Buffer.from(text),
})

test('Slack: text for notifications, blocks within their limits, nothing that mentions anybody', () => {
  const { url, body } = slack.request(DOWN, { url: HOOK }, ORIGINS, STAMP)
  assert.equal(url, HOOK)
  const sent = JSON.parse(body)
  assert.equal(sent.text, '✕ Checkout is down: HTTP 503 since Sat, Nov 14, 14:27 CET')
  assert.equal(sent.attachments[0].color, '#b91c1c')
  const [head, fields, actions] = sent.attachments[0].blocks
  assert.match(head.text.text, /^\*<https:\/\/up\.example\/i\/inc_01\|✕ Checkout is down>\*/)
  assert.deepEqual(fields.fields, [{ type: 'mrkdwn', text: '*Cause*\nHTTP 503, expected 200' }])
  assert.deepEqual(
    actions.elements.map(({ url: to }: { url: string }) => to),
    [DOWN.links.open, DOWN.links.acknowledge],
  )

  const wild = bodyOf(slack.request(WILD, { url: HOOK }, ORIGINS, STAMP))
  assert.doesNotMatch(JSON.stringify(wild), /<!channel>|<a href/)
  for (const block of wild.attachments[0].blocks) {
    if (block.text) assert.ok(length(block.text.text) <= 3000)
    for (const field of block.fields ?? []) assert.ok(field.text.length <= 2000 * 5)
    assert.ok((block.fields ?? []).length <= 10)
  }
})

test('Discord: one embed within its limits, and nobody is mentioned', () => {
  const sent = bodyOf(discord.request(DOWN, { url: HOOK }, ORIGINS, STAMP))
  assert.deepEqual(sent.allowed_mentions, { parse: [] })
  assert.equal(sent.embeds[0].title, '✕ Checkout is down')
  assert.equal(sent.embeds[0].color, 0xb9_1c_1c)
  assert.equal(sent.embeds[0].timestamp, DOWN.at)
  assert.match(sent.embeds[0].description, /\[Acknowledge\]\(https:/)

  const [embed] = bodyOf(discord.request(WILD, { url: HOOK }, ORIGINS, STAMP)).embeds
  assert.ok(length(embed.title) <= 256 && length(embed.description) <= 4096)
  assert.ok(embed.fields.length <= 25)
  for (const { name, value } of embed.fields)
    assert.ok(length(name) <= 256 && length(value) <= 1024)
  const all = [embed.title, embed.description, embed.footer.text].concat(
    embed.fields.flatMap(({ name, value }: Record<string, string>) => [name, value]),
  )
  assert.ok(length(all.join('')) <= 6000, `${length(all.join(''))} characters in one embed`)
})

test('Discord: waits as long as the body says', () => {
  const judged = discord.judge(answer(429, '{"message":"slow","retry_after":1.4}'))
  assert.deepEqual([judged.verdict, judged.retryAfter], ['RETRY', '2'])
})

test('Teams: an adaptive card in a message', () => {
  const sent = bodyOf(microsoftTeams.request(DOWN, { url: HOOK }, ORIGINS, STAMP))
  assert.equal(sent.type, 'message')
  const [{ contentType, content }] = sent.attachments
  assert.equal(contentType, 'application/vnd.microsoft.card.adaptive')
  assert.equal(content.type, 'AdaptiveCard')
  assert.equal(content.body[0].color, 'Attention')
  assert.deepEqual(content.body[2].facts, [{ title: 'Cause', value: 'HTTP 503, expected 200' }])
  assert.equal(content.actions.length, 2)
  const wild = microsoftTeams.request(WILD, { url: HOOK }, ORIGINS, STAMP)
  assert.ok(Buffer.byteLength(wild.body) <= 28_000, `${Buffer.byteLength(wild.body)} bytes`)
})

test('Telegram: the token is in the address, the text is sound HTML within 4,096 characters', () => {
  const settings = { botToken: '123:abc', chatId: '-100' }
  const { url, body } = telegram.request(DOWN, settings, ORIGINS, STAMP)
  assert.equal(url, 'https://api.telegram.org/bot123:abc/sendMessage')
  const sent = JSON.parse(body)
  assert.equal(sent.chat_id, '-100')
  assert.equal(sent.parse_mode, 'HTML')
  assert.match(sent.text, /^<b>✕ Checkout is down<\/b>\nHTTP 503/)
  const { text } = bodyOf(telegram.request(WILD, settings, ORIGINS, STAMP))
  assert.ok(text.length <= 4096)
  assert.deepEqual(text.replaceAll(/<\/?[bi]>/g, '').match(/[<>]/g), null)
})

test('Telegram: says what the bot was told', () => {
  const busy =
    '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":7}}'
  assert.equal(telegram.judge(answer(429, busy)).retryAfter, '7')
  const gone = telegram.judge(
    answer(403, '{"ok":false,"description":"bot was blocked by the user"}'),
  )
  assert.deepEqual(gone, {
    verdict: 'OVER',
    error: 'HTTP 403: bot was blocked by the user',
    retryAfter: undefined,
  })
})

test('Google Chat: one thread for one thing', () => {
  const webhook = 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t'
  const { url, body } = googleChat.request(DOWN, { url: webhook }, ORIGINS, STAMP)
  const { searchParams } = new URL(url)
  assert.equal(searchParams.get('messageReplyOption'), 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
  assert.equal(searchParams.get('key'), 'k')
  assert.equal(JSON.parse(body).thread.threadKey, 'inc_01')
  const wild = googleChat.request(WILD, { url: webhook }, ORIGINS, STAMP)
  assert.ok(Buffer.byteLength(wild.body) <= 32_000, `${Buffer.byteLength(wild.body)} bytes`)
})

test('PagerDuty: an outage triggers, its end resolves the same key', () => {
  const down = pagerDuty.request(DOWN, { routingKey: 'R' }, ORIGINS, STAMP)
  assert.equal(down.url, 'https://events.pagerduty.com/v2/enqueue')
  const trigger = bodyOf(down)
  const resolve = bodyOf(pagerDuty.request(UP, { routingKey: 'R' }, ORIGINS, STAMP))
  assert.deepEqual([trigger.event_action, resolve.event_action], ['trigger', 'resolve'])
  assert.equal(trigger.dedup_key, resolve.dedup_key)
  assert.equal(trigger.payload.severity, 'critical')
  assert.notEqual(
    bodyOf(pagerDuty.request(TEST, { routingKey: 'R' }, ORIGINS, STAMP)).dedup_key,
    'inc_01',
  )
  const wild = bodyOf(pagerDuty.request(WILD, { routingKey: 'R' }, ORIGINS, STAMP))
  assert.ok(length(wild.payload.summary) <= 1024)
})

test('Opsgenie: an alias that opens and closes, in the region of the account', () => {
  const settings = { apiKey: 'K', region: 'EU' as const }
  const down = opsgenie.request(DOWN, settings, ORIGINS, STAMP)
  assert.equal(down.url, 'https://api.eu.opsgenie.com/v2/alerts')
  assert.equal(down.headers['authorization'], 'GenieKey K')
  assert.deepEqual([bodyOf(down).alias, bodyOf(down).priority], ['inc_01', 'P1'])
  const up = opsgenie.request(UP, { ...settings, region: 'US' }, ORIGINS, STAMP)
  assert.equal(up.url, 'https://api.opsgenie.com/v2/alerts/inc_01/close?identifierType=alias')
  const wild = bodyOf(opsgenie.request(WILD, settings, ORIGINS, STAMP))
  assert.ok(length(wild.message) <= 130 && length(wild.description) <= 15_000)
})

test('ntfy: JSON to the root of its server, with the token if there is one', () => {
  const settings = { server: 'https://ntfy.example/', topic: 'ops', token: 'tk' }
  const { url, headers, body } = ntfy.request(DOWN, settings, ORIGINS, STAMP)
  assert.equal(url, 'https://ntfy.example/')
  assert.equal(headers['authorization'], 'Bearer tk')
  const sent = JSON.parse(body)
  assert.deepEqual([sent.topic, sent.priority, sent.click], ['ops', 5, DOWN.links.open])
  assert.equal(
    ntfy.request(UP, { ...settings, token: null }, ORIGINS, STAMP).headers['authorization'],
    undefined,
  )
  assert.ok(Buffer.byteLength(bodyOf(ntfy.request(WILD, settings, ORIGINS, STAMP)).message) <= 4096)
})

test('Pushover: within its limits, loud for an outage and low for its end', () => {
  const settings = { appToken: 'a', userKey: 'u' }
  const sent = bodyOf(pushover.request(DOWN, settings, ORIGINS, STAMP))
  assert.deepEqual([sent.token, sent.user, sent.priority], ['a', 'u', 1])
  assert.equal(sent.timestamp, 1_794_662_830)
  assert.equal(bodyOf(pushover.request(UP, settings, ORIGINS, STAMP)).priority, -1)
  const wild = bodyOf(pushover.request(WILD, settings, ORIGINS, STAMP))
  assert.ok(length(wild.title) <= 250 && length(wild.message) <= 1024)
})

test('by its status alone: taken, busy, or never again', () => {
  const verdicts = [200, 202, 204, 401, 403, 404, 422, 429, 500, 503].map(
    (status) => slack.judge(answer(status, 'why')).verdict,
  )
  const expected = ['OK', 'OK', 'OK', 'OVER', 'OVER', 'OVER', 'OVER', 'RETRY', 'RETRY', 'RETRY']
  assert.deepEqual(verdicts, expected)
  assert.equal(slack.judge(answer(429, '', '30')).retryAfter, '30')
  assert.equal(slack.judge(answer(404, 'no_service')).error, 'HTTP 404: no_service')
})

// biome-ignore format: a table is read by its columns
const REFUSALS: [who: string, judge: typeof slack.judge, answer: Posted, verdict: string, error: string | null][] = [
  ['PagerDuty', pagerDuty.judge,      answer(202, '{"status":"success","message":"Event processed","dedup_key":"k"}'), 'OK', null],
  ['PagerDuty', pagerDuty.judge,      answer(400, 'Invalid routing key'), 'OVER', 'HTTP 400: Invalid routing key'],
  ['PagerDuty', pagerDuty.judge,      answer(400, `{"status":"invalid event","message":"Event object is invalid","errors":["Length of 'routing_key' is incorrect (should be 32 characters)"]}`), 'OVER', `HTTP 400: Length of 'routing_key' is incorrect (should be 32 characters)`],
  ['PagerDuty', pagerDuty.judge,      answer(429), 'RETRY', 'Answered with HTTP 429'],
  ['PagerDuty', pagerDuty.judge,      answer(500, '{"status":"Unrecognized object","message":"Event object format is unrecognized","errors":["JSON parse error"]}'), 'RETRY', 'HTTP 500: JSON parse error'],
  ['Teams',     microsoftTeams.judge, answer(202), 'OK', null],
  ['Teams',     microsoftTeams.judge, answer(400, `{"error":{"code":"WorkflowTriggerIsNotEnabled","message":"Could not execute workflow 'w' trigger 'manual' with state 'Disabled': trigger is not enabled."}}`), 'OVER', `HTTP 400: Could not execute workflow 'w' trigger 'manual' with state 'Disabled': trigger is not enabled.`],
  ['Teams',     microsoftTeams.judge, answer(401, '{"error":{"code":"DirectApiAuthorizationRequired","message":"The request must be authenticated only by Shared Access scheme."}}'), 'OVER', 'HTTP 401: The request must be authenticated only by Shared Access scheme.'],
  ['Teams',     microsoftTeams.judge, answer(403), 'OVER', 'Answered with HTTP 403'],
  ['Teams',     microsoftTeams.judge, answer(404, `{"error":{"code":"WorkflowNotFound","message":"The workflow 'w' could not be found."}}`), 'OVER', `HTTP 404: The workflow 'w' could not be found.`],
  ['Teams',     microsoftTeams.judge, answer(429, '{"statusCode":429,"message":"Rate limit is exceeded. Try again in 2 seconds."}', '2'), 'RETRY', 'HTTP 429: Rate limit is exceeded. Try again in 2 seconds.'],
  ['Teams',     microsoftTeams.judge, answer(502, '{"error":{"code":"NoResponse","message":"The server did not respond."}}'), 'RETRY', 'HTTP 502: The server did not respond.'],
  // Connectors from before workflows report failures in the body of a successful response.
  ['Teams',     microsoftTeams.judge, answer(200, '1'), 'OK', null],
  ['Teams',     microsoftTeams.judge, answer(200, 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=0,server=x'), 'RETRY', 'HTTP 429: Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId tcid=0,server=x'],
  ['Teams',     microsoftTeams.judge, answer(200, 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 404 with ContextId tcid=0,server=x'), 'OVER', 'HTTP 404: Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 404 with ContextId tcid=0,server=x'],
]
for (const [who, judge, posted, verdict, error] of REFUSALS)
  test(`${who}: ${posted.status} ${posted.body.toString().slice(0, 60)}: ${verdict}`, () => {
    const judged = judge(posted)
    assert.deepEqual([judged.verdict, judged.error], [verdict, error])
  })

test('GONE says that nothing is wanted any more; of an own receiver only that ends anything', () => {
  assert.equal(slack.judge(answer(410, 'channel_is_archived')).verdict, 'GONE')
  const verdicts = [204, 401, 404, 410, 500].map((status) => webhook.judge(answer(status)).verdict)
  assert.deepEqual(verdicts, ['OK', 'RETRY', 'RETRY', 'GONE', 'RETRY'])
})

test('an own receiver is sent the alert signed, under the id of its delivery', () => {
  const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
  const { headers, body } = webhook.request(DOWN, { url: HOOK, secret }, ORIGINS, STAMP)
  assert.match(String(headers['webhook-id']), /^whd_01m7eycj1z/)
  assert.ok(isSigned(headers as SignedHeaders, body, secret, STAMP.sentAt))
  assert.ok(!isSigned(headers as SignedHeaders, `${body} `, secret, STAMP.sentAt))
})
