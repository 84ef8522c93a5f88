import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf, wallClock } from './zone-offset.ts'

// biome-ignore format: a table is read by its columns
const rows: [wall: string, zone: string, instant: string, shown: string][] = [
  ['2026-11-16T03:00:00', 'Europe/Berlin',       '2026-11-16T02:00:00Z', '2026-11-16T03:00:00+01:00'],
  ['2026-07-16T03:00:00', 'Europe/Berlin',       '2026-07-16T01:00:00Z', '2026-07-16T03:00:00+02:00'],
  ['2026-03-29T02:30:00', 'Europe/Berlin',       '2026-03-29T01:30:00Z', '2026-03-29T03:30:00+02:00'], // in the gap
  ['2026-10-25T02:30:00', 'Europe/Berlin',       '2026-10-25T00:30:00Z', '2026-10-25T02:30:00+02:00'], // occurs twice
  ['2026-03-29T03:00:00', 'Europe/Berlin',       '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'], // the change itself
  ['2026-10-04T02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00Z', '2026-10-04T02:45:00+11:00'], // changes by half an hour
  ['2026-11-16T00:15:00', 'Asia/Kathmandu',      '2026-11-15T18:30:00Z', '2026-11-16T00:15:00+05:45'],
  ['2026-11-16T03:00:00', 'America/New_York',    '2026-11-16T08:00:00Z', '2026-11-16T03:00:00-05:00'],
  ['2026-11-16T03:00:00', 'UTC',                 '2026-11-16T03:00:00Z', '2026-11-16T03:00:00+00:00'], // never changes
]

for (const [wall, zone, instant, shown] of rows)
  test(`${wall} in ${zone} is ${instant}`, () => {
    const at = instantOf(Temporal.PlainDateTime.from(wall), zone)
    assert.equal(at.toISOString(), new Date(instant).toISOString())
    assert.equal(wallClock(at, zone), shown)
  })

test('every hour around the changes of two years is what Temporal says, in whatever order it is asked', () => {
  for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Pacific/Apia'])
    for (let hour = 0; hour < 2 * 366 * 24; hour += 1) {
      // A step that visits every hour of the range, but never two neighbors in a row.
      const place = (hour * 7_919) % (2 * 366 * 24)
      const local = Temporal.PlainDateTime.from('2026-01-01T00:30').add({ hours: place })
      const expected = local.toZonedDateTime(zone, { disambiguation: 'compatible' })
      const at = instantOf(local, zone)
      assert.equal(at.getTime(), expected.epochMilliseconds, `${local} in ${zone}`)
      const shown = expected.toString({ timeZoneName: 'never', smallestUnit: 'second' })
      assert.equal(wallClock(at, zone), shown)
    }
})
