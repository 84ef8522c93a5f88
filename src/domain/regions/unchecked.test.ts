import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckHistory, isNoteDue, lastResultAt, notifyUncheckedAt } from './unchecked.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)
const MONITOR: CheckHistory = {
  type: 'HTTP',
  intervalSeconds: 60,
  createdAt: ago(1_000_000),
  lastCheckedAt: ago(60),
  lastStatusChangedAt: ago(900_000),
}

// With an interval of 60 s people are notified after 420 s, and the note is written from 300 s on.
// biome-ignore format: a table is read by its columns
const rows: [what: string, monitor: Partial<CheckHistory>, notifyInSeconds: number | undefined][] = [
  ['a result a minute ago',                    {},                                                  undefined],
  ['too early for a note',                     { lastCheckedAt: ago(299) },                         undefined],
  ['time for a note',                          { lastCheckedAt: ago(300) },                         120],
  ['time to notify, found late',               { lastCheckedAt: ago(420) },                         30],
  ['long after',                               { lastCheckedAt: ago(90_000) },                      30],
  ['a longer interval',                        { lastCheckedAt: ago(779), intervalSeconds: 300 },   undefined],
  ['two longer intervals and five minutes',    { lastCheckedAt: ago(780), intervalSeconds: 300 },   120],
  ['resumed after the last result',            { lastCheckedAt: ago(9000), lastStatusChangedAt: ago(200) }, undefined],
  ['resumed, and no result since',             { lastCheckedAt: ago(9000), lastStatusChangedAt: ago(300) }, 120],
  ['just created',                             { createdAt: ago(10), lastCheckedAt: null, lastStatusChangedAt: null }, undefined],
  ['created, and never a result',              { createdAt: ago(400), lastCheckedAt: null, lastStatusChangedAt: null }, 30],
  ['a heartbeat has no probe',                 { type: 'CRON', lastCheckedAt: ago(90_000) },        undefined],
  ['a registry does not answer',               { type: 'DOMAIN', lastCheckedAt: ago(90_000) },      undefined],
]
for (const [what, fields, seconds] of rows)
  test(`${what}: ${seconds === undefined ? 'no note' : `people are notified in ${seconds} s`}`, () => {
    const monitor = { ...MONITOR, ...fields }
    const found = isNoteDue(monitor, NOW)
      ? (notifyUncheckedAt(monitor, NOW).getTime() - NOW.getTime()) / 1000
      : undefined
    assert.equal(found, seconds)
  })

test('the last result is the latest of result, resume and creation', () => {
  assert.deepEqual(lastResultAt(MONITOR), ago(60))
  assert.deepEqual(lastResultAt({ ...MONITOR, lastStatusChangedAt: ago(5) }), ago(5))
  assert.deepEqual(lastResultAt({ ...MONITOR, lastCheckedAt: null, createdAt: ago(7) }), ago(7))
})
