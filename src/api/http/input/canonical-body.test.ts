import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalBody } from './canonical-body.ts'

const instant = { type: ['string', 'null'], format: 'date-time' }
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    at: instant,
    either: { anyOf: [{ allOf: [{ properties: { at: instant } }] }, { type: 'null' }] },
    many: { type: 'array', items: { properties: { at: instant } } },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
  },
}
const CREATE = { dropNulls: true }
const UPDATE = { dropNulls: false }

test('null is absence when something is created, at every depth, but not inside lists', () => {
  const body = { name: 'a', at: null, either: { at: null }, many: [{ at: null }, null] }
  assert.deepEqual(canonicalBody(schema, body, CREATE), {
    name: 'a',
    either: {},
    many: [{}, null],
  })
  assert.deepEqual(canonicalBody(schema, body, UPDATE), body)
})

test('instants have one form wherever the schema says they are, and texts stay as they are', () => {
  const at = '2099-01-01T11:00+01:00'
  const same = '2099-01-01T10:00:00.000Z'
  for (const options of [CREATE, UPDATE])
    assert.deepEqual(
      canonicalBody(
        schema,
        { name: at, at, either: { at }, many: [{ at }], headers: { at } },
        options,
      ),
      { name: at, at: same, either: { at: same }, many: [{ at: same }], headers: { at } },
    )
})

test('a key of a prototype is a key like others', () => {
  const body = JSON.parse('{"headers":{"constructor":"x","__proto__":"y"},"toString":"z"}')
  assert.deepEqual(canonicalBody(schema, body, CREATE), body)
})
