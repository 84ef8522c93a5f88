import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ContactChannel } from './channels.ts'
import { type ContactSettings, secretsToRepeat, settingsProblems, toSettings } from './contact.ts'

const NTFY = { server: 'https://ntfy.sh', topic: 'ops', token: 'tk_old' }
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
  ['NTFY',    NO_TOKEN, { server: 'https://other.example' },                   []],
  ['WEBHOOK', HOOK,     { url: 'https://a.example/y' },                        []],
  ['WEBHOOK', HOOK,     { url: 'https://b.example/x' },                        ['settings.secret']],
  ['WEBHOOK', HOOK,     { url: 'https://b.example/x', secret: 'whsec_new' },   []],
  ['SLACK',   { url: 'https://a.example/x' }, { url: 'https://b.example/y' },  []], // the URL is replaced as a whole
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

test('toSettings: an optional setting that is missing or empty is null', () => {
  assert.deepEqual(toSettings('NTFY', NO_TOKEN), { ...NO_TOKEN, token: null })
  assert.deepEqual(toSettings('NTFY', { ...NTFY, token: '' }), { ...NTFY, token: null })
  assert.deepEqual(toSettings('OPSGENIE', { apiKey: 'k', region: 'EU' }), {
    apiKey: 'k',
    region: 'EU',
  })
})
