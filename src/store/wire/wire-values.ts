// Parses PostgreSQL's text values faster than pg does, for types that monitors use often.
import pg from 'pg'

const INT8_OID = 20
const INT2_ARRAY_OID = 1005
const TIMESTAMPTZ_OID = 1184

type Parse = (text: string) => unknown

const parseAnyTimestamp = pg.types.getTypeParser(TIMESTAMPTZ_OID) as Parse
const parseAnyArray = pg.types.getTypeParser(INT2_ARRAY_OID as number) as Parse

const PARSERS = new Map<number, Parse>([
  // Counts and row numbers stay far below 2^53.
  [INT8_OID, Number],
  [INT2_ARRAY_OID, parseNumbers],
  [TIMESTAMPTZ_OID, parseUtcTimestamp],
])

export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ??
    pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

/** `2026-11-15 02:04:26.123456+00`, truncated to milliseconds. Sessions run in UTC. */
export function parseUtcTimestamp(text: string): unknown {
  // Years outside 1000 to 9999, infinity and other offsets are rare enough for the general parser.
  if (text[4] !== '-' || text[0] === '0' || !text.endsWith('+00')) return parseAnyTimestamp(text)
  const second = Date.UTC(
    digits(text, 0, 4),
    digits(text, 5, 7) - 1,
    digits(text, 8, 10),
    digits(text, 11, 13),
    digits(text, 14, 16),
    digits(text, 17, 19),
  )
  return new Date(second + milliseconds(text))
}

// PostgreSQL omits trailing zeros of a fraction.
function milliseconds(text: string): number {
  if (text[19] !== '.') return 0
  const end = Math.min(23, text.length - 3)
  return digits(text, 20, end) * 10 ** (23 - end)
}

function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) value = value * 10 + text.charCodeAt(i) - 48
  return value
}

/** `{200,201}`. */
export function parseNumbers(text: string): unknown {
  if (text === '{}') return []
  return /^\{[-\d,]+\}$/.test(text) ? text.slice(1, -1).split(',').map(Number) : parseAnyArray(text)
}
