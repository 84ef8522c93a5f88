// What an import says is true: settings that Upvane has are mapped, and what is lost has its real reason.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isReservedSlug } from '../../../src/domain/status-pages/slug.ts'
import { changesOf, OPTIONS, refusalOf, resourceIn } from '../../test/import/imported.ts'
import { mapText } from '../../test/import/map-text.ts'
import { setHttpUrl } from './common/address.ts'
import { whyNoChannel } from './common/contacts.ts'
import { ItemDraft } from './common/draft.ts'
import { RESERVED_SLUGS } from './common/reserved-slugs.ts'
import { draftMonitor } from './uptime-kuma/map-monitor.ts'
import { mapRobot } from './uptimerobot/map.ts'
import { readRobotCsv, readRobotJson } from './uptimerobot/read.ts'

const kumaContact = (config: object) =>
  mapText(
    'uptime-kuma',
    JSON.stringify({
      monitorList: [],
      notificationList: [{ id: 1, name: 'Team', config: JSON.stringify(config) }],
    }),
  )

test('Twilio, Signal, Apprise and a webhook with headers become contacts', () => {
  const twilio = kumaContact({
    type: 'twilio',
    twilioAccountSID: 'AC0123456789abcdef0123456789abcdef',
    twilioAuthToken: 't',
    twilioFromNumber: '+14155550100',
    twilioToNumber: '+14155550101',
  })
  assert.deepEqual(resourceIn(twilio, 'contacts', 'team'), {
    name: 'Team',
    channel: 'TWILIO',
    settings: {
      accountSid: 'AC0123456789abcdef0123456789abcdef',
      means: 'SMS',
      from: '+14155550100',
      to: '+14155550101',
      authToken: '${env:TEAM_AUTHTOKEN}',
    },
  })
  const signal = kumaContact({
    type: 'signal',
    signalURL: 'https://signal.example.com/v2/send',
    signalNumber: '+14155550100',
    signalRecipients: '+14155550101, +14155550102',
  })
  assert.deepEqual(
    ['team', 'team-2'].map((key) => resourceIn(signal, 'contacts', key)['settings']),
    ['+14155550101', '+14155550102'].map((recipient) => ({
      server: 'https://signal.example.com',
      number: '+14155550100',
      recipient,
    })),
  )
  const apprise = kumaContact({ type: 'apprise', appriseURL: 'gotify://a/b' })
  assert.equal(resourceIn(apprise, 'contacts', 'team')['channel'], 'APPRISE')
  assert.ok(apprise.report.variables.includes('APPRISE_SERVER'))
  const webhook = kumaContact({
    type: 'webhook',
    webhookURL: 'https://a.example.com/x',
    webhookAdditionalHeaders: '{"Authorization":"Bearer t"}',
  })
  assert.equal(resourceIn(webhook, 'contacts', 'team')['channel'], 'CUSTOM_WEBHOOK')
  assert.equal(webhook.secrets.get('TEAM_HEADERS'), 'Authorization: Bearer t')
})

test('"Upvane has no channel" is only said of channels that it does not have', () => {
  assert.match(whyNoChannel('clicksendsms'), /^Upvane has no channel "clicksendsms"/)
  assert.match(whyNoChannel('JiraServiceManagement'), /^Upvane has the channel JIRA_SERVICE_MAN/)
  assert.match(whyNoChannel('incident-io'), /^Upvane has the channel INCIDENT_IO/)
})

test('a lost setting is named, and its text is only shown if it is never a secret', () => {
  const imported = kumaContact({
    type: 'telegram',
    telegramBotToken: 't',
    telegramChatID: '-5',
    telegramMessageThreadID: '7',
    somethingNew: 'planted',
  })
  assert.deepEqual(changesOf(imported, 'Team'), ['telegramMessageThreadID', 'somethingNew'])
  const report = JSON.stringify(imported.report)
  assert.match(report, /"telegramMessageThreadID","from":"7"/)
  assert.ok(!report.includes('planted'))
})

const dns = (...conditions: object[]) =>
  draftMonitor(
    { name: 'D', type: 'dns', hostname: 'a.example.com', conditions: JSON.stringify(conditions) },
    { nearest: false, certificateDays: 21 },
  )
