import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localDays } from '../../domain/monitors/day-bars.ts'
import { formatOf } from '../../render/page-format.ts'
import { describeUptime } from './bars.ts'

const format = formatOf('en', 'UTC')
const days = localDays('UTC', 90, new Date('2026-11-14T12:00:00Z'))
const codes = (without: number) => '-'.repeat(without) + 'u'.repeat(90 - without)
const percent = (ratio: number) => `${format.percent(ratio)} uptime`

// biome-ignore format: a table is read by its columns
const rows: [what: string, codes: string, uptime: number | null, showUptime: boolean, text: string][] = [
  ['every day measured',         codes(0),  0.9998, true,  percent(0.9998)],
  ['half of the days measured',  codes(45), 1,      true,  percent(1)],
  ['too little for a figure',    codes(46), null,   true,  'measured since Oct 2'],
  ['today alone',                codes(89), null,   true,  'measured since Nov 14'],
  ['nothing measured',           codes(90), null,   true,  ''],
  ['the page does not show it',  codes(46), null,   false, ''],
]
for (const [what, daily, uptime, showUptime, text] of rows)
  test(`describeUptime: ${what}`, () => {
    const bars = { codes: daily, bad: [], upMs: 0, downMs: 0 }
    assert.equal(describeUptime({ uptime, bars }, { page: { showUptime }, days }, format), text)
  })
