import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  MOVE_FORMAT,
  orderByReferences,
  parseManifest,
  parseMoveLine,
  toEndLine,
  toRowLine,
  toTableLine,
  withPeople,
} from './organization-move.ts'

const ID = '01920000-0000-7000-8000-000000000001'
const OTHER = '01920000-0000-7000-8000-000000000002'
const SUM = 'ab'.repeat(32)

test('what is written is read', () => {
  assert.deepEqual(parseMoveLine(toTableLine('monitors')), { kind: 'TABLE', table: 'monitors' })
  assert.deepEqual(parseMoveLine(toEndLine({ rows: 7, sha256: SUM })), {
    kind: 'END',
    end: { rows: 7, sha256: SUM },
  })
  for (const row of [
    { monitor: null, region: null, json: '{}' },
    { monitor: ID, region: 'eu-west', json: '{"a": "tab\\t"}' },
    { monitor: ID, region: null, json: '{"a": "with\ttab"}' },
  ])
    assert.deepEqual(parseMoveLine(toRowLine(row)), { kind: 'ROW', row })
})

const BAD_LINES = [
  '',
  'X\tmonitors',
  'R',
  'R\t-\t-',
  'R\t-\t-\t',
  'R\t-\t-\t[]',
  `R\t${ID}x\t-\t{}`,
  `R\t-\teu west\t{}`,
  'E\tmany\tsum',
  'E\t1e99\tsum',
]
for (const line of BAD_LINES)
  test(`not a line: ${JSON.stringify(line)}`, () => assert.equal(parseMoveLine(line), undefined))

const MANIFEST = {
  format: MOVE_FORMAT,
  schema: '0051-organizations-on-the-move.sql',
  orgId: ID,
  name: 'Acme',
  key: Buffer.alloc(32, 1).toString('base64'),
  frozenAt: '2026-11-16T12:00:00.000Z',
  firstDay: '2026-10-01',
  people: [{ uuid: OTHER, email: 'ana@example.com', name: 'Ana' }],
}

test('a manifest is read as it was written', () => {
  assert.deepEqual(parseManifest(JSON.stringify(MANIFEST)), MANIFEST)
})

const BAD_MANIFESTS: [what: string, given: unknown][] = [
  ['no object', null],
  ['a list', [MANIFEST]],
  ['another format', { ...MANIFEST, format: 'upvane-organization-export/1' }],
  ['an id that is SQL', { ...MANIFEST, orgId: `' or true --` }],
  ['a short key', { ...MANIFEST, key: 'AAAA' }],
  ['no key', { ...MANIFEST, key: undefined }],
  ['a day that is none', { ...MANIFEST, firstDay: '2026-10-01T00:00' }],
  ['people who are no list', { ...MANIFEST, people: {} }],
  ['a person without an address', { ...MANIFEST, people: [{ uuid: ID, name: 'Ana' }] }],
  ['too many people', { ...MANIFEST, people: Array(10_001).fill(MANIFEST.people[0]) }],
]
for (const [what, given] of BAD_MANIFESTS)
  test(`not a manifest: ${what}`, () =>
    assert.equal(parseManifest(JSON.stringify(given)), undefined))

test('not a manifest: no JSON', () => assert.equal(parseManifest('{'), undefined))

test('orderByReferences: parents first, whatever the order was', () => {
  const references = [
    { from: 'states', to: 'monitors' },
    { from: 'monitors', to: 'organizations' },
    { from: 'notes', to: 'incidents' },
    { from: 'incidents', to: 'monitors' },
    // To itself, and to a table that is not moved.
    { from: 'monitors', to: 'monitors' },
    { from: 'members', to: 'users' },
  ]
  const tables = ['notes', 'states', 'members', 'incidents', 'monitors', 'organizations']
  const ordered = orderByReferences(tables, references)
  assert.deepEqual(ordered.toSorted(), tables.toSorted())
  for (const { from, to } of references.filter((one) => one.from !== one.to && one.to !== 'users'))
    assert.ok(ordered.indexOf(to) < ordered.indexOf(from), `${to} before ${from}`)
})

test('orderByReferences: a circle is an error', () => {
  const circle = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ]
  assert.throws(() => orderByReferences(['a', 'b', 'c'], circle), /a, b/)
})

test('withPeople: every mention of a person, and nothing else', () => {
  const json = `{"user_id": "${ID}", "by": ["${ID}", "x"], "id": "${OTHER}"}`
  const moved = withPeople(json, new Map([[ID, 'new']]))
  assert.equal(moved, `{"user_id": "new", "by": ["new", "x"], "id": "${OTHER}"}`)
  assert.equal(withPeople(json, new Map()), json)
})
