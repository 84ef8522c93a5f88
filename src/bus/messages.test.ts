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
