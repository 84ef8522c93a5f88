import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTimestamp } from './timestamp.ts'

// biome-ignore format: a table is read by its columns
const rows: [text: string, instant: string | undefined][] = [
  ['2026-11-14T22:39:00.000Z',           '2026-11-14T22:39:00.000Z'],
  ['2026-11-14T22:39Z',                  '2026-11-14T22:39:00.000Z'], // seconds are optional
  ['2026-11-14T22:39:07Z',               '2026-11-14T22:39:07.000Z'],
  ['2026-11-14T22:39:00.1Z',             '2026-11-14T22:39:00.100Z'],
  ['2026-11-14T22:39:00.123456789Z',     '2026-11-14T22:39:00.123Z'], // truncated, not rounded
  ['2026-11-14T23:39:00+01:00',          '2026-11-14T22:39:00.000Z'],
  ['2026-11-14T17:09:00-05:30',          '2026-11-14T22:39:00.000Z'],
  ['2024-02-29T00:00Z',                  '2024-02-29T00:00:00.000Z'],
  ['2026-02-29T00:00Z',                  undefined], // no such day
  ['2026-13-01T00:00Z',                  undefined],
  ['2026-11-14T24:00Z',                  undefined],
  ['2026-11-14T22:60Z',                  undefined],
  ['2026-11-14T22:39:60Z',               undefined],
  ['2026-11-14T22:39:00',                undefined], // no offset
  ['2026-11-14T22:39:00+0000',           undefined],
  ['2026-11-14T22:39:00+24:00',          undefined],
  ['2026-11-14',                         undefined],
  ['2026-11-14 22:39:00Z',               undefined],
  ['2026-11-14t22:39:00z',               undefined],
  ['2026-11-14T22:39:00.1234567890Z',    undefined],
  [' 2026-11-14T22:39:00Z',              undefined],
  ['',                                   undefined],
]
for (const [text, instant] of rows) {
  test(`"${text}" is ${instant ?? 'no instant'}`, () => {
    assert.equal(parseTimestamp(text)?.toISOString(), instant)
  })
}
