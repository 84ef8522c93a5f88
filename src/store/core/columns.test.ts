import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fields, integer, required, text } from '../../domain/fields/field.ts'
import { columnsOf, insertMany, parametersOf, rowsOf, selectFields } from './columns.ts'
import type { Statement } from './db.ts'

const FIELDS = {
  title: required(text(), { about: 'Title.', example: 'A' }),
  maxTries: required(integer(), { about: 'Tries.', example: 1 }),
  period: required(integer(), { about: 'Seconds.', example: 1, column: 'period_seconds' }),
} as const satisfies Fields

test('a field is in the column of its name in snake case, or in its own', () => {
  const columns = columnsOf(FIELDS).map(({ column }) => column)
  assert.deepEqual(columns, ['title', 'max_tries', 'period_seconds'])
  const selected = 't.title as "title", t.max_tries as "maxTries", t.period_seconds as "period"'
  assert.equal(selectFields('t', FIELDS).text, selected)
  const { columns: named, values, assignments } = parametersOf(columns, 3)
  assert.equal(named.text, 'title, max_tries, period_seconds')
  assert.equal(values.text, '$3, $4, $5')
  assert.equal(assignments.text, 'title = $3, max_tries = $4, period_seconds = $5')
})

type Line = { uuid: string; at: Date | null }

const COLUMNS = {
  id: ['uuid', ({ uuid }: Line) => uuid],
  at: ['timestamptz', ({ at }: Line) => at],
} as const

const AT = new Date('2026-11-14T22:39:00.000Z')
const LINES = [
  { uuid: 'a', at: AT },
  { uuid: 'b', at: null },
]

test('rowsOf: one array for each column, with its type, name and values in the same place', () => {
  const given = rowsOf<Line>(COLUMNS, 2)
  assert.equal(given.text, 'unnest($2::uuid[], $3::timestamptz[]) as u (id, at)')
  assert.equal(given.columns.text, 'id, at')
  assert.deepEqual(given.values(LINES), [
    ['a', 'b'],
    [AT, null],
  ])
})

test('insertMany: one statement with the same text for any number of rows, and none for no rows', async () => {
  const sent: [Statement, unknown][] = []
  const db = {
    query<Row>(statement: Statement, values?: unknown): Promise<Row[]> {
      sent.push([statement, values])
      return Promise.resolve([])
    },
  }
  const insertLines = insertMany<Line>('lines', COLUMNS, { text: 'on conflict do nothing' })
  for (const rows of [LINES, LINES.slice(1), []]) await insertLines(db, rows)
  const [all, one] = sent
  assert.equal(sent.length, 2)
  assert.equal(all?.[0], one?.[0])
  const source = 'unnest($1::uuid[], $2::timestamptz[]) as u (id, at)'
  const text = `insert into lines (id, at) select u.* from ${source} on conflict do nothing`
  assert.equal(all?.[0].text, text)
  assert.deepEqual(one?.[1], [['b'], [null]])
})
