// Compares a value with a JSON Schema. Knows the keywords that upvane.schema.json uses; a test compares it with Ajv.

import { closestTo } from '../../terminal/closest.ts'
import { canonical, isObject, type JsonObject, type JsonValue } from '../model/json.ts'
import { describePattern } from './forms.ts'
import { type FileSchema, follow } from './schema.ts'

export type ValuePath = readonly (string | number)[]
export type ValueProblem = { path: ValuePath; message: string }

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

export function findProblems(
  schema: FileSchema,
  value: JsonValue,
  path: ValuePath = [],
): ValueProblem[] {
  const wrongType = typeProblem(schema, value)
  if (wrongType !== undefined) return [{ path, message: wrongType }]
  const own = [
    ...choiceProblems(schema, value),
    ...(typeof value === 'string' ? textProblems(schema, value) : []),
    ...(typeof value === 'number' ? numberProblems(schema, value) : []),
  ].map((message) => ({ path, message }))
  return [
    ...own,
    ...(Array.isArray(value) ? listProblems(schema, value, path) : []),
    ...(isObject(value) ? objectProblems(schema, value, path) : []),
    ...combinedProblems(schema, value, path),
  ]
}

function typeProblem({ type }: FileSchema, value: JsonValue): string | undefined {
  if (type === undefined) return undefined
  const allowed = [type].flat()
  if (allowed.includes(typeName(value))) return undefined
  if (allowed.includes('number') && typeof value === 'number') return undefined
  return `must be ${allowed.map(describeType).join(' or ')}`
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

function describeType(type: string): string {
  const words: Record<string, string> = {
    array: 'a list',
    boolean: 'true or false',
    integer: 'a whole number',
    null: 'null',
    number: 'a number',
    object: 'a mapping',
    string: 'a text',
  }
  return words[type] ?? type
}

function choiceProblems(schema: FileSchema, value: JsonValue): string[] {
  if (schema.const !== undefined && schema.const !== value)
    return [`must be ${JSON.stringify(schema.const)}`]
  if (schema.enum === undefined || schema.enum.includes(value)) return []
  return [`must be one of ${schema.enum.filter((each) => each !== null).join(', ')}`]
}

function textProblems(schema: FileSchema, value: string): string[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema
  const length = [...value].length
  const problems: string[] = []
  if (length < minLength) problems.push(`must have at least ${minLength} characters`)
  if (length > maxLength) problems.push(`must have at most ${maxLength} characters`)
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    problems.push(describePattern(pattern) ?? 'does not have the right form')
  if (format === 'date-time' && !(INSTANT.test(value) && !Number.isNaN(Date.parse(value))))
    problems.push('must be a time with its offset, such as 2026-12-06T02:00:00+01:00')
  return problems
}

function numberProblems(schema: FileSchema, value: number): string[] {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (value < minimum) return [`must be at least ${minimum}`]
  return value > maximum ? [`must be at most ${maximum}`] : []
}

function listProblems(schema: FileSchema, value: JsonValue[], path: ValuePath): ValueProblem[] {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items, uniqueItems } = schema
  const problems: ValueProblem[] = []
  if (value.length < minItems) problems.push({ path, message: 'must not be empty' })
  if (value.length > maxItems)
    problems.push({ path, message: `must have at most ${maxItems} items` })
  if (uniqueItems && new Set(value.map(canonical)).size < value.length)
    problems.push({ path, message: 'must not repeat an item' })
  if (items === undefined) return problems
  return [...problems, ...value.flatMap((each, at) => findProblems(items, each, [...path, at]))]
}

function objectProblems(schema: FileSchema, value: JsonObject, path: ValuePath): ValueProblem[] {
  const { required = [], properties = {}, additionalProperties, maxProperties } = schema
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path, message: `${name} is required` }))
  const many = maxProperties !== undefined && Object.keys(value).length > maxProperties
  const tooMany = many ? [{ path, message: `must have at most ${maxProperties} entries` }] : []
  const inside = Object.entries(value).flatMap(([name, each]) => {
    const at = [...path, name]
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known !== undefined) return findProblems(known, each, at)
    if (additionalProperties === false)
      return [{ path: at, message: unknownName(name, properties) }]
    const ofName = schema.propertyNames ? findProblems(schema.propertyNames, name, at) : []
    const isOpen = typeof additionalProperties !== 'object'
    return [...ofName, ...(isOpen ? [] : findProblems(additionalProperties, each, at))]
  })
  return [...missing, ...tooMany, ...inside]
}

function unknownName(name: string, properties: Record<string, FileSchema>): string {
  const known = Object.keys(properties)
  const meant = closestTo(name, known)
  return meant === undefined
    ? `is not known. Known: ${known.join(', ')}`
    : `is not known. Did you mean ${meant}?`
}

function combinedProblems(schema: FileSchema, value: JsonValue, path: ValuePath): ValueProblem[] {
  const { $ref, allOf = [], anyOf, not } = schema
  const problems = allOf.flatMap((each) => findProblems(each, value, path))
  if ($ref !== undefined) problems.push(...findProblems(follow($ref), value, path))
  if (anyOf !== undefined) problems.push(...bestOf(anyOf, value, path))
  if (not !== undefined && findProblems(not, value).length === 0)
    problems.push({ path, message: 'is not allowed' })
  return problems
}

/** What is wrong by the alternative that was probably meant: the last one of the right type. */
function bestOf(anyOf: FileSchema[], value: JsonValue, path: ValuePath): ValueProblem[] {
  const tried = anyOf.map((each) => findProblems(each, value, path))
  if (tried.some((problems) => problems.length === 0)) return []
  const meant = anyOf.findLastIndex((each) => typeProblem(resolve(each), value) === undefined)
  return tried[meant < 0 ? 0 : meant] ?? []
}

function resolve(schema: FileSchema): FileSchema {
  return schema.$ref === undefined ? schema : follow(schema.$ref)
}
