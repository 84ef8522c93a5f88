import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StateSpan } from '../monitors/uptime.ts'
import { uptimeRatios } from './uptime-ratios.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const ago = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)
const span = (state: StateSpan['state'], from: number, to: number | null): StateSpan => ({
  state,
  from: ago(from),
  to: to === null ? null : ago(to),
})

test('uptimeRatios: one for each window, in the order given', () => {
  const spans = [span('UP', 72, 36), span('DOWN', 36, 24), span('UP', 24, null)]
  assert.deepEqual(uptimeRatios({ spans, outside: [] }, ['24h', '7d'], NOW), [1, 0.83333])
  assert.deepEqual(uptimeRatios({ spans, outside: [] }, ['7d', '24h'], NOW), [0.83333, 1])
})

test('uptimeRatios: a second of downtime in a month is not rounded away', () => {
  const spans = [span('UP', 720, 1), span('DOWN', 1, 1 - 1 / 3600), span('UP', 1 - 1 / 3600, null)]
  assert.deepEqual(uptimeRatios({ spans, outside: [] }, ['30d'], NOW), [0.99999])
})

test('uptimeRatios: null without anything measured, and maintenance does not count', () => {
  assert.deepEqual(uptimeRatios({ spans: [], outside: [] }, ['24h'], NOW), [null])
  const paused = [span('PAUSED', 48, null)]
  assert.deepEqual(uptimeRatios({ spans: paused, outside: [] }, ['24h'], NOW), [null])
  const spans = [span('UP', 48, 2), span('DOWN', 2, 1), span('UP', 1, null)]
  const outside = [{ from: ago(2), to: ago(1) }]
  assert.deepEqual(uptimeRatios({ spans, outside }, ['24h'], NOW), [1])
})
