import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CsvCell, parseCsv, toCsvLine } from './csv.ts'

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
  [`'=1`,                  `"''=1"`], // read back without one apostrophe
  [`'tis`,                 `"'tis"`],
  ['2026-11-15T21:00:00Z', '"2026-11-15T21:00:00Z"'],
]

for (const [cell, written] of rows)
  test(`${JSON.stringify(cell)} is written ${JSON.stringify(written)}`, () => {
    assert.equal(toCsvLine([cell]), `${written}\r\n`)
  })

test('cells are separated by commas, lines end with CRLF', () => {
  assert.equal(toCsvLine(['a', 1, null, 'b']), '"a",1,,"b"\r\n')
})

test('parseCsv: every text cell is read back as it was written', () => {
  const texts = rows.flatMap(([cell]) => (typeof cell === 'string' && cell !== '' ? cell : []))
  const file = `name,other\r\n${texts.map((text) => toCsvLine([text, 'x'])).join('')}`
  const { records, problem } = parseCsv(file, texts.length + 1)
  assert.equal(problem, null)
  assert.deepEqual(
    records.slice(1).map(({ cells }) => cells),
    texts.map((text) => [text, 'x']),
  )
})

// biome-ignore format: a table is read by its columns
const files: [name: string, file: string, records: [line: number, ...cells: string[]][], problem?: string][] = [
  ['empty',                     '',                         []],
  ['one cell',                  'a',                        [[1, 'a']]],
  ['CRLF',                      'a,b\r\nc,d\r\n',           [[1, 'a', 'b'], [2, 'c', 'd']]],
  ['LF, no last one',           'a\nb',                     [[1, 'a'], [2, 'b']]],
  ['CR',                        'a\rb\r',                   [[1, 'a'], [2, 'b']]],
  ['empty lines',               '\n\na\n,\nb',              [[3, 'a'], [5, 'b']]],
  ['byte order mark',           '\ufeffa,b\n',              [[1, 'a', 'b']]],
  ['quotes',                    '"a,b","c""d"\n',           [[1, 'a,b', 'c"d']]],
  ['line breaks in quotes',     '"a\nb\r\nc"\nd',           [[1, 'a\nb\r\nc'], [4, 'd']]],
  ['a quote inside plain text', 'a"b,c\n',                  [[1, 'a"b', 'c']]],
  ['empty cells',               ',a,\n',                    [[1, '', 'a', '']]],
  ['empty quotes',              '"",a',                     [[1, '', 'a']]],
  ['semicolons',                'a;b\n"c;d";e,f',           [[1, 'a', 'b'], [2, 'c;d', 'e,f']]],
  ['commas win',                'a,b;c\n',                  [[1, 'a', 'b;c']]],
  ['an open quote',             'a\n"b\nc',                 [[1, 'a']], 'has a quote that is never closed on line 2'],
  ['text after a quote',        'a\n"b"c\n',                [[1, 'a']], 'has text after a closing quote on line 2'],
  ['more than is read',         'a\nb\nc\nd\ne',            [[1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']]],
]

for (const [name, file, expected, problem = null] of files)
  test(`parseCsv: ${name}`, () => {
    const parsed = parseCsv(file, 3)
    assert.deepEqual(
      parsed.records.map(({ line, cells }) => [line, ...cells]),
      expected,
    )
    assert.equal(parsed.problem, problem)
  })

test('parseCsv: a megabyte of quotes ends in time', { timeout: 5000 }, () => {
  for (const file of ['"'.repeat(1_000_001), '"a"b'.repeat(250_000), ','.repeat(1_000_000)])
    parseCsv(file, 1000)
})

test('parseCsv: lines without anything are skipped, but not a million of them', () => {
  const some = parseCsv(`name${'\n'.repeat(20)}a`, 3)
  assert.deepEqual([some.records.length, some.problem], [2, null])
  for (const line of ['\n', ',\n', '\r\n', '"",""\n']) {
    const { problem } = parseCsv(line.repeat(100_000), 3)
    assert.equal(problem, 'must have at most 30 lines, even if most are empty')
  }
})
