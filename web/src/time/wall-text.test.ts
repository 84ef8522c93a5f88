import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatWall, formatWallDay, parseClock, parseWall, parseWallDay } from './wall-text.ts'

test('a local date and time is shown as elsewhere in the product', () => {
  assert.equal(formatWall('2026-11-16T03:00'), 'Mon, Nov 16, 2026, 03:00')
  assert.equal(formatWallDay('2027-01-01'), 'Fri, Jan 1, 2027')
  assert.equal(formatWall(''), '')
  assert.equal(formatWallDay(''), '')
})

const MOMENTS: [string, string | undefined][] = [
  ['Mon 16 Nov 2026, 03:00', '2026-11-16T03:00'],
  ['Mon, Nov 16, 2026, 03:00', '2026-11-16T03:00'],
  ['Wed, 23 Sept 2026, 03:00', '2026-09-23T03:00'],
  ['16 Nov 2026, 03:00', '2026-11-16T03:00'],
  ['16 november 2026 3:05', '2026-11-16T03:05'],
  ['Nov 16, 2026 3 pm', '2026-11-16T15:00'],
  ['Tue 6 Oct 2026, 12:00', '2026-10-06T12:00'],
  ['2026-11-16T03:00', '2026-11-16T03:00'],
  ['2026-11-16 03:00', '2026-11-16T03:00'],
  ['31 Feb 2026, 03:00', undefined],
  ['16 Nov 2026', undefined],
  ['16 Nov, 03:00', undefined],
  ['16 Nov 2026, 24:00', undefined],
  ['16 Foo 2026, 03:00', undefined],
  ['tomorrow', undefined],
  ['', undefined],
]

for (const [text, expected] of MOMENTS)
  test(`a typed date and time: ${text}`, () => {
    assert.equal(parseWall(text), expected)
  })

test('what is shown can be typed', () => {
  for (let day = 1; day <= 28; day++)
    for (const month of ['01', '02', '05', '06', '08', '10', '12']) {
      const wall = `2026-${month}-${String(day).padStart(2, '0')}T00:00`
      assert.equal(parseWall(formatWall(wall)), wall)
      assert.equal(parseWallDay(formatWallDay(wall.slice(0, 10))), wall.slice(0, 10))
    }
})

const CLOCKS: [string, string | undefined][] = [
  ['22:00', '22:00'],
  ['7:05', '07:05'],
  ['7', '07:00'],
  ['10 pm', '22:00'],
  ['10:00 PM', '22:00'],
  ['12 am', '00:00'],
  ['12:30pm', '12:30'],
  ['13 pm', undefined],
  ['24:00', undefined],
  ['7:60', undefined],
  ['7:05:00', undefined],
  ['-1:00', undefined],
  ['noon', undefined],
  ['', undefined],
]

for (const [text, expected] of CLOCKS)
  test(`a typed time: ${text}`, () => {
    assert.equal(parseClock(text), expected)
  })
