import assert from 'node:assert/strict'
import { test } from 'node:test'
import { READ_TOOLS } from './read-tools.ts'
import { searchDocs } from './search-docs.ts'
import { WRITE_TOOLS } from './write-tools.ts'

const MAX_LIST_BYTES = 12_000
const ALL = [...READ_TOOLS, ...WRITE_TOOLS].map(({ contract }) => contract)
type Schema = { required?: string[]; properties: Record<string, { default?: unknown }> }
const schemaOf = (input: unknown) => JSON.parse(JSON.stringify(input)) as Schema

test('ten tools read, seven write, and each has its own name', () => {
  assert.equal(READ_TOOLS.length, 10)
  assert.equal(WRITE_TOOLS.length, 7)
  assert.equal(new Set(ALL.map(({ name }) => name)).size, 17)
  assert.ok(READ_TOOLS.every(({ contract }) => !contract.writes))
  assert.ok(WRITE_TOOLS.every(({ contract }) => contract.writes))
})

test('no tool deletes, or has to do with keys and secrets', () => {
  for (const { name } of ALL)
    for (const word of ['delete', 'remove', 'key', 'secret', 'rotate'])
      assert.ok(!name.includes(word), name)
})

for (const { contract } of WRITE_TOOLS)
  test(`${contract.name}: needs a requestKey, and a decision about subscribers`, () => {
    const { required = [], properties } = schemaOf(contract.input)
    assert.ok(required.includes('requestKey'))
    assert.equal('notifySubscribers' in properties, required.includes('notifySubscribers'))
    assert.equal(properties['notifySubscribers']?.default, undefined)
  })

test('every input is closed, and everything that is listed is small', () => {
  const listed = ALL.map(({ name, title, description, input }) => {
    const schema = schemaOf(input)
    assert.equal((schema as { additionalProperties?: boolean }).additionalProperties, false, name)
    return { name, title, description, inputSchema: schema }
  })
  const bytes = Buffer.byteLength(JSON.stringify(listed))
  assert.ok(bytes <= MAX_LIST_BYTES, `${bytes} bytes`)
})

// biome-ignore format: a table is read by its columns
const questions: [q: string, where: string][] = [
  ['pause a monitor',           'POST /api/v1/monitors/{monitorId}/pause'],
  ['list incidents',            'GET /api/v1/incidents'],
  ['rate limit',                '/docs'],
  ["Get a monitor's uptime",    'GET /api/ext/v1/monitors/{monitorId}/uptime'],
]
for (const [q, where] of questions)
  test(`searchDocs: "${q}" finds ${where}`, () => {
    assert.ok(searchDocs(q).some((entry) => entry.where === where))
  })

test('searchDocs: at most five, and nothing for nonsense', () => {
  assert.ok(searchDocs('monitor').length === 5)
  assert.deepEqual(searchDocs('qqxyzzy'), [])
  assert.deepEqual(searchDocs('   '), [])
})
