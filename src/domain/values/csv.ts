// Lines of a file for spreadsheets.

export type CsvCell = string | number | boolean | null

// A spreadsheet may run text that begins like this, including fullwidth characters and behind invisible spaces. A
// leading apostrophe turns it back into text and is not displayed.
const RUNS = /^[\s\p{Cc}\p{Cf}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

/** Column names are our own and need no escaping. */
export const toCsvHead = (columns: readonly string[]): string => `${columns.join(',')}\r\n`

/** Ends with CRLF, as RFC 4180 requires. Only text can be a formula: numbers are our own. */
export function toCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

function toCell(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  if (cell === '') return ''
  const harmless = RUNS.test(cell) ? `'${cell}` : cell
  // Quotes every text: where semicolons separate cells, one inside unquoted text would begin a new cell.
  return `"${harmless.replaceAll('"', '""')}"`
}
