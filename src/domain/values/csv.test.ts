import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CsvCell, toCsvLine } from './csv.ts'

// biome-ignore format: a table is read by its columns
const rows: [cell: CsvCell, written: string][] = [
  ['plain',                '"plain"'],
  ['',                     ''],
  [null,                   ''],
  [12,                     '12'],
  [-1.5,                   '-1.5'], // one of our numbers, not a formula
  [true,                   'true'],
  ['a,b',                  '"a,b"'],
  ['say "x"',              '"say ""x"""'],
  ['two\nlines',           '"two\nlines"'],
  ['=1+1',                 `"'=1+1"`],
  ['+49 40',               `"'+49 40"`],
  ['-2',                   `"'-2"`],
  ['@SUM(A1)',             `"'@SUM(A1)"`],
  ['\t=1',                 `"'\t=1"`],
  ['\r=1',                 `"'\r=1"`],
  ['\n=1',                 `"'\n=1"`],
  ['=HYPERLINK("x","y")',  `"'=HYPERLINK(""x"",""y"")"`],
  ['a=1',                  '"a=1"'],
  [' =1',                  `"' =1"`],
  ['\u00a0=1',             `"'\u00a0=1"`], // no-break space
  ['\ufeff=1',             `"'\ufeff=1"`], // byte order mark
  ['\u200b=1',             `"'\u200b=1"`], // zero-width space
  ['\uff1d1+1',            `"'\uff1d1+1"`], // fullwidth signs count as formulas in some programs
  ['\uff0b1',              `"'\uff0b1"`],
  ['\uff0d1',              `"'\uff0d1"`],
  ['\uff20x',              `"'\uff20x"`],
  ['|calc',                `"'|calc"`],
  ['%0A=1',                `"'%0A=1"`],
  ['x;=1+cmd|x',           '"x;=1+cmd|x"'], // one cell even where semicolons separate
  ['\ttab before',         `"'\ttab before"`],
  ['2026-11-15T21:00:00Z', '"2026-11-15T21:00:00Z"'],
]

for (const [cell, written] of rows)
  test(`${JSON.stringify(cell)} is written ${JSON.stringify(written)}`, () => {
    assert.equal(toCsvLine([cell]), `${written}\r\n`)
  })

test('cells are separated by commas, lines end with CRLF', () => {
  assert.equal(toCsvLine(['a', 1, null, 'b']), '"a",1,,"b"\r\n')
})
