import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cell, toCsvLine } from './csv.ts'

// biome-ignore format: a table is read by its columns
const rows: [cell: Cell, written: string][] = [
  ['plain',                'plain'],
  ['',                     ''],
  [null,                   ''],
  [12,                     '12'],
  [-1.5,                   '-1.5'], // a number of ours, no formula
  [true,                   'true'],
  ['a,b',                  '"a,b"'],
  ['say "x"',              '"say ""x"""'],
  ['two\nlines',           '"two\nlines"'],
  ['=1+1',                 `'=1+1`],
  ['+49 40',               `'+49 40`],
  ['-2',                   `'-2`],
  ['@SUM(A1)',             `'@SUM(A1)`],
  ['\t=1',                 `'\t=1`],
  ['\r=1',                 `"'\r=1"`],
  ['=HYPERLINK("x","y")',  `"'=HYPERLINK(""x"",""y"")"`],
  ['a=1',                  'a=1'],
  [' =1',                  ' =1'], // a blank before it is text already
]

for (const [cell, written] of rows)
  test(`${JSON.stringify(cell)} is written ${JSON.stringify(written)}`, () => {
    assert.equal(toCsvLine([cell]), `${written}\r\n`)
  })

test('cells are separated by commas, lines end with CRLF', () => {
  assert.equal(toCsvLine(['a', 1, null, 'b']), 'a,1,,b\r\n')
})
