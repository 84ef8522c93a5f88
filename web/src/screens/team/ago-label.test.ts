import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agoLabel } from './ago-label.ts'

const NOW = Date.parse('2026-11-16T10:00:00.000Z')

// biome-ignore format: one time per line
const TIMES: [at: string, label: string][] = [
  ['2026-11-16T10:00:30.000Z', 'just now'],
  ['2026-11-16T10:00:00.000Z', 'just now'],
  ['2026-11-16T09:59:01.000Z', 'just now'],
  ['2026-11-16T09:59:00.000Z', '1 min ago'],
  ['2026-11-16T07:00:00.000Z', '3 h ago'],
  ['2026-11-10T10:00:00.000Z', '6 days ago'],
]

for (const [at, label] of TIMES)
  test(`agoLabel: ${at}`, () => {
    assert.equal(agoLabel(at, NOW), label)
  })
