import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../model/json.ts'
import { renderChange, showChange } from './shown-changes.ts'

const KEYS = new Map([
  ['mon_1', 'checkout'],
  ['tag_1', 'prod'],
  ['@tags.extra', 'extra'],
])
const LONG = 'x'.repeat(100)

// biome-ignore format: a table
const CHANGES: [path: string, from: JsonValue | undefined, to: JsonValue | undefined, shown: string][] = [
  ['intervalSeconds', 300, 60, 'intervalSeconds 300 -> 60'],
  ['url', null, 'https://a.example', 'url null -> "https://a.example"'],
  ['recurrence.endsAt', undefined, 'x', 'recurrence.endsAt none -> "x"'],
  ['name', 'mon_1', '@tags.extra', 'name "mon_1" -> "@tags.extra"'],
  ['tagIds', ['tag_1'], ['@tags.extra', 'tag_1', 'tag_9'], 'tags with "extra", "tag_9"'],
  ['monitorIds', ['mon_1'], [], 'monitors without "checkout"'],
  ['expectedStatus', [200, 301], [200, 204], 'expectedStatus without 301, with 204'],
  ['expectedStatus', [200, 301], [301, 200], 'expectedStatus [200,301] -> [301,200]'],
  ['expectedStatus', [], Array.from({ length: 12 }, (_, at) => 200 + at), 'expectedStatus with 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 2 more'],
  ['sections.0.components', [{ name: 'A', description: null, monitorId: 'mon_1' }, { name: 'B' }], [{ name: 'B' }], 'sections.0.components without {"name":"A","monitor":"checkout"}'],
  ['sections.0.components.1.monitorId', 'mon_1', null, 'sections.0.components.1.monitor "checkout" -> null'],
  ['keyword', `${LONG}a`, `${LONG}b`, `keyword …${'x'.repeat(15)}a" -> …${'x'.repeat(15)}b"`],
  ['keyword', LONG, 'y', `keyword "${'x'.repeat(59)}… -> "y"`],
]

for (const [path, from, to, shown] of CHANGES)
  test(`a change as people read it: ${shown}`, () => {
    assert.equal(renderChange(showChange({ path, from, to, hidden: false }, KEYS)), shown)
  })

test('a hidden change shows no value', () => {
  const change = { path: 'requestHeaders.A', from: 'planted', to: 'planted', hidden: true }
  assert.equal(renderChange(showChange(change, KEYS)), 'requestHeaders.A (hidden, differs)')
  assert.ok(!JSON.stringify(showChange(change, KEYS)).includes('planted'))
  const removed = { path: 'requestHeaders.A', hidden: true, isRemoved: true } as const
  assert.equal(renderChange(showChange(removed, KEYS)), 'requestHeaders.A (hidden, removed)')
})
