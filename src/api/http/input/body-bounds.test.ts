import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXT_OPERATIONS } from '../../../contract/ext/operations.ts'
import { PRIVATE_OPERATIONS } from '../../../contract/private/operations.ts'
import { OPERATIONS } from '../../../contract/public/operations.ts'
import { VISIBLE_ASCII } from '../../../contract/schema.ts'
import { bodyBounds } from '../bind.ts'
import { AsciiUnescaper } from './ascii-unescaper.ts'
import { boundsOf, exceeds } from './body-bounds.ts'
import type { Schema } from './validation.ts'

const bytesOf = (text: string) => Buffer.from(text)
const bounds = (maxTokens: number, maxDepth: number) => ({ maxBytes: 0, maxTokens, maxDepth })

const EXCEEDING: [text: string, tokens: number, depth: number][] = [
  ['{}', 1, 1],
  ['[[[]]]', 3, 3],
  ['{"a":1,"b":[2,3]}', 6, 2],
  // Nothing inside a string counts, however it is escaped.
  ['{"a":"[[[[,,,,::::{{{{"}', 2, 1],
  [String.raw`{"a":"\"[,","b":"\\"}`, 4, 1],
  [String.raw`{"a":"\\\"[,"}`, 2, 1],
  // Not JSON: left to the parser, without running past the end.
  ['"never closed [[[[', 0, 0],
  [String.raw`"ends in a backslash \ `.trimEnd(), 0, 0],
  [']]]]', 0, 0],
]

for (const [text, tokens, depth] of EXCEEDING)
  test(`exceeds: ${text} has ${tokens} tokens and a depth of ${depth}`, () => {
    assert.equal(exceeds(bytesOf(text), bounds(tokens, depth)), false)
    if (tokens > 0) assert.equal(exceeds(bytesOf(text), bounds(tokens - 1, depth)), true)
    if (depth > 0) assert.equal(exceeds(bytesOf(text), bounds(tokens, depth - 1)), true)
  })

const all = [...OPERATIONS, ...EXT_OPERATIONS, ...PRIVATE_OPERATIONS].filter(
  ({ body }) => body !== undefined,
)

// What their schemas cannot say: a page has 200 components in all, and an imported file is 2 MB.
const SMALLER_THAN_THEIR_SCHEMA = new Set([
  'createStatusPage',
  'updateStatusPage',
  'previewStatusPage',
  'previewMonitorImport',
  'importMonitors',
])

test('the largest valid body of every operation is accepted, in the longest way to write it', () => {
  assert.ok(all.length > 50)
  for (const operation of all) {
    const schema = operation.body?.schema as unknown as Schema
    const text = longest(schema)
    const limit = bodyBounds(operation)
    const hasFewer = operation.body?.mostTokens !== undefined
    assert.equal(exceeds(bytesOf(text), limit), hasFewer, operation.id)
    const most = limit.maxSentBytes ?? limit.maxBytes
    const isWithin = text.length <= most
    assert.equal(
      isWithin,
      !SMALLER_THAN_THEIR_SCHEMA.has(operation.id),
      `${operation.id}: ${text.length} of ${most} bytes`,
    )
    if (limit.maxSentBytes === undefined) continue
    const unescaper = new AsciiUnescaper()
    const kept = unescaper.add(bytesOf(text)).length + unescaper.end().length
    assert.ok(kept <= limit.maxBytes, `${operation.id}: ${kept} of ${limit.maxBytes} bytes`)
  }
})

test('small operations have small limits', () => {
  const limitOf = (id: string) => {
    const operation = all.find((each) => each.id === id)
    assert.ok(operation, id)
    return bodyBounds(operation)
  }
  assert.ok(limitOf('createTag').maxBytes < 100 * 1024)
  assert.ok(limitOf('pauseMonitor').maxTokens < 2_000)
  // 230,000 unknown names need 460,000 tokens.
  for (const operation of all)
    assert.ok(
      bodyBounds(operation).maxTokens < (operation.id === 'importMonitors' ? 150_000 : 60_000),
      `${operation.id}: ${bodyBounds(operation).maxTokens}`,
    )
})

test('boundsOf: maps and nested lists count with their largest sizes', () => {
  const { maxTokens, maxDepth } = boundsOf(
    {
      type: 'object',
      properties: {
        rows: {
          type: 'array',
          maxItems: 10,
          items: { type: 'object', properties: { a: { type: 'integer' } } },
        },
      },
    },
    'POST',
  )
  // {, rows, :, [, and ten times {, a, :, and a comma each.
  assert.equal(maxTokens, 1 + 2 + 1 + 10 * (1 + 2 + 1) + 1000)
  assert.equal(maxDepth, 3 + 32)
})

/** A value that the schema accepts as far as sizes go, with every character escaped. */
function longest(schema: Schema): string {
  const choices = [schema['anyOf'], schema['oneOf']].flat().filter(Boolean) as Schema[]
  if (choices.length > 0)
    return choices.map(longest).toSorted((a, b) => b.length - a.length)[0] ?? ''
  const kinds = [schema['type']].flat()
  if (kinds.includes('object')) return longestObject(schema)
  if (kinds.includes('array')) {
    const item = longest((schema['items'] ?? {}) as Schema)
    return `[${Array.from({ length: Number(schema['maxItems'] ?? 1000) }, () => item).join(',')}]`
  }
  if (kinds.includes('string')) {
    const length = Number(schema['maxLength'] ?? 30)
    return schema['pattern'] === VISIBLE_ASCII ? quoted(ASCII, length) : escaped(length)
  }
  return kinds.includes('number') || kinds.includes('integer') ? '1.2345678901234567e+308' : 'false'
}

function longestObject(schema: Schema): string {
  const known = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
  const others = schema['additionalProperties']
  const map =
    typeof others === 'object' && others !== null ? Number(schema['maxProperties'] ?? 64) : 0
  const members = [
    ...known.map(([name, member]) => `${quoted(ASCII, name.length)}:${longest(member)}`),
    ...Array.from({ length: map }, () => `${escaped(20)}:${longest(others as Schema)}`),
  ]
  return `{${members.join(',')}}`
}

const ASCII = String.raw`\u0061`
const quoted = (character: string, length: number) => `"${character.repeat(length)}"`
const escaped = (length: number) => quoted(String.raw`\ud83d\ude00`, length)
