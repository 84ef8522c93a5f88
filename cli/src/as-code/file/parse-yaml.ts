// YAML, and JSON as a part of it, with the position of every value.
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { JsonValue } from '../model/json.ts'
import type { ValuePath, ValueProblem } from '../schema/find-problems.ts'

/** Counted from one. */
type FilePosition = { line: number; column: number }

export type ParsedFile = {
  value: JsonValue
  /** Undefined if the format has no positions. */
  locate(path: ValuePath): FilePosition | undefined
  /** With their own positions: the value is incomplete. */
  syntax: (FilePosition & { message: string })[]
}

// A few lines of aliases can stand for a document that fills the memory.
const MAX_ALIASES = 100

export function parseYaml(text: string): ParsedFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const at = (offset: number): FilePosition => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const syntax = document.errors.map(({ pos, message }) => ({ ...at(pos[0]), message }))
  if (syntax.length > 0) return { value: null, locate: () => undefined, syntax }
  try {
    const value = document.toJS({ maxAliasCount: MAX_ALIASES }) as JsonValue
    return { value, locate, syntax }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { value: null, locate: () => undefined, syntax: [{ ...at(0), message }] }
  }

  function locate(path: ValuePath): FilePosition {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return at(node.range[0])
    }
    return at(0)
  }
}

/** One line for each problem: file:line:column and where in the file. */
export function printProblems(
  file: string,
  parsed: ParsedFile,
  problems: readonly ValueProblem[],
): string[] {
  const syntax = parsed.syntax.map(
    ({ line, column, message }) => `${file}:${line}:${column}: ${message}`,
  )
  const found = problems.map(({ path, message }) => {
    const position = parsed.locate(path)
    const where = position === undefined ? file : `${file}:${position.line}:${position.column}`
    const subject = path.length === 0 ? 'the file' : path.join('.')
    // "monitors.a: url is required", but "monitors.a.url must be a text".
    return `${where}: ${subject}${message.endsWith(' is required') ? ':' : ''} ${message}`
  })
  return [...syntax, ...found]
}
