import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ContactChannel } from './channels.ts'
import { type ContactSettings, secretsToRepeat, settingsProblems, toSettings } from './contact.ts'

const NTFY = { server: 'https://ntfy.sh', topic: 'ops', token: 'tk_old' }
const SHARED = { server: 'https://host.example/acme', topic: 'ops', token: 'tk_old' }
const NO_TOKEN = { server: 'https://ntfy.sh', topic: 'ops' }
const HOOK = { url: 'https://a.example/x', secret: 'whsec_old' }

// biome-ignore format: a table is read by its columns
const rows: [ContactChannel, old: ContactSettings, given: ContactSettings, paths: string[]][] = [
  ['NTFY',    NTFY,     { topic: 'x' },                                        []],
  ['NTFY',    NTFY,     { server: 'https://ntfy.sh' },                         []],
  ['NTFY',    NTFY,     { server: 'https://NTFY.sh:443/' },                    []], // the same origin
  ['NTFY',    NTFY,     { server: 'https://ntfy.sh/path' },                    []],
  ['NTFY',    NTFY,     { server: 'https://evil.example' },                    ['settings.token']],
  ['NTFY',    NTFY,     { server: 'http://ntfy.sh' },                          ['settings.token']],
  ['NTFY',    NTFY,     { server: 'https://ntfy.sh:8443' },                    ['settings.token']],
  ['NTFY',    NTFY,     { server: 'https://ntfy.sh.evil.example' },            ['settings.token']],
  ['NTFY',    NTFY,     { server: 'https://evil.example', token: 'tk_new' },   []],
  ['NTFY',    NTFY,     { server: 'https://evil.example', token: '' },         []], // dropped
  ['NTFY',    SHARED,   { server: 'https://host.example/acme' },               []],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme/' },              []],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme/eu' },            []], // below
  ['NTFY',    SHARED,   { server: 'https://host.example/evil' },               ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme-evil' },          ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/' },                   ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/ACME' },               ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme/../evil' },       ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme/%2e%2e/evil' },   ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme/..%2fevil' },     ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme/x%5c..%5cevil' }, ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme/..;/evil' },      ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/acme?to=evil' },       ['settings.token']],
  ['NTFY',    SHARED,   { server: 'https://host.example/evil', token: 'new' }, []],
  ['NTFY',    NO_TOKEN, { server: 'https://other.example' },                   []],
  ['WEBHOOK', HOOK,     { url: 'https://a.example/y' },                        []],
  ['WEBHOOK', HOOK,     { url: 'https://b.example/x' },                        ['settings.secret']],
  ['WEBHOOK', HOOK,     { url: 'https://b.example/x', secret: 'whsec_new' },   []],
  ['SLACK',   { url: 'https://a.example/x' }, { url: 'https://b.example/y' },  []], // the URL is replaced as a whole
  ['CUSTOM_WEBHOOK', { url: 'https://a.example', headers: 'A: b' }, { url: 'https://b.example' }, ['settings.headers']],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example', headers: 'A: b' }, { body: '{}' }, []],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', headers: 'A: b' }, { url: 'https://a.example/y' }, ['settings.headers']],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', headers: 'A: b' }, { url: 'https://a.example/x' }, []],
  ['MATRIX',  { server: 'https://a.example', accessToken: 't' }, { server: 'https://b.example' }, ['settings.accessToken']],
  ['TELEGRAM', { botToken: 't', chatId: '1' }, { chatId: '2' },                []], // always the same server
]
for (const [channel, old, given, paths] of rows)
  test(`${channel} ${JSON.stringify(given)}: ${paths.join() || 'secrets stay'}`, () => {
    const problems = secretsToRepeat(channel, old, given)
    assert.deepEqual(
      problems.map(({ path }) => path),
      paths,
    )
  })

const POLICY = { isPublic: () => true, isAllowed: () => false, allowHttp: false }
const SIGNING = `whsec_${'MDEy'.repeat(8)}`
const NO_TEXT = 'must be letters, digits and signs'
const NO_KEY = 'must be 32 letters and digits'
const NO_PHONE = 'must be a number with its country code, such as +14155550100'
const TWILIO = {
  accountSid: `AC${'0'.repeat(32)}`,
  authToken: 't',
  from: '+14155550100',
  to: '+14155550101',
}
const NO_SIGNING = 'must be whsec_ and 24 to 64 bytes in base64'

