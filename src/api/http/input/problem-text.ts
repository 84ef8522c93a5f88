// Turns schema errors into messages a caller can act on.
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Problem } from '../../../domain/values/problem.ts'

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

type Params = Record<string, unknown>
const limit = (params: Params): string => String(params['limit'])

const TEXTS: Record<string, (params: Params) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not allowed here',
  type: ({ type }) => `must be ${[type].flat().map(typeName).join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  minLength: (params) =>
    params['limit'] === 1 ? 'must not be empty' : `must have at least ${limit(params)} characters`,
  maxLength: (params) => `must have at most ${limit(params)} characters`,
  minimum: (params) => `must be ${limit(params)} or more`,
  maximum: (params) => `must be ${limit(params)} or less`,
  minItems: (params) => `must have at least ${limit(params)} item(s)`,
  maxItems: (params) => `must have at most ${limit(params)} items`,
  format: ({ format }) =>
    format === 'date-time'
      ? 'must be a date and time with an offset, such as 2026-11-14T22:39:00Z'
      : 'must be a URL',
  pattern: () => 'has a form that is not allowed',
}

/** Undefined for errors that only repeat others, such as "must match a schema in anyOf". */
export function problemOf({ keyword, instancePath, params }: ErrorObject): Problem | undefined {
  const message = TEXTS[keyword]?.(params)
  if (message === undefined) return undefined
  const named = params['missingProperty'] ?? params['additionalProperty']
  const parts = instancePath.split('/').slice(1).map(unescapePointer)
  const path = [...parts, ...(named === undefined ? [] : [String(named)])].join('.')
  // An empty property name leaves only the body to point at.
  return { path: path || 'body', message }
}

const typeName = (type: unknown): string => TYPE_NAMES[String(type)] ?? String(type)

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
