import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationParts } from './duration.ts'

// biome-ignore format: a table is read by its columns
const rows: [seconds: number, shown: string][] = [
  [0,                    ''],
  [1,                    '1 s'],
  [59,                   '59 s'],
  [60,                   '1 min'],
  [460,                  '7 min 40 s'],
  [3600,                 '1 h'],
  [3605,                 '1 h'], // never a unit that is not next to the first
  [3660 + 59,            '1 h 1 min'],
  [23 * 3600 + 59 * 60,  '23 h 59 min'],
  [86_400,               '1 d'],
  [86_400 + 59 * 60,     '1 d'],
  [100 * 86_400 + 7200,  '100 d 2 h'],
]
for (const [seconds, shown] of rows)
  test(`${seconds} s are shown as "${shown}"`, () => {
    const parts = durationParts(seconds)
    assert.equal(parts.map(([count, unit]) => `${count} ${unit}`).join(' '), shown)
  })
