import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromWall, toWall } from './wall-time.ts'

// biome-ignore format: a table is read by its columns
const rows: [wall: string, zone: string, instant: string, back: string][] = [
  ['2026-11-16T03:00', 'Europe/Berlin',    '2026-11-16T02:00:00.000Z', '2026-11-16T03:00'],
  ['2026-07-16T03:00', 'Europe/Berlin',    '2026-07-16T01:00:00.000Z', '2026-07-16T03:00'],
  ['2026-03-29T02:30', 'Europe/Berlin',    '2026-03-29T01:30:00.000Z', '2026-03-29T03:30'], // skipped: moves forward
  ['2026-10-25T02:30', 'Europe/Berlin',    '2026-10-25T00:30:00.000Z', '2026-10-25T02:30'], // occurs twice: the first
  ['2026-11-16T00:00', 'UTC',              '2026-11-16T00:00:00.000Z', '2026-11-16T00:00'],
  ['2026-11-16T03:00', 'America/New_York', '2026-11-16T08:00:00.000Z', '2026-11-16T03:00'],
  ['2026-11-16T03:00', 'Asia/Kathmandu',   '2026-11-15T21:15:00.000Z', '2026-11-16T03:00'],
]

for (const [wall, zone, instant, back] of rows)
  test(`${wall} in ${zone} is ${instant}`, () => {
    assert.equal(fromWall(wall, zone), instant)
    assert.equal(toWall(instant, zone), back)
  })
