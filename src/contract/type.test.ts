import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as TypeBox } from 'typebox'
import { Type } from './type.ts'

type Kinds = typeof Type

const described = { description: 'What it is.' }

// As text, because the order of the keys is what readers of openapi.json see.
const EXAMPLES: Record<keyof Kinds, (kinds: Kinds) => unknown[]> = {
  Array: (t) => [t.Array(t.String()), t.Array(t.Integer(), { minItems: 1, ...described })],
  Boolean: (t) => [t.Boolean(), t.Boolean({ default: false })],
  Integer: (t) => [t.Integer(), t.Integer({ minimum: 1, maximum: 100 })],
  Literal: (t) => [t.Literal('none'), t.Literal(true), t.Literal(7, described)],
  Null: (t) => [t.Null(), t.Null(described)],
  Number: (t) => [t.Number(), t.Number({ minimum: 0 })],
  Object: (t) => [
    t.Object({}),
    t.Object({ b: t.String(), a: t.Optional(t.Integer()), c: t.Unsafe({ enum: [1, 'x'] }) }),
    t.Object({ a: t.Optional(t.Null()) }, { additionalProperties: false }),
    t.Object(t.Object({ a: t.Optional(t.Null()), b: t.Null() }).properties),
  ],
  Optional: (t) => [t.Optional(t.String(described)), t.Optional(t.Optional(t.String()))],
  Record: (t) => [t.Record(t.String(), t.Unknown()), t.Record(t.String(), t.Null(), described)],
  String: (t) => [t.String(), t.String({ minLength: 1, format: 'uri' })],
  Union: (t) => [t.Union([t.String(), t.Null()]), t.Union([t.Integer()], described)],
  Unknown: (t) => [t.Unknown(), t.Unknown(described)],
  Unsafe: (t) => [t.Unsafe<string>({ type: 'string', enum: ['a'] })],
}

for (const [kind, examplesOf] of Object.entries(EXAMPLES))
  test(`Type.${kind} is the schema that TypeBox makes`, () => {
    assert.equal(JSON.stringify(examplesOf(Type)), JSON.stringify(examplesOf(TypeBox)))
  })

test('an optional property does not make the schema it was made from optional', () => {
  const name = Type.String()
  Type.Optional(name)
  assert.deepEqual(Type.Object({ name }).required, ['name'])
})
