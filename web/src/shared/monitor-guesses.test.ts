import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_DRAFT, type MonitorDraft } from './monitor-draft.ts'
import { changeNewDraft, guessName, newDraft } from './monitor-guesses.ts'

const draft = (part: Partial<MonitorDraft>): MonitorDraft => ({ ...EMPTY_DRAFT, ...part })

// biome-ignore format: a table is read by its columns
const names: [part: Partial<MonitorDraft>, name: string][] = [
  [{ url: '' },                                       ''],
  [{ url: 'https:/' },                                ''],
  [{ url: 'shop.example.com/health' },                'shop.example.com'],
  [{ url: ' https://shop.example.com:8443/x?y ' },    'shop.example.com'],
  [{ url: 'shop.example.com:8443' },                  'shop.example.com'],
  [{ url: 'javascript:alert(1)' },                    ''],
  [{ type: 'PING', host: ' 10.0.0.1 ', url: 'a.com' }, '10.0.0.1'],
  [{ type: 'DNS', url: 'example.com' },               'example.com'],
  [{ type: 'SSL', url: 'example.com:8443' },          'example.com'],
  [{ type: 'CRON', url: 'example.com' },              ''],
]
for (const [part, name] of names)
  test(`the name of ${JSON.stringify(part)} is guessed as "${name}"`, () => {
    assert.equal(guessName(draft(part)), name)
  })

test('the name follows the target until another one is typed', () => {
  const first = changeNewDraft(EMPTY_DRAFT, { url: 'shop.example.com' })
  assert.equal(first.name, 'shop.example.com')
  const second = changeNewDraft(first, { url: 'https://api.example.com' })
  assert.equal(second.name, 'api.example.com')
  const named = changeNewDraft(second, { name: 'Checkout' })
  assert.equal(changeNewDraft(named, { url: 'other.example.com' }).name, 'Checkout')
  const cleared = changeNewDraft(second, { name: '' })
  assert.equal(changeNewDraft(cleared, { url: 'other.example.com' }).name, '')
})

test('each type starts with its own defaults, and keeps what was chosen', () => {
  const every = (type: MonitorDraft['type']) => newDraft(type).intervalSeconds
  assert.deepEqual([every('HTTP'), every('SSL'), every('DOMAIN')], [60, 3600, 86_400])
  assert.equal(newDraft('DOMAIN').sslExpiryThresholdDays, '30')
  const chosen = changeNewDraft(EMPTY_DRAFT, { intervalSeconds: 600 })
  assert.equal(changeNewDraft(chosen, { type: 'SSL' }).intervalSeconds, 600)
  const back = changeNewDraft(newDraft('DOMAIN'), { type: 'HTTP' })
  assert.deepEqual([back.intervalSeconds, back.sslExpiryThresholdDays], [60, '14'])
})

test('what cannot be slow is not reported as slow', () => {
  const slow = changeNewDraft(EMPTY_DRAFT, { isSlowDegraded: true })
  assert.equal(changeNewDraft(slow, { type: 'PING' }).isSlowDegraded, true)
  assert.equal(changeNewDraft(slow, { type: 'SSL' }).isSlowDegraded, false)
})
