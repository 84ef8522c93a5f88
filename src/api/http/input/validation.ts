// Turns a caller's input into a handler's input: known properties only, defaults filled in, nothing coerced. All
// problems are found in one pass and reported in plain language.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Problem } from '../../../domain/values/problem.ts'
import { parseTimestamp } from '../../../domain/values/timestamp.ts'
import { problemOf } from './problem-text.ts'

export type Schema = Readonly<Record<string, unknown>>
export type Validated = { value: Record<string, unknown>; problems: Problem[] }
export type Validator = (input: unknown) => Validated

// More than any map, and any list that does not state a longer maximum. One extra member is enough to refuse it, and a
// body full of invalid members must not take seconds.
const MAX_MEMBERS = 1000
const NOT_STORABLE = 'must not hold U+0000 or half a surrogate pair'
const PROTOTYPE = '__proto__'

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

/** Compiled at its first use: for all operations together this would take a fifth of the time of a start. */
export function compile(schema: Schema): Validator {
  let validate: ValidateFunction | undefined
  return (input) => {
    validate ??= ajv.compile(schema)
    if (!isObject(input))
      return { value: {}, problems: [{ path: 'body', message: 'must be a JSON object' }] }
    const value = pickKnown(schema, input) as Record<string, unknown>
    const found = schemaProblems(validate, value)
    const problems = [...found, ...textProblems(withoutWrong(value, found))]
    return { value, problems: withoutRepeats(problems) }
  }
}

function schemaProblems(validate: ValidateFunction, value: unknown): Problem[] {
  if (validate(value)) return []
  return (validate.errors ?? []).flatMap((error: ErrorObject) => problemOf(error) ?? [])
}

/** Drops unknown properties, except where the schema forbids them and must see them to report them. */
function pickKnown(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    const some = value.slice(0, mostItems(schema) + 1)
    return isObject(items) ? some.map((item) => pickKnown(items, item)) : some
  }
  if (!isObject(value)) return value
  const { properties, additionalProperties } = schema
  const known = isObject(properties) ? properties : {}
  const keepsOthers = additionalProperties === false || isObject(additionalProperties)
  const picked = Object.fromEntries(
    // The contract's order, so that equal input gives equal output in any input order.
    Object.keys(known)
      .filter((name) => Object.hasOwn(value, name))
      .map((name) => [name, pickKnown(asSchema(known[name]), value[name])]),
  )
  return keepsOthers ? { ...picked, ...someOthers(known, value) } : picked
}

/** One more than may be there is enough to refuse them. The loop ends early: the input decides how many there are. */
function someOthers(known: Schema, value: Record<string, unknown>): Record<string, unknown> {
  const others: [string, unknown][] = []
  for (const name in value) {
    if (!Object.hasOwn(value, name) || Object.hasOwn(known, name)) continue
    others.push([name, pickKnown({}, value[name])])
    if (others.length > MAX_MEMBERS) break
  }
  return Object.fromEntries(others)
}

function mostItems({ maxItems }: Schema): number {
  return typeof maxItems === 'number' ? Math.max(maxItems, MAX_MEMBERS) : MAX_MEMBERS
}

/** PostgreSQL cannot store U+0000, and a lone surrogate is not valid text. Neither may pass, in values or in names. */
function textProblems(value: unknown, path = '', found: Problem[] = []): Problem[] {
  if (typeof value === 'string') {
    if (!isStorable(value)) found.push({ path, message: NOT_STORABLE })
  } else if (Array.isArray(value)) {
    for (const [index, member] of value.entries())
      textProblems(member, pathBelow(path, String(index)), found)
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const below = pathBelow(path, name)
      const message = nameProblem(name)
      if (message !== undefined) found.push({ path: below, message })
      textProblems(member, below, found)
    }
  }
  return found
}

const pathBelow = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

/** Fields that passed the schema: only these are guaranteed to respect its depth and length. */
function withoutWrong(value: Record<string, unknown>, found: readonly Problem[]) {
  const wrong = new Set(found.map(({ path }) => path.split('.', 1)[0]))
  return Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)))
}

/** `__proto__` is refused by name: as a key it could change an object later on. */
function nameProblem(name: string): string | undefined {
  if (name === PROTOTYPE) return 'is not allowed here'
  return isStorable(name) ? undefined : NOT_STORABLE
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

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
