// Lines of a file that spreadsheets open.

export type CsvCell = string | number | boolean | null

// A spreadsheet may run what begins so, also in fullwidth signs and behind blanks it does not show. An apostrophe in
// front makes it text again, and is not shown there.
const RUNS = /^[\s\p{Cc}\p{Cf}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

/** The names of columns are ours, and stand as they are. */
export const toCsvHead = (columns: readonly string[]): string => `${columns.join(',')}\r\n`

/** Ends with CRLF, as RFC 4180 wants it. Only texts can be formulas: numbers are ours. */
export function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  if (cell === '') return ''
  const harmless = RUNS.test(cell) ? `'${cell}` : cell
  // Every text: where a semicolon separates cells, one inside a bare text would begin another cell.
  return `"${harmless.replaceAll('"', '""')}"`
}
