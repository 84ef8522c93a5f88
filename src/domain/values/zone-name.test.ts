import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneNames } from './zone-name.ts'

const WINTER = new Date('2026-01-14T12:00:00Z')
const SUMMER = new Date('2026-07-14T12:00:00Z')

// biome-ignore format: a table is read by its columns
const rows: [locale: string, timezone: string, winter: string, summer: string][] = [
  ['en', 'America/New_York', 'EST',  'EDT'],
  ['en', 'Europe/Berlin',    'CET',  'CEST'],
  ['en', 'Asia/Kolkata',     'IST',  'IST'],
  ['de', 'Europe/Berlin',    'MEZ',  'MESZ'],
  ['fr', 'America/New_York', 'EST',  'EDT'],
  ['de', 'Asia/Tokyo',       'JST',  'JST'],
  ['ja', 'UTC',              'UTC',  'UTC'],
  ['en', 'Asia/Dubai',       'GST',  'GST'],
  ['fr', 'America/Lima',     'UTC−5', 'UTC−5'],
]
for (const [locale, timezone, winter, summer] of rows)
  test(`${timezone} in ${locale} is ${winter} and ${summer}`, () => {
    const name = zoneNames(locale, timezone)
    assert.deepEqual([name(WINTER), name(SUMMER)], [winter, summer])
  })
