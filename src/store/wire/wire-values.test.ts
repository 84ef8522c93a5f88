import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { parseNumbers, parseUtcTimestamp } from './wire-values.ts'

// pg's own parsers are the reference: ours must read everything the same way.
const parseTimestamp = pg.types.getTypeParser(1184)
const INT2_ARRAY_OID: number = 1005
const parseArray = pg.types.getTypeParser(INT2_ARRAY_OID)

const timestamps = [
  '2026-11-15 02:04:26.123456+00',
  '2026-11-15 02:04:26.1+00',
  '2026-11-15 02:04:26.98+00',
  '2026-11-15 02:04:26.000999+00',
  '2026-11-15 02:04:26+00',
  '2024-02-29 23:59:59.999999+00',
  '1969-12-31 23:59:59.5+00',
  '0099-01-01 00:00:00+00',
  '12026-01-01 00:00:00+00',
  '2026-11-15 02:04:26.5+05:30',
  '2026-11-15 02:04:26-08',
  '0044-03-15 12:00:00+00 BC',
  'infinity',
  '-infinity',
]
for (const text of timestamps) {
  test(`parseUtcTimestamp reads ${text} as pg does`, () => {
    assert.deepEqual(parseUtcTimestamp(text), parseTimestamp(text))
  })
}

for (const text of ['{}', '{200}', '{200,201,-1}', '{NULL,200}', '{{1,2},{3,4}}']) {
  test(`parseNumbers reads ${text} as pg does`, () => {
    assert.deepEqual(parseNumbers(text), parseArray(text))
  })
}
