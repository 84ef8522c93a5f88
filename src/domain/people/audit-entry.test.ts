import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AuditChange,
  type AuditedFields,
  changesBetween,
  toAuditName,
  toAuditValue,
} from './audit-entry.ts'

const LONG = 'x'.repeat(500)

// biome-ignore format: one change per line
const CHANGES: [what: string, before: AuditedFields, after: AuditedFields, expected: AuditChange[]][] = [
  ['nothing', { name: { value: 'API' } }, { name: { value: 'API' } }, []],
  ['a text', { name: { value: 'API' } }, { name: { value: 'Web' } }, [{ field: 'name', from: 'API', to: 'Web' }]],
  ['a number from nothing', { ms: { value: null } }, { ms: { value: 500 } }, [{ field: 'ms', from: null, to: 500 }]],
  ['a switch', { on: { value: true } }, { on: { value: false } }, [{ field: 'on', from: true, to: false }]],
  ['a list', { codes: { value: [200] } }, { codes: { value: [200, 204] } }, [{ field: 'codes', from: '200', to: '200, 204' }]],
  ['an emptied list', { codes: { value: ['a'] } }, { codes: { value: [] } }, [{ field: 'codes', from: 'a', to: null }]],
  ['a time', { at: { value: new Date(0) } }, { at: { value: null } }, [{ field: 'at', from: '1970-01-01T00:00:00.000Z', to: null }]],
  ['a secret', { body: { value: 'old', isSecret: true } }, { body: { value: 'new', isSecret: true } }, [{ field: 'body' }]],
  ['a secret that is new', { body: { value: null } }, { body: { value: 'new', isSecret: true } }, [{ field: 'body' }]],
  ['an equal text for other values', { ids: { value: ['a'], shown: '1 monitor' } }, { ids: { value: ['b'], shown: '1 monitor' } }, [{ field: 'ids' }]],
  ['a field that is new', {}, { token: { value: 'x', shown: 'set' } }, [{ field: 'token', from: null, to: 'set' }]],
]

for (const [what, before, after, expected] of CHANGES)
  test(`changesBetween: ${what}`, () => {
    assert.deepEqual(changesBetween(before, after), expected)
  })

test('changesBetween: many long values stay within what one entry may hold', () => {
  const fieldsWith = (value: string): AuditedFields =>
    Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field${index}`, { value }]))
  const changes = changesBetween(fieldsWith(`a${LONG}`), fieldsWith(`"\u{1F600}${LONG}`))
  assert.equal(changes.length, 60)
  assert.equal(changes[0]?.from, `a${LONG.slice(0, 198)}…`)
  assert.ok(Buffer.byteLength(JSON.stringify({ changes })) < 32_768)
  assert.deepEqual(changes.at(-1), { field: 'field59' }, 'beyond the room, only what changed')
})

test('changesBetween: the longest values in four bytes each still fit', () => {
  const fieldsWith = (value: string): AuditedFields =>
    Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, { value }]))
  const changes = changesBetween(
    fieldsWith('\u{1F600}'.repeat(300)),
    fieldsWith('\u{1F601}'.repeat(300)),
  )
  assert.ok(Buffer.byteLength(JSON.stringify({ changes })) < 32_768)
})

// biome-ignore format: one value per line
const VALUES: [value: unknown, shown: ReturnType<typeof toAuditValue>][] = [
  ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
  ['https://ana:hunter2@example.com/', 'https://***@example.com/'],
  ['https://:hunter2@example.com/', 'https://***@example.com/'],
  ['https://example.com/?api_key=hunter2&page=2', 'https://example.com/?api_key=***&page=2'],
  ['https://example.com/?page=2&Access-Token=hunter2', 'https://example.com/?page=2&Access-Token=***'],
  [['https://ana:hunter2@example.com/', 'b'], 'https://***@example.com/, b'],
  ['two\nlines\u0000', 'two lines '],
  ['half \ud83d', 'half \ufffd'],
  [{ from: '22:00' }, '{"from":"22:00"}'],
  [undefined, null],
]

for (const [value, shown] of VALUES)
  test(`toAuditValue: ${JSON.stringify(value)}`, () => {
    assert.equal(toAuditValue(value), shown)
  })

test('toAuditName: at most 200 whole characters', () => {
  assert.equal([...toAuditName('\u{1F600}'.repeat(300))].length, 200)
  assert.equal(toAuditName('API'), 'API')
})
