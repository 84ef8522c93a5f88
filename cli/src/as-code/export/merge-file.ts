// Adds entries to a file that people wrote: every line of it stays as it is.
import { type Document, isMap, LineCounter, parse, parseDocument, type YAMLMap } from 'yaml'
import { isSame, type JsonValue } from '../model/json.ts'
import { RESOURCE_KINDS, type ResourceKind } from '../model/kinds.ts'
import {
  addEntries,
  type ExportedEntry,
  type ExportedFile,
  PRINT,
  printEntries,
} from './to-file.ts'

/** Adds what the file does not have. */
export function mergeExport(text: string, { entries }: ExportedFile): string {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const missing = entries.filter(({ kind, key }) => !document.hasIn([kind, key]))
  if (missing.length === 0) return text
  const inserted = insertEntries(text, document, lines, missing)
  addEntries(document, missing)
  // A file of another style, such as JSON, is printed again. Comments stay also then.
  return hasValue(inserted, document.toJS() as JsonValue) ? inserted : document.toString(PRINT)
}

function insertEntries(
  text: string,
  document: Document.Parsed,
  lines: LineCounter,
  missing: readonly ExportedEntry[],
): string {
  const places = RESOURCE_KINDS.flatMap((kind) => {
    const entries = missing.filter((entry) => entry.kind === kind)
    return entries.length === 0 ? [] : [toPlace(kind, entries)]
  })
  return places
    .toSorted((one, other) => other.at - one.at)
    .reduce((rest, { at, added }) => `${toLines(rest.slice(0, at))}${added}${rest.slice(at)}`, text)

  function toPlace(kind: ResourceKind, entries: ExportedEntry[]) {
    const section: unknown = document.get(kind, true)
    if (!isMap(section)) return { at: text.length, added: `${kind}:\n${printEntries(entries, 2)}` }
    return { at: endOf(text, section), added: printEntries(entries, indentOf(section, lines)) }
  }
}

/** Where the line after the last entry starts. */
function endOf(text: string, { range }: YAMLMap): number {
  const end = range?.[1] ?? text.length
  if (text[end - 1] === '\n') return end
  const newline = text.indexOf('\n', end)
  return newline < 0 ? text.length : newline + 1
}

function indentOf({ range }: YAMLMap, lines: LineCounter): number {
  return Math.max(0, lines.linePos(range?.[0] ?? 0).col - 1)
}

function toLines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function hasValue(text: string, value: JsonValue): boolean {
  try {
    return isSame(parse(text) as JsonValue, value)
  } catch {
    return false
  }
}
