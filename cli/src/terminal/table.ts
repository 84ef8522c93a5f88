// Tables for people. Pure: the width of the terminal is an argument.
import { clean, type Style } from './text.ts'
import { cut, pad, widthOf } from './width.ts'

export type Cell = string | { text: string; style: Style }

export type Column = {
  title: string
  /** Gets narrower when the terminal is, down to its title or this many columns. Other columns keep their width. */
  shrinksTo?: number
}

type Paint = (style: Style, text: string) => string

const GAP = '  '

/** One line per row, none longer than `columns`. Text of cells is cleaned. */
export function toTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  available: number,
  paint: Paint,
): string[] {
  const cells = rows.map((row) => row.map(toPlain))
  const natural = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[index]?.text ?? ''))),
  )
  const widths = fit(columns, natural, available)
  const line = (row: readonly PlainCell[]): string =>
    row
      .slice(0, widths.length)
      .map((cell, index) => toText(cell, widths, index, paint))
      .join(GAP)
  const header = columns.map(({ title }): PlainCell => ({ text: title, style: 'dim' }))
  return [header, ...cells].map(line)
}

/** Two columns: what it is, and its value. Rows without a value are left out. */
export function toDetails(
  rows: readonly (readonly [label: string, value: Cell | null])[],
  available: number,
  paint: Paint,
): string[] {
  const given = rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
  const width = Math.max(0, ...given.map(({ label }) => widthOf(label)))
  return given.map(({ label, value }) => {
    const { text, style } = toPlain(value)
    const shown = cut(text, available - width - GAP.length)
    return `${paint('dim', pad(label, width))}${GAP}${style ? paint(style, shown) : shown}`
  })
}

type PlainCell = { text: string; style?: Style }

function toPlain(cell: Cell): PlainCell {
  return typeof cell === 'string'
    ? { text: clean(cell) }
    : { text: clean(cell.text), style: cell.style }
}

function toText(
  { text, style }: PlainCell,
  widths: readonly number[],
  index: number,
  paint: Paint,
): string {
  const width = widths[index] ?? 0
  const shown = cut(text, width)
  // No blanks at the end of a line.
  const padded = index === widths.length - 1 ? shown : pad(shown, width)
  return style ? paint(style, padded) : padded
}

/** Widths of the columns that are shown: the last ones are left out if even the narrowest table is too wide. */
function fit(columns: readonly Column[], natural: readonly number[], available: number): number[] {
  const floors = columns.map(({ title, shrinksTo }, index) => {
    const width = natural[index] ?? 0
    return shrinksTo === undefined ? width : Math.min(width, Math.max(widthOf(title), shrinksTo))
  })
  let shown = columns.length
  while (shown > 1 && totalOf(floors.slice(0, shown)) > available) shown--
  const widths = natural.slice(0, shown)
  while (totalOf(widths) > available) {
    const widest = indexOfWidest(widths, floors)
    if (widest === undefined) return [Math.max(0, available)]
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1))
}

function indexOfWidest(widths: readonly number[], floors: readonly number[]): number | undefined {
  const narrowable = widths
    .map((width, index) => ({ width, index }))
    .filter(({ width, index }) => width > (floors[index] ?? 0))
  return narrowable.toSorted((a, b) => b.width - a.width)[0]?.index
}
