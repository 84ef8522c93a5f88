import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HookKind } from '../status-pages/subscriber.ts'
import { hookLimits, parseHookUrl, shownHook } from './hook-subscriber.ts'

const POLICY = {
  isPublic: (address: string) => address === '93.184.215.14',
  isAllowed: () => false,
  allowHttp: false,
}

// biome-ignore format: a table is read by its columns
const URLS: [HookKind, string, string | undefined][] = [
  ['SLACK',   'https://hooks.slack.com/services/T0/B0/abc',           'https://hooks.slack.com/services/T0/B0/abc'],
  ['SLACK',   ' https://hooks.slack.com/services/T0/B0/abc\n',        'https://hooks.slack.com/services/T0/B0/abc'],
  ['SLACK',   'http://hooks.slack.com/services/T0/B0/abc',            undefined],
  ['SLACK',   'https://hooks.slack.com.evil.example/services/T0/B0/a', undefined],
  ['SLACK',   'https://hooks.slack.com@evil.example/services/T0/B0/a', undefined],
  ['SLACK',   'https://hooks.slack.com:8443/services/T0/B0/abc',      undefined],
  ['SLACK',   'https://hooks.slack.com/services/T0/B0/abc?x=1',       undefined],
  ['SLACK',   'https://hooks.slack.com/services/../api/T0/B0',        undefined],
  ['SLACK',   'https://hooks.slack.com/workflows/T0/B0/abc',          undefined],
  ['WEBHOOK', 'https://example.com/hook?a=1',                         'https://example.com/hook?a=1'],
  ['WEBHOOK', 'https://EXAMPLE.com',                                  'https://example.com/'],
  ['WEBHOOK', 'https://93.184.215.14/hook',                           'https://93.184.215.14/hook'],
  ['WEBHOOK', 'http://example.com/hook',                              undefined],
  ['WEBHOOK', 'https://user:pw@example.com/',                         undefined],
  ['WEBHOOK', 'https://example.com/#x',                               undefined],
  ['WEBHOOK', 'https://example.com:25/',                              undefined],
  ['WEBHOOK', 'https://localhost/',                                   undefined],
  ['WEBHOOK', 'https://10.0.0.1/',                                    undefined],
  ['WEBHOOK', 'https://0x7f.1/',                                      undefined],
  ['WEBHOOK', 'https://2130706433/',                                  undefined],
  ['WEBHOOK', 'https://[::1]/',                                       undefined],
  ['WEBHOOK', 'https://[::ffff:10.0.0.1]/',                           undefined],
  ['WEBHOOK', 'https://169.254.169.254/latest/meta-data',             undefined],
  ['WEBHOOK', 'https://metadata.internal/',                           undefined],
  ['WEBHOOK', 'https://intranet/',                                    undefined],
  ['WEBHOOK', 'javascript:alert(1)',                                  undefined],
  ['WEBHOOK', '',                                                     undefined],
  ['WEBHOOK', `https://example.com/${'x'.repeat(500)}`,               undefined],
]

test('parseHookUrl: Slack’s own host, or a public https address', () => {
  for (const [kind, text, expected] of URLS)
    assert.equal(parseHookUrl(kind, text, POLICY), expected, `${kind} ${text}`)
})

test('shownHook: where it leads, but not what it takes to post there', () => {
  assert.equal(
    shownHook('https://hooks.slack.com/services/T0/B0/secret'),
    'https://hooks.slack.com/…cret',
  )
  assert.equal(shownHook('https://example.com/'), 'https://example.com/')
})

test('hookLimits: many hosts of one domain share its limit, and so do the channels of a workspace', () => {
  const subjects = (kind: HookKind, url: string) => hookLimits(kind, url).map((one) => one.subject)
  const hosts = ['a', 'b'].map((name) => subjects('WEBHOOK', `https://${name}.victim.example/x`))
  assert.notEqual(hosts[0]?.[1], hosts[1]?.[1])
  assert.equal(hosts[0]?.[2], hosts[1]?.[2])
  const channels = ['B1', 'B2'].map((id) =>
    subjects('SLACK', `https://hooks.slack.com/services/T0/${id}/x`),
  )
  assert.equal(channels[0]?.[1], channels[1]?.[1])
})
