// A canonical form for equivalent bodies, so that a repeated request is recognized however it was written.
import { parseTimestamp } from '../../../domain/values/timestamp.ts'
import type { Schema } from './validation.ts'

type CanonicalOptions = {
  /** On create, null and absence mean the same. An update clears a field with null. */
  dropNulls: boolean
}

/** `value` was validated by `schema`: defaults are filled in, so any remaining null means the field was not given. */
export function canonicalBody(schema: Schema, value: unknown, options: CanonicalOptions): unknown {
  const parts = withAlternatives(schema)
  if (typeof value === 'string') return isInstant(parts) ? toInstant(value) : value
  if (Array.isArray(value)) {
    const items = asSchema(parts.find((part) => part['items'] !== undefined)?.['items'])
    return value.map((item) => canonicalBody(items, item, options))
  }
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, member]) => member !== null || !options.dropNulls)
  return Object.fromEntries(
    kept.map(([name, member]) => [name, canonicalBody(memberOf(parts, name), member, options)]),
  )
}

/** The schema itself and the schemas it combines with `allOf`, `anyOf` and `oneOf`. */
function withAlternatives(schema: Schema): Schema[] {
  const nested = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  return [schema, ...nested.flatMap((part) => withAlternatives(asSchema(part)))]
}

function memberOf(parts: readonly Schema[], name: string): Schema {
  for (const { properties } of parts)
    if (isSchema(properties) && Object.hasOwn(properties, name)) return asSchema(properties[name])
  return {}
}

const isInstant = (parts: readonly Schema[]): boolean =>
  parts.some(({ format }) => format === 'date-time')

const toInstant = (text: string): string => parseTimestamp(text)?.toISOString() ?? text

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const asSchema = (value: unknown): Schema => (isSchema(value) ? value : {})
