// Lines of a file that spreadsheets open.

export type Cell = string | number | boolean | null

// A spreadsheet runs what begins so. An apostrophe before it makes it text again, and is not shown there.
const RUNS = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** Ends with CRLF, as RFC 4180 wants it. Only texts can be formulas: numbers are ours. */
export function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const harmless = RUNS.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
