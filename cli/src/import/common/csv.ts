// Reads CSV as spreadsheets and dashboards write it: RFC 4180, with commas or semicolons.
import { CommandError } from '../../command.ts'
import type { SourceRow } from './values.ts'

const MAX_RECORDS = 100_000
const MAX_COLUMNS = 200
// Text that a spreadsheet could run has an apostrophe before it in our exports.
const RUNS = /^'+[\s\p{Cc}\p{Cf}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^'+[\t\r\n]/u

/** Each line as a row, with the names of the first line in lower case. */
export function readCsv(path: string, file: string): SourceRow[] {
  const text = file.startsWith('\ufeff') ? file.slice(1) : file
  const [head = [], ...records] = recordsOf(path, text)
  const columns = head.map((name) => name.trim().toLowerCase())
  return records.map((cells) =>
    Object.fromEntries(
      columns.flatMap((name, at): [string, string][] =>
        name === '' || name === '__proto__' ? [] : [[name, toText(cells[at] ?? '')]],
      ),
    ),
  )
}

const toText = (cell: string): string => (RUNS.test(cell) ? cell.slice(1) : cell)

function recordsOf(path: string, text: string): string[][] {
  const [first = ''] = text.split('\n', 1)
  const separator = first.includes(';') && !first.includes(',') ? ';' : ','
  const records: string[][] = []
  let record: string[] = []
  let at = 0
  while (at < text.length) {
    const { cell, next } = cellAt(path, text, at, separator)
    record.push(cell)
    if (record.length > MAX_COLUMNS) throw new CommandError(1, `${path} has too many columns.`)
    if (text[next] === separator && next < text.length) {
      at = next + 1
      if (at === text.length) record.push('')
      else continue
    } else at = next + (text.startsWith('\r\n', next) ? 2 : 1)
    if (record.some((each) => each !== '')) records.push(record)
    if (records.length > MAX_RECORDS)
      throw new CommandError(1, `${path} has more than ${MAX_RECORDS} lines.`)
    record = []
  }
  return records
}

function cellAt(path: string, text: string, from: number, separator: string) {
  if (text[from] !== '"') {
    let next = from
    while (next < text.length && !isEnd(text[next], separator)) next += 1
    return { cell: text.slice(from, next), next }
  }
  let cell = ''
  let at = from + 1
  for (;;) {
    const close = text.indexOf('"', at)
    if (close < 0) throw new CommandError(1, `${path} has a quote that is never closed.`)
    cell += text.slice(at, close)
    if (text[close + 1] !== '"') {
      const next = close + 1
      if (next < text.length && !isEnd(text[next], separator))
        throw new CommandError(1, `${path} has text after a closing quote.`)
      return { cell, next }
    }
    cell += '"'
    at = close + 2
  }
}

const isEnd = (sign: string | undefined, separator: string): boolean =>
  sign === separator || sign === '\r' || sign === '\n'
