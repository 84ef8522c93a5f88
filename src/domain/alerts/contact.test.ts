import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ContactChannel } from './channels.ts'
import { type ContactSettings, secretsToRepeat } from './contact.ts'

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
