// Checks every provider's request against its documented format and limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as alarms from '../../../test/kit/providers/alarms.ts'
import * as chats from '../../../test/kit/providers/chats.ts'
import { type Form, parseBody } from '../../../test/kit/providers/form.ts'
import * as openChats from '../../../test/kit/providers/open-chats.ts'
import * as pagers from '../../../test/kit/providers/pagers.ts'
import * as pushServices from '../../../test/kit/providers/push-services.ts'
import { type Alert, bounded } from '../../domain/alerts/alert.ts'
import { readAlertConfig } from '../../platform/config/alert-config.ts'
import { ConfigReader } from '../../platform/config/config-reader.ts'
import type { AlertRequest, HttpChannel } from './alert-channel.ts'
import { PROVIDERS, toFollowUp, toRequest } from './registry.ts'

const DOWN: Alert = {
  kind: 'DOWN',
  thread: 'inc_01',
  organization: 'Acme',
  title: 'Checkout is down',
  summary: 'HTTP 503 since Sat, Nov 14, 14:27 CET',
  facts: [{ label: 'Cause', value: 'HTTP 503, expected 200' }],
  links: { open: 'https://up.example/i/inc_01', acknowledge: 'https://up.example/i/inc_01/ack' },
  at: '2026-11-14T13:27:10.000Z',
}
// Names can contain anything: every provider's markup, and more text than any of them accepts.
const WILD = bounded({
  ...DOWN,
  title: '<!channel> @everyone *a* [x](http://evil) <b>& #1 \u0007"\\' + 'é'.repeat(3000),
  summary: '</b><a href="http://evil">\r\n@all' + 's'.repeat(40_000),
  facts: Array.from({ length: 60 }, (_, i) => ({ label: `<${i}>`, value: '*&<@a'.repeat(3000) })),
})
const NO_LINK = { ...DOWN.links, acknowledge: null }
const EMPTY: Alert = { ...DOWN, kind: 'TEST', facts: [], links: NO_LINK }
const KINDS = ['DOWN', 'DEGRADED', 'RECOVERED', 'PARTLY_RECOVERED', 'REMINDER', 'EXPIRING'] as const
const ALERTS = [
  ...KINDS.flatMap((kind) => [
    { ...WILD, kind },
    { ...DOWN, kind },
  ]),
  EMPTY,
]

const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const TWILIO = {
  accountSid: `AC${'0'.repeat(32)}`,
  authToken: 'tok',
  from: '+14155550100',
  to: '+14155550101',
}
const PHONES = { number: '+14155550100', recipient: '+14155550101' }
const CUSTOM = { url: 'https://example.com/custom/a' }
const FIELDS = 'a={{title}}&b={{ summary }}'
// biome-ignore format: a table is read by its columns
const FORMS: [Form, settings: Record<string, string>, reference?: string][] = [
  [chats.slack,               { url: 'https://hooks.slack.com/services/T0/B0/x' }],
  [chats.discord,             { url: 'https://discord.com/api/webhooks/1/x' }],
  [chats.teams,               { url: 'https://prod.logic.azure.com/workflows/1/triggers/manual/paths/invoke' }],
  [chats.googleChat,          { url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t' }],
  [chats.telegram,            { botToken: '123:abc', chatId: '-100' }],
  [openChats.mattermost,      { url: 'https://chat.example.com/hooks/x' }],
  [openChats.rocketChat,      { url: 'https://chat.example.com/hooks/x/y' }],
  [openChats.matrix,          { server: 'https://matrix.org/', roomId: '!a:matrix.org', accessToken: 't' }, '$root'],
  [openChats.signal,          { server: 'https://signal.example.com', ...PHONES }],
  [pagers.pagerDuty,          { routingKey: 'R'.repeat(32) }],
  [pagers.opsgenie,           { apiKey: 'K', region: 'US' }],
  [alarms.jira,               { apiKey: 'K' }],
  [alarms.incidentIo,         { sourceId: '01HSOURCE', token: 't' }],
  [alarms.alertmanager,       { url: 'https://irm.example.com/alertmanager/x' }],
  [alarms.githubIssues,       { repository: 'acme/shop', token: 't' }, '41'],
  [alarms.gitlabIssues,       { server: 'https://gitlab.com', project: 'acme/shop', token: 't' }, '7'],
  [pagers.ntfy,               { server: 'https://ntfy.sh', topic: 'ops', token: 'tk_1' }],
  [pushServices.gotify,       { server: 'https://gotify.example', appToken: 'A1' }],
  [pagers.pushover,           { appToken: 'a', userKey: 'u' }],
  [pushServices.twilio,       { ...TWILIO, means: 'SMS' }],
  [pushServices.twilio,       { ...TWILIO, means: 'CALL' }],
  [pushServices.apprise,      { server: 'https://apprise.example', key: 'ops', tags: 'a,b' }],
  [pushServices.apprise,      { server: 'https://apprise.example/', urls: 'json://a,json://b' }],
  [pagers.ownReceiver(() => SECRET), { url: 'https://example.com/own', secret: SECRET }],
  [pushServices.customReceiver, CUSTOM],
  [pushServices.customReceiver, { ...CUSTOM, method: 'PATCH', headers: 'X-A: {{title}}\nX-B: {{text}}' }],
  [pushServices.customReceiver, { ...CUSTOM, format: 'FORM', body: FIELDS }],
  [pushServices.customReceiver, { ...CUSTOM, format: 'TEXT' }],
  [pushServices.customReceiver, { ...CUSTOM, method: 'GET' }],
]

const { origins } = readAlertConfig(new ConfigReader({}))
const STAMP = { deliveryId: '01a1dde6-483f-73d3-8001-df43e965a64e' }

test('every provider is compared with its documents', () => {
  const compared = new Set(FORMS.map(([{ channel }]) => channel))
  assert.deepEqual([...compared].toSorted(), Object.keys(PROVIDERS).toSorted())
})

for (const [form, settings, reference = null] of FORMS)
  test(`${form.channel} ${Object.keys(settings)}: whatever is told, the request is as documented`, () => {
    const contact = { contactId: 'c', channel: form.channel as HttpChannel, settings }
    for (const alert of ALERTS)
      for (const known of new Set([null, reference])) {
        const outgoing = { ...contact, ...STAMP, sentAt: new Date(), alert, reference: known }
        assertDocumented(form, toRequest(outgoing, origins), alert.kind)
        const next = toFollowUp(outgoing, origins)
        if (next !== undefined) assertDocumented(form, next, alert.kind)
      }
  })

function assertDocumented(form: Form, request: AlertRequest, kind: string): void {
  const { method = 'POST', url, headers, body: raw } = request
  const path = url.slice(new URL(url).origin.length)
  assert.ok(form.isAt(path), path)
  for (const value of Object.values(headers)) assert.match(value, /^[\x20-\x7e]*$/)
  const body = parseBody(raw, headers['content-type'])
  assert.deepEqual(form.check({ method, path, headers: { ...headers }, raw, body }), [], kind)
}
