import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Cell, toDetails, toTable } from './table.ts'
import { cut, pad, widthOf } from './width.ts'

const plain = (_style: string, text: string): string => text
const marked = (style: string, text: string): string => `<${style}>${text}</>`

const COLUMNS = [
  { title: 'STATE' },
  { title: 'NAME', shrinksTo: 8 },
  { title: 'TARGET', shrinksTo: 8 },
  { title: 'ID' },
]
const ROWS: Cell[][] = [
  ['UP', 'Checkout of the shop', 'https://shop.example.com/checkout', 'mon_1'],
  ['DOWN', 'Blog', '-', 'mon_22'],
]

test('at full width every cell is whole, and lines have no blanks at the end', () => {
  assert.deepEqual(toTable(COLUMNS, ROWS, Number.POSITIVE_INFINITY, plain), [
    'STATE  NAME                  TARGET                             ID',
    'UP     Checkout of the shop  https://shop.example.com/checkout  mon_1',
    'DOWN   Blog                  -                                  mon_22',
  ])
})

test('a narrow terminal takes from the widest columns that may shrink', () => {
  assert.deepEqual(toTable(COLUMNS, ROWS, 50, plain), [
    'STATE  NAME              TARGET             ID',
    'UP     Checkout of the…  https://shop.exa…  mon_1',
    'DOWN   Blog              -                  mon_22',
  ])
})

test('a very narrow terminal leaves out the last columns', () => {
  assert.deepEqual(toTable(COLUMNS, ROWS, 16, plain), [
    'STATE  NAME',
    'UP     Checkout…',
    'DOWN   Blog',
  ])
})

test('styles surround the padded text, so columns stay aligned', () => {
  const rows: Cell[][] = [[{ text: 'UP', style: 'green' }, 'a', 'b', 'c']]
  const [, line] = toTable(COLUMNS, rows, 80, marked)
  assert.equal(line, '<green>UP   </>  a     b       c')
})

test('no line is wider than the terminal, whatever the texts are', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  const rows = fc.array(fc.tuple(text, text, text, text), { maxLength: 5 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 120 }), (cells, columns) => {
      for (const line of toTable(COLUMNS, cells, columns, plain)) {
        assert.ok(widthOf(line) <= columns, `${widthOf(line)} > ${columns}`)
        assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      }
    }),
  )
})

test('details leave out what has no value, and are cut to the terminal', () => {
  const rows: [string, Cell | null][] = [
    ['Name', 'Checkout of the shop'],
    ['Cause', null],
    ['State', { text: 'UP', style: 'green' }],
  ]
  assert.deepEqual(toDetails(rows, 20, marked), [
    '<dim>Name </>  Checkout of …',
    '<dim>State</>  <green>UP</>',
  ])
})

// biome-ignore format: a table is read by its columns
const widths: [text: string, width: number][] = [
  ['',          0],
  ['abc',       3],
  ['Größe',     5],
  ['e\u0301',   1],
  ['日本語',     6],
  ['한국',       4],
  ['🚀 go',      5],
  ['…',         1],
]
for (const [text, width] of widths)
  test(`"${text}" takes ${width} columns`, () => {
    assert.equal(widthOf(text), width)
    assert.equal(widthOf(pad(text, 10)), 10)
  })

test('cut keeps wide characters whole', () => {
  assert.equal(cut('日本語', 6), '日本語')
  assert.equal(cut('日本語', 5), '日本…')
  assert.equal(cut('日本語', 4), '日…')
  assert.equal(cut('abc', 1), '…')
  assert.equal(cut('abc', 0), '')
})