// biome-ignore format: a table is read by its columns
const settings: [ContactChannel, Record<string, unknown>, problems: Record<string, string>][] = [
  ['EMAIL',     { address: 'ana@example.com' },                  {}],
  ['EMAIL',     { address: 'ana' },                              { address: 'must be an email address' }],
  ['SLACK',     { url: 'https://a.example/x' },                  {}],
  ['SLACK',     { url: '' },                                     { url: 'is required' }],
  ['SLACK',     { url: 'https://a.example/x', topic: 'x' },      { topic: 'is not a setting of SLACK' }],
  ['TELEGRAM',  { botToken: '1:a', chatId: '-1' },               {}],
  ['TELEGRAM',  { botToken: 'a b', chatId: 7 },                  { botToken: NO_TEXT, chatId: 'must be a text of up to 2048 characters' }],
  ['TELEGRAM',  { botToken: 'a'.repeat(2049), chatId: '-1' },    { botToken: 'must be a text of up to 2048 characters' }],
  ['PAGERDUTY', { routingKey: 'R'.repeat(32) },                  {}],
  ['PAGERDUTY', { routingKey: 'R'.repeat(31) },                  { routingKey: NO_KEY }],
  ['OPSGENIE',  { apiKey: 'k', region: 'EU' },                   {}],
  ['OPSGENIE',  { apiKey: 'k', region: 'eu' },                   { region: 'must be US or EU' }],
  ['OPSGENIE',  { apiKey: 'k' },                                 { region: 'is required' }],
  ['NTFY',      NO_TOKEN,                                        {}],
  ['NTFY',      { ...NTFY, token: 'a b' },                       { token: NO_TEXT }],
  ['GOTIFY',    { server: 'https://a.example', appToken: 'a b' }, { appToken: NO_TEXT }],
  ['MATRIX',    { server: 'https://a.example', roomId: '!a:b', accessToken: 't' }, {}],
  ['MATRIX',    { server: 'https://a.example', roomId: '#a:b', accessToken: 't' }, { roomId: 'must be the internal id of a room, which begins with !' }],
  ['SIGNAL',    { server: 'https://a.example', number: '+14155550100', recipient: 'group.ZmlyZQ0123456789' }, {}],
  ['SIGNAL',    { server: 'https://a.example', number: '0155', recipient: 'x' }, { number: NO_PHONE, recipient: 'must be a number with its country code, or a group id' }],
  ['TWILIO',    { ...TWILIO, means: 'CALL' },                     {}],
  ['TWILIO',    { ...TWILIO, means: 'FAX', to: '5' },             { means: 'must be SMS or CALL', to: NO_PHONE }],
  ['INCIDENT_IO', { sourceId: '../x', token: 't' },               { sourceId: 'must be letters and digits' }],
  ['GITHUB_ISSUES', { repository: 'acme/shop', token: 't' },      {}],
  ['GITHUB_ISSUES', { repository: 'acme/shop/../..', token: 't' }, { repository: 'must be an owner and a repository, such as acme/shop' }],
  ['GITHUB_ISSUES', { repository: 'acme/..', token: 't' },        { repository: 'must be an owner and a repository, such as acme/shop' }],
  ['GITLAB_ISSUES', { server: 'https://gitlab.com', project: '42', token: 't' }, {}],
  ['GITLAB_ISSUES', { server: 'https://gitlab.com', project: '/a', token: 't' }, { project: 'must be the path or the number of a project' }],
  ['APPRISE',   { server: 'https://a.example', key: 'ops' },      {}],
  ['APPRISE',   { server: 'https://a.example', urls: 'tgram://a/b' }, {}],
  ['APPRISE',   { server: 'https://a.example' },                  { key: 'is required, or urls' }],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x' },              {}],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', method: 'GET', headers: 'X-A: b' }, {}],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', method: 'TRACE' }, { method: 'must be POST or PUT or PATCH or GET' }],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', body: '{' },   { body: 'must be JSON' }],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', body: '{', format: 'TEXT' }, {}],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', body: `"${'x'.repeat(7998)}"` }, {}],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', body: 'x'.repeat(8001) }, { body: 'must be a text of up to 8000 characters' }],
  ['CUSTOM_WEBHOOK', { url: 'https://a.example/x', headers: 'Host: b' }, { headers: 'must not set host' }],
  ['PUSHOVER',  {},                                              { appToken: 'is required', userKey: 'is required' }],
  ['WEBHOOK',   { url: 'https://a.example/x', secret: '' },      {}],
  ['WEBHOOK',   { url: 'https://a.example/x', secret: SIGNING }, {}],
  ['WEBHOOK',   { url: 'https://a.example/x', secret: 'whsec_' }, { secret: NO_SIGNING }],
]
for (const [channel, given, expected] of settings)
  test(`${channel} ${JSON.stringify(given).slice(0, 60)}: ${Object.keys(expected).join() || 'accepted'}`, () => {
    const problems = settingsProblems(channel, given, POLICY)
    const found = problems.map(({ path, message }) => [path.replace('settings.', ''), message])
    assert.deepEqual(Object.fromEntries(found), expected)
  })

test('toSettings: an optional choice that is missing is null', () => {
  const url = 'https://a.example/x'
  assert.deepEqual(toSettings('CUSTOM_WEBHOOK', { url, method: 'PUT' }), {
    url,
    method: 'PUT',
    format: null,
    headers: null,
    body: null,
  })
})

test('toSettings: an optional setting that is missing or empty is null', () => {
  assert.deepEqual(toSettings('NTFY', NO_TOKEN), { ...NO_TOKEN, token: null })
  assert.deepEqual(toSettings('NTFY', { ...NTFY, token: '' }), { ...NTFY, token: null })
  assert.deepEqual(toSettings('OPSGENIE', { apiKey: 'k', region: 'EU' }), {
    apiKey: 'k',
    region: 'EU',
  })
})
