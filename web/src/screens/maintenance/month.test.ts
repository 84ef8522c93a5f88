import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMonth } from '../../time/format.ts'
import { daysForName, daysOfMonth, partOn, shiftMonth } from './month.ts'

// biome-ignore format: a table is read by its columns
const rows: [month: string, first: string, last: string, weeks: number][] = [
  ['2026-11', '2026-10-26', '2026-12-06', 6], // begins on a Sunday
  ['2027-02', '2027-02-01', '2027-02-28', 4], // begins on a Monday, four whole weeks
  ['2026-12', '2026-11-30', '2027-01-03', 5], // across the end of the year
]

for (const [month, first, last, weeks] of rows)
  test(`daysOfMonth: ${month} is shown from ${first} to ${last}`, () => {
    const days = daysOfMonth(month)
    assert.deepEqual([days[0], days.at(-1), days.length], [first, last, weeks * 7])
  })

test('shiftMonth goes over the year', () => {
  assert.equal(shiftMonth('2026-12', 1), '2027-01')
  assert.equal(shiftMonth('2026-01', -1), '2025-12')
  assert.equal(formatMonth('2026-11'), 'November 2026')
})

// biome-ignore format: a table is read by its columns
const names: [day: string, last: string, days: number][] = [
  ['2026-11-26', '2026-11-27', 1], // Thursday to Friday: the second day shows the end time
  ['2026-11-24', '2026-11-27', 3],
  ['2026-11-27', '2026-12-02', 3], // ends in another week: runs to Sunday
  ['2026-11-29', '2026-12-02', 1], // begins on a Sunday
  ['2026-11-30', '2026-12-02', 2], // continues on a Monday
  ['2026-11-30', '2026-11-30', 1], // ends here
]

for (const [day, last, days] of names)
  test(`daysForName: from ${day} to ${last} the name has ${days}`, () => {
    assert.equal(daysForName(last, day), days)
  })

test('partOn: a stretch of days begins, goes on and ends', () => {
  const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03']
  const parts = days.map((day) => partOn('2026-10-31', '2026-11-02', day))
  assert.deepEqual(parts, [undefined, 'from', 'mid', 'to', undefined])
  assert.equal(partOn('2026-11-01', '2026-11-01', '2026-11-01'), 'all')
})
