import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StateSpan } from './uptime.ts'
import { toUptimeBar, UPTIME_BAR_SLOTS, uptimeBarSlots } from './uptime-bar.ts'

const NOW = new Date('2026-11-15T12:30:00.000Z')
const at = (hours: number) => new Date(Date.UTC(2026, 10, 15, 12) + hours * 3_600_000)
const strip = (spans: StateSpan[], windows: { from: Date; to: Date; id: string }[] = []) =>
  toUptimeBar(uptimeBarSlots(NOW), { spans, outside: windows, windows })

test('slots are clock hours; the last one ends now', () => {
  const slots = uptimeBarSlots(NOW)
  assert.equal(slots.length, UPTIME_BAR_SLOTS)
  assert.deepEqual(slots[0], { from: at(-23), to: at(-22) })
  assert.deepEqual(slots.at(-1), { from: at(0), to: NOW })
  assert.deepEqual(
    uptimeBarSlots(new Date(NOW.getTime() + 60_000)).slice(0, -1),
    slots.slice(0, -1),
  )
})

test('each hour has its worst; before there was anything it is empty', () => {
  const spans: StateSpan[] = [
    { state: 'PENDING', from: at(-20.5), to: at(-20) },
    { state: 'UP', from: at(-20), to: at(-10) },
    { state: 'DOWN', from: at(-10), to: at(-9.9) },
    { state: 'UP', from: at(-9.9), to: at(-3) },
    { state: 'PAUSED', from: at(-3), to: at(-1) },
    { state: 'DEGRADED', from: at(-1), to: null },
  ]
  assert.equal(strip(spans), `---${'u'.repeat(10)}x${'u'.repeat(6)}--dd`)
})

test('a window is shown where nothing counts', () => {
  const window = { from: at(-2), to: at(-1), id: 'w' }
  const spans: StateSpan[] = [{ state: 'DOWN', from: at(-30), to: null }]
  assert.equal(strip(spans, [window]), `${'x'.repeat(21)}mxx`)
})
