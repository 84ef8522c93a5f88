import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProbeAnnouncement } from './bus.ts'
import { announcementText, readAnnouncement } from './messages.ts'
import { announcementSubject } from './subjects.ts'

const SUBJECT = announcementSubject('eu', 'probe-1')
const PLAIN: ProbeAnnouncement = {
  region: 'eu',
  probe: 'probe-1',
  capacity: 10,
  inFlight: 0,
  can: ['HTTP'],
}
const settingsOf = (settings: unknown) =>
  readAnnouncement(SUBJECT, JSON.stringify({ ...PLAIN, settings }))?.settings

test('an announcement arrives as it was sent, with and without fingerprints of settings', () => {
  const full = { ...PLAIN, settings: { PROBE_ALLOW_CIDRS: '0123456789ab' } }
  for (const sent of [PLAIN, full])
    assert.deepEqual(readAnnouncement(SUBJECT, announcementText(sent)), sent)
})

test('allowed networks arrive; too many, too long or no text are left out', () => {
  const allowsOf = (allows: unknown) =>
    readAnnouncement(SUBJECT, JSON.stringify({ ...PLAIN, allows }))?.allows
  const many = (count: number) => Array.from({ length: count }, (_, i) => `10.0.${i}.0/24`)
  for (const allows of [[], ['10.0.0.0/8', 'fd00::/8'], many(64)])
    assert.deepEqual(allowsOf(allows), allows)
  for (const hostile of [many(65), ['a'.repeat(51)], [1], [null], { 0: 'a' }, 'text', 7, null]) {
    assert.equal(allowsOf(hostile), undefined, JSON.stringify(hostile))
    assert.ok(readAnnouncement(SUBJECT, JSON.stringify({ ...PLAIN, allows: hostile })))
  }
})

test('fingerprints that are too many, too long or no text are left out, and the announcement still counts', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`S${i}`, 'a']))
  assert.deepEqual(settingsOf(many(32)), many(32))
  // biome-ignore format: a table is read by its columns
  const hostile: unknown[] = [
    many(33), { 'A B': 'a' }, { A: 'a b' }, { A: 'a'.repeat(65) }, { ['A'.repeat(65)]: 'a' },
    { A: 1 }, { A: null }, ['a'], 'text', 7, null,
  ]
  for (const settings of hostile) {
    assert.equal(settingsOf(settings), undefined, JSON.stringify(settings))
    assert.ok(readAnnouncement(SUBJECT, JSON.stringify({ ...PLAIN, settings })))
  }
})
