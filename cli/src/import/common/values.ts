// Reads files whose content nobody has checked: a wrong type is as good as nothing.
import { CommandError } from '../../command.ts'

export type SourceRow = Readonly<Record<string, unknown>>

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/
const MAX_DEPTH = 50
const MAX_ROWS = 100_000
const MAX_CONTAINERS = 2_000_000
const [QUOTE, BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END] = [34, 92, 123, 125, 91, 93]

export function isRow(value: unknown): value is SourceRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty row for anything else, so that it is counted and refused, not lost. */
export function toRow(value: unknown): SourceRow {
  return isRow(value) ? value : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function rowsOf(value: unknown): SourceRow[] {
  const list = listOf(value)
  if (list.length > MAX_ROWS)
    throw new CommandError(1, `The file has a list with more than ${MAX_ROWS} entries.`)
  return list.map(toRow)
}

/** The first of the names that the row has. */
function valueOf(row: SourceRow, ...names: string[]): unknown {
  for (const name of names) if (Object.hasOwn(row, name)) return row[name]
  return undefined
}

export function textOf(row: SourceRow, ...names: string[]): string {
  const value = valueOf(row, ...names)
  if (typeof value === 'string') return value.trim().toWellFormed()
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : ''
}

/** Texts and numbers. Anything else is empty: it may not even be possible to turn it into a text. */
export function toPlainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** With the spaces around it: in passwords, bodies and keywords they count. */
export function exactTextOf(row: SourceRow, ...names: string[]): string {
  const value = valueOf(row, ...names)
  return typeof value === 'string' ? value.toWellFormed() : textOf(row, ...names)
}

export function numberOf(row: SourceRow, ...names: string[]): number | undefined {
  const value = valueOf(row, ...names)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : undefined
}

/** Databases say 1, exports say true, some say "true". Undefined if the row does not say. */
export function flagOf(row: SourceRow, ...names: string[]): boolean | undefined {
  const value = valueOf(row, ...names)
  if (typeof value === 'boolean') return value
  if (value === 1 || value === 1n || value === '1' || value === 'true') return true
  return value === 0 || value === 0n || value === '0' || value === 'false' ? false : undefined
}

/** JSON inside a text field; undefined if it is none. */
export function jsonOf(row: SourceRow, ...names: string[]): unknown {
  const value = valueOf(row, ...names)
  if (typeof value !== 'string') return value ?? undefined
  if (shapeOf(value) !== 'fits') return undefined
  try {
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}

/** Files of these tools are neither so deep nor so large. The stack could overflow, or the memory could run out. */
export function shapeOf(json: string): 'fits' | 'too deep' | 'too large' {
  let depth = 0
  let containers = 0
  let isQuoted = false
  for (let at = 0; at < json.length; at += 1) {
    const sign = json.charCodeAt(at)
    if (isQuoted) {
      if (sign === BACKSLASH) at += 1
      else if (sign === QUOTE) isQuoted = false
    } else if (sign === QUOTE) isQuoted = true
    else if (sign === BRACE || sign === BRACKET) {
      depth += 1
      containers += 1
      if (depth > MAX_DEPTH) return 'too deep'
      if (containers > MAX_CONTAINERS) return 'too large'
    } else if (sign === BRACE_END || sign === BRACKET_END) depth -= 1
  }
  return 'fits'
}

/** Any value on one line of a report. */
export function toShownText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    // A bigint.
    return '(not shown)'
  }
}
