// Arbitraries from JSON Schema: values a schema allows, and values it most likely does not.
import fc, { type Arbitrary } from 'fast-check'
import { resolve, type Schema } from '../db-kit/openapi-document.ts'
import { HOSTILE_NAMES, HOSTILE_STRINGS, HOSTILE_VALUES } from './hostile.ts'

type Json = Record<string, unknown>

const MAX_ITEMS = 6
const LONGEST_STRING = 120_000
const COSTLY_LENGTH = 5000
// Strings that are meaningful for a monitor, so that valid requests get past validation.
const PLAIN_STRINGS = [
  'example.com',
  'https://example.com/health?x=1',
  'http://127.0.0.1:9/',
  '192.0.2.7',
  '2001:db8::1',
  'Website',
  'ok',
]

/** Values the schema allows. */
export function validOf(node: unknown): Arbitrary<unknown> {
  const schema = resolve(node)
  const { enum: values, anyOf, allOf, type } = schema
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(validOf))
  if (Array.isArray(allOf)) return validOf(allOf[0])
  if (Array.isArray(type)) return fc.oneof(...type.map((one: string) => validOfType(schema, one)))
  return validOfType(schema, String(type))
}

function validOfType(schema: Schema, type: string): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integerOf(schema)
    case 'string':
      return stringOf(schema)
    case 'array':
      return arrayOf(schema)
    case 'object':
      return objectOf(schema)
    default:
      return fc.jsonValue()
  }
}

function integerOf({ minimum, maximum }: Schema): Arbitrary<number> {
  const min = Number(minimum ?? -(2 ** 31))
  const max = Number(maximum ?? 2 ** 31 - 1)
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
}

function stringOf({ format, pattern, minLength, maxLength }: Schema): Arbitrary<string> {
  if (format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString())
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  const min = Number(minLength ?? 0)
  const max = Math.min(Number(maxLength ?? 200), LONGEST_STRING)
  const text = fc.string({ unit: 'binary', minLength: min, maxLength: Math.min(max, 30) })
  // Lengths count code points: an astral character is one.
  const longest = fc.constantFrom('x', '💡').map((one) => one.repeat(max))
  return fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(...PLAIN_STRINGS) },
    { weight: 30, arbitrary: text },
    { weight: max > COSTLY_LENGTH ? 1 : 8, arbitrary: longest },
  )
}

function arrayOf({ items, minItems, maxItems }: Schema): Arbitrary<unknown[]> {
  const minLength = Number(minItems ?? 0)
  const maxLength = Math.min(Number(maxItems ?? MAX_ITEMS), Math.max(MAX_ITEMS, minLength))
  return fc.array(validOf(items), { minLength, maxLength })
}

function objectOf(schema: Schema): Arbitrary<object> {
  const properties = (schema['properties'] ?? {}) as Json
  const { additionalProperties: others, required } = schema
  if (typeof others === 'object' && others !== null)
    return fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/), validOf(others), {
      maxKeys: MAX_ITEMS,
    })
  const members = Object.entries(properties).map(([name, member]) => [name, validOf(member)])
  return fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, {
    requiredKeys: (required ?? []) as string[],
  })
}

/** The documented example with a few properties changed: valid and sensible as a whole. */
export function nearExample(schema: Schema, example: unknown): Arbitrary<object> {
  const properties = (resolve(schema)['properties'] ?? {}) as Json
  const names = Object.keys(properties)
  if (names.length === 0) return fc.constant({})
  const base = typeof example === 'object' && example !== null ? example : {}
  return fc
    .subarray(names, { maxLength: Math.min(3, names.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((name) => [name, validOf(properties[name])]))),
    )
    .map((changes) => ({ ...base, ...changes }))
}

/** What one mutation does to a body; `at` selects the property. */
export const mutation: Arbitrary<(body: object) => object> = fc.oneof(
  fc.record({ at: fc.nat(), value: hostileValue() }).map(
    ({ at, value }) =>
      (body: object) =>
        replaced(body, at, value),
  ),
  fc.nat().map((at) => (body: object) => without(body, at)),
  fc.record({ name: fc.constantFrom(...HOSTILE_NAMES), value: hostileValue() }).map(
    ({ name, value }) =>
      (body: object) =>
        added(body, name, value),
  ),
  fc.integer({ min: -1, max: 1 }).map((sign) => (body: object) => stretched(body, sign)),
)

function hostileValue(): Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom(...HOSTILE_VALUES),
    fc.constantFrom(...HOSTILE_STRINGS),
    fc.jsonValue({ maxDepth: 2 }),
  )
}

function replaced(body: object, at: number, value: unknown): object {
  const names = Object.keys(body)
  const name = names[at % Math.max(1, names.length)] ?? 'name'
  return added(body, name, value)
}

function without(body: object, at: number): object {
  const entries = Object.entries(body)
  return Object.fromEntries(entries.toSpliced(at % Math.max(1, entries.length), 1))
}

// Defined rather than assigned: `__proto__` must reach the wire as a property.
function added(body: object, name: string, value: unknown): object {
  const copy = { ...body }
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

/** Numbers exceed their bounds, strings become too long or empty. */
function stretched(body: object, sign: number): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (typeof value === 'number') return [name, sign === 0 ? value + 0.5 : value * sign * 1e6]
      if (typeof value === 'string') return [name, sign > 0 ? longer(value) : '']
      return [name, value]
    }),
  )
}

// A string that is already long is only doubled, because mutations come in threes.
const longer = (text: string): string => text.repeat(text.length < 200 ? 500 : 2)
