// One message of a catalog: text with `{name}`, `{count, plural, one {# day} other {# days}}` and `<b>marked words</b>`.
// This is the part of ICU MessageFormat that the tools of translators know.

/** What a message has besides text. */
type Part =
  | string
  | { kind: 'value'; name: string }
  | { kind: 'count'; name: string }
  | { kind: 'plural'; name: string; cases: Readonly<Record<string, Parts>> }
  | { kind: 'tag'; name: string; inside: Parts }
export type Parts = readonly Part[]

/** How people who speak a language write numbers and count. */
export type Language<Node> = {
  formatCount: (count: number) => string
  plurals: Intl.PluralRules
  /** Makes one element of several, such as `Hello <b>Ana</b>`. */
  join: (pieces: readonly unknown[]) => Node
}

type Values = Readonly<Record<string, unknown>>
type Mark = (inside: unknown) => unknown

const NAME = /[a-z]\w*/y
const CASE = / *(=\d+|[a-z]+) */y
const TEXT = /[^{}<#]+/y

/** What is read, and how far. */
type Reader = { text: string; at: number }

/** Throws if the text is not a message. */
export function parseMessage(text: string): Parts {
  const reader = { text, at: 0 }
  const parts = readParts(reader, '}')
  return reader.at < text.length ? fail(reader) : parts
}

const fail = ({ text, at }: Reader): never => {
  throw new Error(`Not a message, see character ${at + 1}: ${text}`)
}

function skip(reader: Reader, what: string): boolean {
  const found = reader.text.startsWith(what, reader.at)
  if (found) reader.at += what.length
  return found
}

const need = (reader: Reader, what: string) => skip(reader, what) || fail(reader)

function read(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text) ?? fail(reader)
  reader.at += found[0].length
  return found[1] ?? found[0]
}

/** Up to `end`. `counted` is what `#` stands for. */
function readParts(reader: Reader, end: string, counted?: string): Parts {
  const parts: Part[] = []
  const { text } = reader
  while (reader.at < text.length && !text.startsWith(end, reader.at))
    parts.push(readPart(reader, counted))
  return parts
}

function readPart(reader: Reader, counted?: string): Part {
  if (skip(reader, '{')) return readArgument(reader, counted)
  if (/^<[a-z]/.test(reader.text.slice(reader.at, reader.at + 2))) return readTag(reader, counted)
  if (skip(reader, '#')) return counted === undefined ? '#' : { kind: 'count', name: counted }
  return skip(reader, '<') ? '<' : read(reader, TEXT)
}

function readTag(reader: Reader, counted?: string): Part {
  need(reader, '<')
  const name = read(reader, NAME)
  need(reader, '>')
  const end = `</${name}>`
  const inside = readParts(reader, end, counted)
  need(reader, end)
  return { kind: 'tag', name, inside }
}

function readArgument(reader: Reader, counted?: string): Part {
  const name = read(reader, NAME)
  if (skip(reader, '}')) return { kind: 'value', name }
  need(reader, ', plural,')
  const cases: Record<string, Parts> = {}
  while (!skip(reader, '}')) {
    const key = read(reader, CASE)
    need(reader, '{')
    cases[key] = readParts(reader, '}', name)
    need(reader, '}')
  }
  return counted === undefined && cases['other'] ? { kind: 'plural', name, cases } : fail(reader)
}

/** Values are never read as messages. The result is text, unless something else was put in. */
export function fill(parts: Parts, values: Values, language: Language<unknown>): unknown {
  const pieces = piecesOf(parts, values, language)
  const isText = pieces.every((piece) => typeof piece === 'string')
  return isText ? pieces.join('') : language.join(pieces)
}

const piecesOf = (parts: Parts, values: Values, language: Language<unknown>): unknown[] =>
  parts.flatMap((part): unknown[] => {
    if (typeof part === 'string') return [part]
    const value = values[part.name]
    if (part.kind === 'tag') return [(value as Mark)(fill(part.inside, values, language))]
    if (part.kind !== 'plural')
      return [typeof value === 'number' ? language.formatCount(value) : (value ?? `{${part.name}}`)]
    const { cases } = part
    const form = cases[`=${value}`] ?? cases[language.plurals.select(Number(value))]
    return piecesOf(form ?? cases['other'] ?? [], values, language)
  })
