import assert from 'node:assert/strict'
import { test } from 'node:test'
import { betterZoneNames, toDateTag, zoneNames } from './time-zone.ts'

const WINTER = new Date('2026-01-14T12:00:00Z')
const SUMMER = new Date('2026-07-14T12:00:00Z')

// biome-ignore format: a table is read by its columns
const rows: [locale: string, timezone: string, winter: string, summer: string][] = [
  ['en', 'Europe/Berlin',    'CET',  'CEST'],
  ['fr', 'America/New_York', 'EST',  'EDT'],
  ['de', 'Asia/Tokyo',       'JST',  'JST'],
  ['ja', 'UTC',              'UTC',  'UTC'],
  ['en', 'Asia/Dubai',       'GST',  'GST'],
  ['fr', 'America/Lima',     'UTC−5', 'UTC−5'],
]
for (const [locale, timezone, winter, summer] of rows)
  test(`${timezone} in ${locale} is ${winter} and ${summer}`, () => {
    const name = zoneNames(toDateTag(locale), timezone)
    assert.deepEqual([name(WINTER), name(SUMMER)], [winter, summer])
  })

test('a name that is not an offset is kept', () => {
  const better = betterZoneNames('Europe/Berlin')
  assert.deepEqual([better('MEZ', WINTER), better('GMT+1', WINTER)], ['MEZ', 'CET'])
})
