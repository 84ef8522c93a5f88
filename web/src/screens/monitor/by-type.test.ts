import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  barLength,
  columnCount,
  hasResponseTimes,
  leadsWithUptime,
  logColumnsOf,
  phasesLabel,
  remainingBar,
} from './by-type.ts'

type MonitorType = Parameters<typeof logColumnsOf>[0]

// biome-ignore format: a table is read by its columns
const types: [type: MonitorType, total: string | null, phases: boolean, region: boolean, count: number, chart: boolean, tiles: boolean][] = [
  ['HTTP',    'Total',      true,  true,  6, true,  true],
  ['KEYWORD', 'Total',      true,  true,  6, true,  true],
  ['PING',    'Round trip', false, true,  5, true,  true],
  ['PORT',    'Connect',    false, true,  5, true,  true],
  ['DNS',     'Lookup',     false, true,  5, true,  true],
  ['SSL',     'Handshake',  false, true,  5, true,  false],
  ['DOMAIN',  null,         false, true,  4, false, false],
  ['CRON',    null,         false, false, 3, false, true],
]
for (const [type, total, phases, region, count, chart, tiles] of types)
  test(`the page of ${type}: columns of its log, chart, tiles`, () => {
    const columns = logColumnsOf(type)
    assert.deepEqual(columns, { total, phases, region })
    assert.equal(columnCount(columns), count)
    assert.equal(hasResponseTimes(type), chart)
    assert.equal(leadsWithUptime(type), tiles)
  })

const timings = (dnsMs: number, connectMs: number, tlsMs: number | null, firstByteMs: number) => ({
  dnsMs,
  connectMs,
  tlsMs,
  firstByteMs,
})

// biome-ignore format: a table is read by its columns
const bars: [why: string, timings: ReturnType<typeof timings> | null, responseMs: number | null, length: number | undefined][] = [
  ['as long as the response',               timings(3, 12, 24, 992), 1040, 1040],
  ['as long as its phases, if more',        timings(30, 12, 24, 992), 1031, 1058],
  ['none below 5 ms',                       timings(0, 1, null, 3),   4,    undefined],
  ['one at 5 ms',                           timings(0, 1, null, 4),   4,    5],
  ['none without phases',                   null,                     80,   undefined],
  ['none without a response',               timings(3, 0, null, 0),   null, undefined],
]
for (const [why, phases, responseMs, length] of bars)
  test(`the bar of a check: ${why}`, () => assert.equal(barLength(phases, responseMs), length))

test('phases are named, without those that did not happen', () => {
  assert.equal(
    phasesLabel(timings(3, 12, 24, 992)),
    'DNS 3 ms · Connect 12 ms · TLS 24 ms · Wait 992 ms',
  )
  assert.equal(phasesLabel(timings(3, 12, null, 992)), 'DNS 3 ms · Connect 12 ms · Wait 992 ms')
})

// biome-ignore format: a table is read by its columns
const remaining: [daysLeft: number, warnDays: number, scale: number, left: number, warn: number][] = [
  [45,   9,   90,   0.5, 0.1],
  [90,   14,  90,   1,   14 / 90],
  [91,   14,  365,  91 / 365, 14 / 365],
  [365,  30,  365,  1,   30 / 365],
  [700,  30,  730,  700 / 730, 30 / 730],
  [2000, 30,  2000, 1,   30 / 2000],
  [0,    14,  90,   0,   14 / 90],
  [20,   120, 90,   20 / 90, 1], // the warning begins before the bar does
]
for (const [daysLeft, warnDays, scaleDays, left, warn] of remaining)
  test(`${daysLeft} days left are drawn on a bar of ${scaleDays}`, () => {
    assert.deepEqual(remainingBar({ daysLeft, warnDays }), { scaleDays, left, warn })
  })
