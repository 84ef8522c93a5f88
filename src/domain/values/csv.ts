// Lines of a file for spreadsheets, and what our own files are read back as.

export type CsvCell = string | number | boolean | Date | null

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
  if (cell instanceof Date) return `"${cell.toISOString()}"`
  if (typeof cell !== 'string') return String(cell)
  if (cell === '') return ''
  const harmless = isRisky(cell) ? `'${cell}` : cell
  // Quotes every text: where semicolons separate cells, one inside unquoted text would begin a new cell.
  return `"${harmless.replaceAll('"', '""')}"`
}

/** Text that already begins with apostrophes gets one more, so that reading it back is exact. */
function isRisky(text: string): boolean {
  let start = 0
  while (text[start] === "'") start += 1
  return RUNS.test(text.slice(start))
}

/** The text of a cell without the apostrophe that `toCsvLine` put before it. */
const fromCell = (text: string): string =>
  text.startsWith("'") && isRisky(text) ? text.slice(1) : text

/** `line` is where the record begins, from 1. */
export type CsvRecord = { line: number; cells: string[] }
type Parsed = { records: CsvRecord[]; problem: string | null }

const BYTE_ORDER_MARK = '\ufeff'
const LINE_END = /\r\n|\r|\n/
/** For each record, counting empty lines: a file of nothing else must not keep everybody waiting. */
const MAX_LINES_PER_RECORD = 10

/**
 * Reads RFC 4180, also with other line ends, and with semicolons, which spreadsheets write in many countries. Empty
 * lines are skipped. Reads at most `maxRecords` and one more.
 */
export function parseCsv(file: string, maxRecords: number): Parsed {
  const text = file.startsWith(BYTE_ORDER_MARK) ? file.slice(1) : file
  const reader = new CsvReader(text, separatorOf(text))
  const records: CsvRecord[] = []
  const maxLines = MAX_LINES_PER_RECORD * maxRecords
  for (let lines = 0; !reader.isAtEnd && records.length <= maxRecords; lines++) {
    if (lines > maxLines)
      return { records, problem: `must have at most ${maxLines} lines, even if most are empty` }
    const record = reader.next()
    if (record === undefined) return { records, problem: reader.problem }
    if (record.cells.some((cell) => cell !== '')) records.push(record)
  }
  return { records, problem: null }
}

/** By the first line, which has our column names. */
function separatorOf(text: string): string {
  const [head = ''] = text.split(LINE_END, 1)
  return head.includes(';') && !head.includes(',') ? ';' : ','
}

class CsvReader {
  readonly #text: string
  readonly #separator: string
  #at = 0
  #line = 1
  problem: string | null = null

  constructor(text: string, separator: string) {
    this.#text = text
    this.#separator = separator
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Undefined if the file is broken here. */
  next(): CsvRecord | undefined {
    const record: CsvRecord = { line: this.#line, cells: [] }
    for (;;) {
      const cell = this.#text[this.#at] === '"' ? this.#quoted() : this.#plain()
      if (cell === undefined) return undefined
      record.cells.push(fromCell(cell))
      if (this.#text[this.#at] !== this.#separator) break
      this.#at += 1
    }
    this.#endLine()
    return record
  }

  #plain(): string {
    const from = this.#at
    while (!this.isAtEnd && !this.#isCellEnd()) this.#at += 1
    return this.#text.slice(from, this.#at)
  }

  #quoted(): string | undefined {
    const opened = this.#line
    let cell = ''
    for (;;) {
      const close = this.#text.indexOf('"', this.#at + 1)
      if (close < 0) return this.#fail(opened, 'has a quote that is never closed')
      const part = this.#text.slice(this.#at + 1, close)
      this.#line += lineEnds(part)
      cell += part
      this.#at = close + 1
      if (this.#text[this.#at] !== '"') break
      cell += '"'
    }
    return this.isAtEnd || this.#isCellEnd()
      ? cell
      : this.#fail(this.#line, 'has text after a closing quote')
  }

  #fail(line: number, message: string): undefined {
    this.problem = `${message} on line ${line}`
  }

  #isCellEnd(): boolean {
    const sign = this.#text[this.#at]
    return sign === this.#separator || sign === '\r' || sign === '\n'
  }

  #endLine(): void {
    if (this.#text[this.#at] === '\r' && this.#text[this.#at + 1] === '\n') this.#at += 1
    this.#at += 1
    this.#line += 1
  }
}

const lineEnds = (text: string): number => text.split(LINE_END).length - 1
