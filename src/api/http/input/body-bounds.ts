// How large the body of an operation can be and still be valid, computed from its schema. Anything larger is refused
// before it is parsed, because parsing and validating cost time that belongs to everybody.
import { VISIBLE_ASCII } from '../../../contract/schema.ts'
import type { Schema } from './validation.ts'

export type BodyBounds = {
  maxBytes: number
  /** Of a long body: before its escapes are undone as it arrives. `maxBytes` is what is kept then. */
  maxSentBytes?: number
  /** Values, names and brackets outside strings. */
  maxTokens: number
  maxDepth: number
}

/** `plainBytes`: without escapes that ASCII needs not. */
type Extent = { bytes: number; plainBytes: number; tokens: number; depth: number }

type Narrowing = { isLong?: boolean; mostTokens?: number }

export const MOST_BYTES = 2 * 1024 * 1024
export const FEWEST_BYTES = 16 * 1024
const SPARE_BYTES = 64 * 1024
// For properties that are ignored: fields of a newer version or, in a PATCH, the read-only fields of a resource that was
// read, changed and sent back.
const SPARE_TOKENS = { POST: 1_000, PUT: 1_000, PATCH: 10_000 }
const SPARE_DEPTH = 32

// `\ud83d\ude00`, `\u0061` and `\"`: the longest ways to write one character.
const ESCAPED_BYTES = 12
const ESCAPED_ASCII_BYTES = 6
const PLAIN_ASCII_BYTES = 2
const NUMBER_BYTES = 32
const LITERAL_BYTES = 5
// References and times have no length in the schema; a longer one is not found, or not a time.
const PLAIN_TEXT_LENGTH = 64
// Maps without a limit in the schema are limited by rules of the domain, such as 8 KiB of request headers.
const MAP_BYTES = 128 * 1024
const MAP_MEMBERS = 1_000

/** `isLong`: the largest valid body is accepted, however long it is. Of the others none is longer than `MOST_BYTES`. */
export function boundsOf(
  schema: Schema,
  method: keyof typeof SPARE_TOKENS,
  { isLong = false, mostTokens = Number.POSITIVE_INFINITY }: Narrowing = {},
): BodyBounds {
  const { bytes, plainBytes, tokens, depth } = extentOf(schema)
  const sizes = isLong
    ? { maxBytes: plainBytes + SPARE_BYTES, maxSentBytes: bytes + SPARE_BYTES }
    : { maxBytes: Math.min(MOST_BYTES, bytes + SPARE_BYTES) }
  return {
    ...sizes,
    maxTokens: Math.min(tokens, mostTokens) + SPARE_TOKENS[method],
    maxDepth: depth + SPARE_DEPTH,
  }
}

/** Of the largest value that the schema accepts. */
function extentOf(schema: Schema): Extent {
  const choices = [schema['anyOf'], schema['oneOf']].flatMap((some) =>
    Array.isArray(some) ? some : [],
  )
  const kinds = [schema['type']].flat()
  return largestOf([
    flat(LITERAL_BYTES),
    ...choices.map((choice) => extentOf(choice as Schema)),
    ...(kinds.includes('string') ? [textExtent(schema)] : []),
    ...(kinds.includes('integer') || kinds.includes('number') ? [flat(NUMBER_BYTES)] : []),
    ...(kinds.includes('array') ? [arrayExtent(schema)] : []),
    ...(kinds.includes('object') ? [objectExtent(schema)] : []),
  ])
}

function largestOf(extents: readonly Extent[]): Extent {
  const most = (of: keyof Extent) => Math.max(...extents.map((extent) => extent[of]))
  const [bytes, plainBytes] = [most('bytes'), most('plainBytes')]
  return { bytes, plainBytes, tokens: most('tokens'), depth: most('depth') }
}

function flat(bytes: number, plainBytes = bytes): Extent {
  return { bytes, plainBytes, tokens: 0, depth: 0 }
}

function textExtent({ maxLength, pattern, enum: values }: Schema): Extent {
  const lengths = Array.isArray(values) ? values.map((value) => String(value).length) : []
  const most = typeof maxLength === 'number' ? maxLength : Math.max(PLAIN_TEXT_LENGTH, ...lengths)
  return pattern === VISIBLE_ASCII
    ? flat(most * ESCAPED_ASCII_BYTES + 2, most * PLAIN_ASCII_BYTES + 2)
    : flat(most * ESCAPED_BYTES + 2)
}

function arrayExtent({ items, maxItems }: Schema): Extent {
  const item = extentOf(asSchema(items))
  const most = typeof maxItems === 'number' ? maxItems : MAP_MEMBERS
  return {
    bytes: 2 + most * (item.bytes + 1),
    plainBytes: 2 + most * (item.plainBytes + 1),
    tokens: 1 + most * (item.tokens + 1),
    depth: 1 + item.depth,
  }
}

function objectExtent(schema: Schema): Extent {
  const members = Object.entries(asSchema(schema['properties'])).map(([name, member]) =>
    memberExtent(name.length, extentOf(asSchema(member))),
  )
  const all = [...members, mapExtent(schema)]
  const sum = (of: keyof Extent) => all.reduce((total, member) => total + member[of], 0)
  return {
    bytes: 2 + sum('bytes'),
    plainBytes: 2 + sum('plainBytes'),
    tokens: 1 + sum('tokens'),
    depth: 1 + Math.max(0, ...all.map(({ depth }) => depth)),
  }
}

/** A name, a colon, a value and a comma. */
function memberExtent(nameLength: number, value: Extent): Extent {
  return {
    bytes: nameLength * ESCAPED_BYTES + 4 + value.bytes,
    plainBytes: nameLength * PLAIN_ASCII_BYTES + 4 + value.plainBytes,
    tokens: 2 + value.tokens,
    depth: value.depth,
  }
}

function mapExtent({ additionalProperties, maxProperties }: Schema): Extent {
  if (typeof additionalProperties !== 'object') return flat(0)
  const member = memberExtent(PLAIN_TEXT_LENGTH, extentOf(asSchema(additionalProperties)))
  const most = typeof maxProperties === 'number' ? maxProperties : MAP_MEMBERS
  return {
    bytes: typeof maxProperties === 'number' ? most * member.bytes : MAP_BYTES,
    plainBytes: typeof maxProperties === 'number' ? most * member.plainBytes : MAP_BYTES,
    tokens: most * member.tokens,
    depth: member.depth,
  }
}

const asSchema = (value: unknown): Schema =>
  typeof value === 'object' && value !== null ? (value as Schema) : {}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts outside strings, in one pass over the bytes, without parsing. What is not JSON is left to the parser. */
export function exceeds(bytes: Uint8Array, { maxTokens, maxDepth }: BodyBounds): boolean {
  let tokens = 0
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === COMMA || byte === COLON) tokens++
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      tokens++
      depth++
      if (depth > maxDepth) return true
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    if (tokens > maxTokens) return true
  }
  return false
}

/** Where the closing quote is, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
