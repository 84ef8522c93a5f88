// `${env:NAME}` inside strings. `$${env:NAME}` stands for the text itself.
import { isObject, type JsonValue } from '../model/json.ts'
import type { ValuePath } from '../schema/find-problems.ts'

const PLACEHOLDER = /\$?\$\{env:([A-Za-z_][A-Za-z0-9_]{0,99})\}/g
const LITERAL = /\$\{env:[A-Za-z_][A-Za-z0-9_]{0,99}\}/g

export type FilledFile = {
  value: JsonValue
  /** Paths, joined with dots, of the values that hold a variable. */
  hidden: Set<string>
  /** What the variables held. Never to be printed. */
  secrets: Set<string>
  missing: { name: string; path: ValuePath }[]
}

export function fillPlaceholders(
  value: JsonValue,
  env: Readonly<Record<string, string | undefined>>,
): FilledFile {
  const filled: FilledFile = { value: null, hidden: new Set(), secrets: new Set(), missing: [] }
  filled.value = walk(value, [])
  return filled

  function walk(each: JsonValue, path: ValuePath): JsonValue {
    if (typeof each === 'string')
      return each.replace(PLACEHOLDER, (text, name) => fill(text, name, path))
    if (Array.isArray(each)) return each.map((item, at) => walk(item, [...path, at]))
    if (!isObject(each)) return each
    const entries = Object.entries(each).map(([name, item]) => [name, walk(item, [...path, name])])
    return Object.fromEntries(entries) as JsonValue
  }

  function fill(text: string, name: string, path: ValuePath): string {
    if (text.startsWith('$$')) return text.slice(1)
    const given = env[name]
    if (given === undefined || given === '') {
      filled.missing.push({ name, path })
      return text
    }
    filled.hidden.add(path.join('.'))
    filled.secrets.add(given)
    return given
  }
}

/** Text that reads as a placeholder becomes text that does not. */
export function escapePlaceholders(text: string): string {
  return text.replace(LITERAL, (found) => `$${found}`)
}
