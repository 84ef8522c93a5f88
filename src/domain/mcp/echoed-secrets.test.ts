import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hideSecrets, secretsOfMonitor, secretsOfReceiver } from './echoed-secrets.ts'

const NOTHING = { url: null, requestHeaders: null, requestBody: null, heartbeatUrl: null }
const basic = btoa('admin:pa:ss-word')

// biome-ignore format: a table is read by its columns
const rows: [sent: Partial<Parameters<typeof secretsOfMonitor>[0]>, text: string, shown: string][] = [
  [{},                                                             'as it is',                       'as it is'],
  [{ requestHeaders: { 'X-Token': 's3cret-value' } },              'got s3cret-value!',              'got [hidden]!'],
  [{ requestHeaders: { Authorization: 'Bearer s3cret-value' } },   'Authorization: Bearer s3cret-value', 'Authorization: [hidden]'],
  [{ requestHeaders: { Authorization: 'Bearer s3cret-value' } },   'token s3cret-value is old',      'token [hidden] is old'],
  [{ requestHeaders: { Authorization: `Basic ${basic}` } },        `${basic}, password pa:ss-word`,  '[hidden], password [hidden]'],
  [{ requestHeaders: { Accept: 'application/json' } },             'application/json',               'application/json'],
  [{ requestHeaders: { 'X-Env': 'prod' } },                        'prod is down',                   'prod is down'],
  [{ requestBody: '{"user":"ana","pass":["s3cret-value"]}' },      'pass=s3cret-value',              'pass=[hidden]'],
  [{ requestBody: 'user=ana&pass=s3cret%2Fvalue' },                's3cret/value',                   '[hidden]'],
  [{ requestBody: 'plain text, all of it' },                       '<p>plain text, all of it</p>',   '<p>[hidden]</p>'],
  [{ url: 'https://ana:hunter2@a.example/x?key=s3cret-value#frag' }, 'hunter2 s3cret-value',         '[hidden] [hidden]'],
  [{ url: 'not a url' },                                           'not a url',                      'not a url'],
  [{ heartbeatUrl: 'https://a.example/hb/abcdefgh' },              'curl https://a.example/hb/abcdefgh', 'curl https://a.example/hb/[hidden]'],
  [{ requestHeaders: { 'X-Token': 's3cret-value' } },              'cut within s3cret-v',            'cut within [hidden]'],
  [{ requestHeaders: { a: 'secret', b: 'secret-longer' } },        'secret-longer and secret',       '[hidden] and [hidden]'],
]
for (const [sent, text, shown] of rows)
  test(`hideSecrets: ${JSON.stringify(sent)} in "${text}"`, () => {
    assert.equal(hideSecrets(text, secretsOfMonitor({ ...NOTHING, ...sent })), shown)
  })

test('secretsOfReceiver: the path of a webhook', () => {
  const secrets = secretsOfReceiver('https://hooks.example/services/T0123456/s3cret-value')
  const text = 'no such hook: /services/T0123456/s3cret-value'
  assert.equal(hideSecrets(text, secrets), 'no such hook: /[hidden]/[hidden]/[hidden]')
})

test('hideSecrets: whatever is sent and echoed, no secret is left', () => {
  const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => text.trim() === text)
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      const secrets = secretsOfMonitor({ ...NOTHING, requestHeaders: { 'X-Key': value } })
      const shown = hideSecrets(before + value + after, secrets)
      assert.ok(!shown.includes(value) || '[hidden]'.includes(value))
    }),
  )
})
