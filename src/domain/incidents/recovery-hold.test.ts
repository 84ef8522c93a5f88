import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MonitorState } from '../monitors/monitor.ts'
import { recoveryWaitMs } from './recovery-hold.ts'

const NOW = new Date('2026-11-14T12:00:00.000Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

// biome-ignore format: a table is read by its columns
const WAITS: [what: string, state: MonitorState, changedAt: Date | null, waitMs: number][] = [
  ['down just now',                  'DOWN',     NOW,      300_000],
  ['down for a minute',              'DOWN',     ago(60),  240_000],
  ['down for five minutes',          'DOWN',     ago(300), 0],
  ['down for a day',                 'DOWN',     ago(9e4), 0],
  ['up just now',                    'UP',       NOW,      0],
  ['degraded just now',              'DEGRADED', NOW,      0],
  ['never changed',                  'PENDING',  null,     0],
]
for (const [what, state, lastStatusChangedAt, waitMs] of WAITS)
  test(`recoveryWaitMs: ${what}: ${waitMs / 1000} s`, () => {
    assert.equal(recoveryWaitMs({ state, lastStatusChangedAt }, NOW), waitMs)
  })
