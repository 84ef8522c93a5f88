import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readAppriseUrl } from './apprise-url.ts'
import { settingsProblems } from './contact.ts'

const SID = `AC${'0'.repeat(32)}`
const POLICY = { isPublic: () => true, isAllowed: () => false, allowHttp: false }

// biome-ignore format: a table is read by its columns
const rows: [url: string, channel: string, settings: Record<string, string>][] = [
  ['slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlaz/#ops', 'SLACK',       { url: 'https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlaz' }],
  ['discord://4174216298/JHMHI8qBe7bk2ZwO5U',      'DISCORD',     { url: 'https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U' }],
  ['gchat://AAAA/key/tok%3D',                      'GOOGLE_CHAT', { url: 'https://chat.googleapis.com/v1/spaces/AAAA/messages?key=key&token=tok%3D' }],
  ['mmosts://chat.example.com/xyz',                'MATTERMOST',  { url: 'https://chat.example.com/hooks/xyz' }],
  ['mmosts://chat.example.com:8443/team/xyz',      'MATTERMOST',  { url: 'https://chat.example.com:8443/team/hooks/xyz' }],
  ['rockets://a1/b2@chat.example.com/#ops',        'ROCKET_CHAT', { url: 'https://chat.example.com/hooks/a1/b2' }],
  ['tgram://123456789:AbCd_e/-1001234/',           'TELEGRAM',    { botToken: '123456789:AbCd_e', chatId: '-1001234' }],
  ['ntfy://alerts',                                'NTFY',        { server: 'https://ntfy.sh', topic: 'alerts' }],
  ['ntfys://tk_abc@ntfy.example.com/ops',          'NTFY',        { server: 'https://ntfy.example.com', topic: 'ops', token: 'tk_abc' }],
  ['gotifys://g.example.com/sub/AbC',              'GOTIFY',      { server: 'https://g.example.com/sub', appToken: 'AbC' }],
  ['matrixs://tok@matrix.org/!room:matrix.org',    'MATRIX',      { server: 'https://matrix.org', roomId: '!room:matrix.org', accessToken: 'tok' }],
  ['signals://signal.example.com/14155550100/14155550101', 'SIGNAL', { server: 'https://signal.example.com', number: '+14155550100', recipient: '+14155550101' }],
  [`twilio://${SID}:tok@14155550100/14155550101`,  'TWILIO',      { accountSid: SID, authToken: 'tok', means: 'SMS', from: '+14155550100', to: '+14155550101' }],
  ['pover://user@token',                           'PUSHOVER',    { appToken: 'token', userKey: 'user' }],
  [`pagerduty://${'R'.repeat(32)}@api`,            'PAGERDUTY',   { routingKey: 'R'.repeat(32) }],
  ['opsgenie://key?region=eu',                     'OPSGENIE',    { apiKey: 'key', region: 'EU' }],
  ['apprises://a.example.com/key',                 'APPRISE',     { server: 'https://a.example.com', key: 'key' }],
  ['JSONS://hooks.example.com/a/b',                'CUSTOM_WEBHOOK', { url: 'https://hooks.example.com/a/b' }],
]
for (const [url, channel, settings] of rows)
  test(`${url}: settings that ${channel} accepts`, () => {
    const read = readAppriseUrl(` ${url} `)
    assert.deepEqual(read, { channel, settings })
    if (read) assert.deepEqual(settingsProblems(read.channel, read.settings, POLICY), [])
  })

const NONE = [
  '',
  'https://hooks.slack.com/services/a/b/c',
  'mailto://user:pass@example.com',
  'slack://only-one',
  'tgram://token',
  'matrixs://user:password@matrix.org/!room:matrix.org',
  'matrixs://tok@matrix.org/#alias:matrix.org',
  'constructor://x/y',
  'ntfy://%zz',
]
for (const url of NONE)
  test(`${JSON.stringify(url)}: none that we know`, () => {
    assert.equal(readAppriseUrl(url), undefined)
  })

test('whatever is pasted, no setting is empty, and none leads to an address without encryption', () => {
  const scheme = fc.constantFrom(...rows.map(([url]) => url.split(':', 1)[0] ?? ''))
  fc.assert(
    fc.property(scheme, fc.string(), (name, rest) => {
      const read = readAppriseUrl(`${name}://${rest}`)
      for (const [setting, value] of Object.entries(read?.settings ?? {})) {
        assert.notEqual(value, '')
        if (setting === 'url' || setting === 'server') assert.match(value, /^https:\/\//)
      }
    }),
  )
})