const record = (operator: string) => ({
  type: 'expression',
  variable: 'record',
  operator,
  value: '192.0.2.1',
})

test('a record that must be there is expected, and any other condition is not taken', () => {
  assert.equal(dns(record('equals')).fields['dnsExpected'], '192.0.2.1')
  assert.equal(dns(record('equals')).refusal, undefined)
  assert.match(dns(record('contains')).refusal ?? '', /record contains 192\.0\.2\.1/)
  assert.match(dns(record('equals'), record('equals')).refusal ?? '', /2 conditions/)
})

test('Gatus: a certificate that nobody verified is not verified', () => {
  const endpoint = (url: string) =>
    JSON.stringify({
      endpoints: [
        { name: 'A', url, client: { insecure: true }, conditions: ['[CONNECTED] == true'] },
      ],
    })
  const imported = mapText('gatus', endpoint('tls://a.example.com:993'))
  assert.equal(resourceIn(imported, 'monitors', 'a')['verifySsl'], false)
  assert.deepEqual(changesOf(mapText('gatus', endpoint('icmp://a.example.com')), 'A'), [
    'client.insecure',
  ])
})

test('UptimeRobot: columns, and version 2 of its API', () => {
  const head = 'Type,Status,Friendly Name,URL/IP,Monitoring Interval,HTTP Username'
  const csv = `${head}\nHTTP(s),Up,Shop,https://a.example.com/,60,planted\nPing,Up,Router,192.0.2.1,5 min,\n`
  const imported = mapRobot(readRobotCsv('robot.csv', csv), OPTIONS)
  assert.equal(resourceIn(imported, 'monitors', 'shop')['intervalSeconds'], 60)
  assert.equal(resourceIn(imported, 'monitors', 'router')['intervalSeconds'], 300)
  assert.deepEqual(changesOf(imported, 'Shop'), ['http username'])
  const answer = { stat: 'ok', monitors: [{ id: 1, friendly_name: 'Shop', type: 1 }] }
  assert.throws(() => readRobotJson('x.json', answer), /version 2.*version 3/)
})

test('a URL with a space is encoded, and the report says so', () => {
  const draft = new ItemDraft()
  setHttpUrl(draft, 'https://a.example.com/a path')
  assert.deepEqual(
    [draft.refusal, draft.fields['url']],
    [undefined, 'https://a.example.com/a%20path'],
  )
  assert.equal(draft.changes[0]?.field, 'url')
})

test('a DOMAIN monitor alerts the contacts of the monitors that remind of it', () => {
  const monitor = (id: number, contacts: object) => ({
    id,
    name: `M ${id}`,
    type: 'http',
    url: 'https://a.example.com/',
    domain_expiry_notification: true,
    notificationIDList: contacts,
  })
  const hook = (id: number) => ({
    id,
    name: `C ${id}`,
    config: '{"type":"slack","slackwebhookURL":"https://hooks.slack.com/services/t"}',
  })
  const imported = mapText(
    'uptime-kuma',
    JSON.stringify({
      monitorList: [monitor(1, { 1: true }), monitor(2, { 2: true }), monitor(3, {})],
      notificationList: [hook(1), hook(2), hook(3)],
    }),
  )
  const domain = resourceIn(imported, 'monitors', 'a-example-com-domain')
  assert.deepEqual(domain['contacts'], ['c-1', 'c-2'])
})

test('a reserved slug is found at import, by the list of the service', () => {
  const source = new URL('../../../src/domain/status-pages/slug.ts', import.meta.url)
  const [, words = ''] = /RESERVED = new Set\(\s*`([^`]*)`/.exec(readFileSync(source, 'utf8')) ?? []
  assert.deepEqual(RESERVED_SLUGS, words.split(/\s+/))
  assert.ok(RESERVED_SLUGS.every(isReservedSlug))
  const imported = mapText('statuspage', JSON.stringify({ page: { name: 'A', subdomain: 'api' } }))
  assert.deepEqual(changesOf(imported, 'A'), ['slug'])
  assert.equal(refusalOf(imported, 'A'), '')
})
