// Turns what a caller sent into what a handler gets: known properties only, defaults filled in, nothing
// coerced. Everything that is wrong is found in one pass and said in plain words.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Problem } from '../domain/problem.ts'
import { parseTimestamp } from '../domain/timestamp.ts'
import { problemOf } from './problem-text.ts'

export type Schema = Readonly<Record<string, unknown>>
export type Validated = { value: Record<string, unknown>; problems: Problem[] }
export type Validator = (input: unknown) => Validated

const ajv = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  coerceTypes: false,
  removeAdditional: false,
  allowUnionTypes: true,
  strict: false,
  formats: {
    'date-time': (text: string) => parseTimestamp(text) !== undefined,
    uri: (text: string) => URL.canParse(text),
  },
})

export function compile(schema: Schema): Validator {
  const validate = ajv.compile(schema)
  return (input) => {
    if (!isObject(input))
      return { value: {}, problems: [{ path: 'body', message: 'must be a JSON object' }] }
    const value = pickKnown(schema, input) as Record<string, unknown>
    const problems = [...schemaProblems(validate, value), ...textProblems(value, [])]
    return { value, problems: withoutRepeats(problems) }
  }
}

function schemaProblems(validate: ValidateFunction, value: unknown): Problem[] {
  if (validate(value)) return []
  return (validate.errors ?? []).flatMap((error: ErrorObject) => problemOf(error) ?? [])
}

/** Unknown properties are left behind, except where the schema forbids them and must see them to say so. */
function pickKnown(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return isObject(items) ? value.map((item) => pickKnown(items, item)) : value
  }
  if (!isObject(value)) return value
  const { properties, additionalProperties } = schema
  const known = isObject(properties) ? properties : {}
  const keepsOthers = additionalProperties === false || isObject(additionalProperties)
  const kept = Object.entries(value).filter(
    ([name]) => name !== '__proto__' && (Object.hasOwn(known, name) || keepsOthers),
  )
  const picked = Object.fromEntries(
    kept.map(([name, member]) => [name, pickKnown(asSchema(known[name]), member)]),
  )
  return isObject(properties) ? inOrderOf(properties, picked) : picked
}

/** The contract's order, so that equal input gives equal output whatever order it came in. */
function inOrderOf(properties: Schema, picked: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => Object.hasOwn(picked, name))
  const ordered = names.map((name) => [name, picked[name]])
  return { ...Object.fromEntries(ordered), ...picked }
}

/** PostgreSQL cannot store U+0000, and a lone surrogate is no text: neither may get further than here. */
function textProblems(value: unknown, path: readonly string[]): Problem[] {
  if (typeof value === 'string')
    return value.includes('\0') || !value.isWellFormed()
      ? [{ path: path.join('.'), message: 'must not hold U+0000 or half a surrogate pair' }]
      : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => textProblems(member, [...path, name]))
}

function withoutRepeats(problems: Problem[]): Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ path, message }) => {
    const key = `${path}\n${message}`
    return seen.has(key) ? false : seen.add(key)
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const asSchema = (schema: unknown): Schema => (isObject(schema) ? schema : {})
