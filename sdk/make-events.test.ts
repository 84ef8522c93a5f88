import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Openapi, readOpenapi } from './make/schema.ts'
import { makeSources } from './make-events.ts'
import { EVENT_TYPES } from './src/events.ts'

test('the list of event types is that of the contract', () => {
  assert.deepEqual([...EVENT_TYPES], Object.keys(readOpenapi().webhooks))
  assert.equal(EVENT_TYPES.length, 22)
})

for (const [name, text] of Object.entries(makeSources(readOpenapi())))
  test(`${name} is what the contract makes of it`, () => {
    const committed = readFileSync(new URL(`./src/${name}`, import.meta.url), 'utf8')
    assert.equal(committed, text, 'run "node sdk/make-sdk.ts" and commit what it writes')
  })

test('optional fields, unions, lists and references come out as TypeScript', () => {
  const data = {
    type: 'object',
    required: ['thing'],
    properties: {
      thing: { $ref: '#/components/schemas/Thing' },
      note: { type: ['string', 'null'] },
      tags: { type: 'array', items: { type: 'string', enum: ['A', 'B'] } },
    },
  }
  const content = { 'application/json': { schema: { properties: { data } } } }
  const post = { summary: 'A thing came', requestBody: { content } }
  const thing = { type: 'object', properties: { size: { type: 'integer', description: 'Size.' } } }
  const openapi: Openapi = {
    paths: {},
    webhooks: { 'thing.came': { post } },
    components: { schemas: { Thing: thing, Unused: {} } },
  }
  const { 'events.ts': events = '', 'event-shapes.ts': shapes = '' } = makeSources(openapi)
  assert.match(
    events,
    /'thing\.came': \{\n {4}thing: Thing\n {4}note\?: string \| null\n {4}tags\?: \('A' \| 'B'\)\[\]\n/,
  )
  assert.match(shapes, /export type Thing = \{\n {2}\/\*\* Size\. \*\/\n {2}size\?: number\n\}/)
  assert.doesNotMatch(shapes, /Unused/)
})
