// Rows in the text format of COPY.
import type pg from 'pg'
import { copyRows } from '../../src/store/wire/copy-rows.ts'

type Row = readonly unknown[]

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

/** One line per row. */
export function toCopyText(rows: readonly Row[]): string {
  return rows.map((row) => `${row.map(toField).join('\t')}\n`).join('')
}

function toField(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  // The backslash of bytea's own format is escaped once more.
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`
  if (Array.isArray(value)) return `{${value.join(',')}}`
  return escaped(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function escaped(text: string): string {
  return text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)
}

/** `columns`: the table's, in the order of the values. */
export async function copyText(
  client: pg.Client,
  table: string,
  columns: string,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const text = `copy ${table} (${columns}) from stdin`
  await copyRows(client, text, Buffer.from(toCopyText(rows)))
}
