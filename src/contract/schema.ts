// The building blocks of every schema of the contract.
import type { Static, TObject, TObjectOptions, TOptional, TProperties, TSchema } from 'typebox'
import { Type } from './type.ts'

/** `type: [x, "null"]` instead of `anyOf`: one plain message if neither fits. */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    ...(type !== undefined && { type: [type, 'null'] }),
    ...(values !== undefined && { enum: [...values, null] }),
  })
}

export function oneOf<const V extends string>(values: readonly V[], options: object = {}) {
  return Type.Unsafe<V>({ type: 'string', enum: [...values], ...options })
}

/** From ! to ~: no spaces. */
export const VISIBLE_ASCII = '^[!-~]+$'

/** A time as text. Handlers get and return a Date in its place; JSON.stringify writes it. */
type Time = string & { readonly time?: never }

export const time = (options: object = {}) => Type.Unsafe<Time>({ type: 'string', ...options })

/** ISO 8601 with an offset. Responses are always UTC with milliseconds. */
export const Timestamp = time({ format: 'date-time', examples: ['2026-11-14T22:39:00.000Z'] })

export const Pagination = Type.Object(
  {
    limit: Type.Integer({ description: 'Page size that was used.' }),
    offset: Type.Integer({ description: 'Items skipped before this page.' }),
    total: Type.Integer({ description: 'Total number of items after filters.' }),
  },
  { additionalProperties: false },
)

export function page<S extends TSchema>(item: S) {
  return Type.Object(
    { data: Type.Array(item), pagination: Pagination },
    { additionalProperties: false },
  )
}

export const Deleted = Type.Object(
  {
    data: Type.Object(
      { id: Type.String({ description: 'Id of what was removed.' }) },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)

/** A body that must be present and empty. */
export const EmptyBody = Type.Object({}, { additionalProperties: false })

/** The two query parameters of every list. */
export const PAGE_QUERY = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Page size.' }),
  offset: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 0,
    description: 'Items to skip.',
  }),
}

/** A list in the query: `state=UP,DOWN`, `state=UP&state=DOWN` or both. */
export function commaList<const V extends string>(values: readonly V[], description: string) {
  return Type.Array(oneOf(values), { minItems: 1, description })
}

/** A response object: every field is guaranteed, and nothing else may leak. */
export function closed<P extends TProperties>(properties: P, options: object = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/**
 * Something a client sends. A property with a default may be left out, but is always present once it is filled in: the
 * type calls it present, `required` does not.
 */
export function input<P extends TProperties>(properties: P, options: TObjectOptions = {}) {
  const object = Type.Object(properties, options)
  const { required = [] } = object as { required?: string[] }
  const needed = required.filter((name) => !hasDefault(properties[name]))
  // Safe because only the list of required names changes, never the properties.
  return Object.assign(object, { required: needed }) as TObject<P>
}

/** The body of a partial update: every property may be left out, and no default is filled in. */
export function patch<P extends TProperties>(properties: P, options: TObjectOptions = {}) {
  const entries = Object.entries(properties).map(
    ([name, schema]) => [name, Type.Optional(withoutDefault(schema))] as const,
  )
  // Safe because the names are those of P, each with its own schema made optional.
  const optional = Object.fromEntries(entries) as { [K in keyof P]: TOptional<P[K]> }
  return Type.Object(optional, options)
}

export function orNull<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

/** A named schema with its own description in this place. */
export function described<S extends TSchema>(schema: S, description: string) {
  return Type.Unsafe<Static<S>>({ allOf: [schema], description })
}

/** A time in a document that is stored as JSON: text, also where a handler returns it. */
export const storedTime = (description: string) => Type.Unsafe<string>(timestamp(description))

export const timestamp = (description: string) =>
  time({ format: 'date-time', description, examples: ['2026-11-14T22:39:00.000Z'] })

export const id = (description: string) => Type.String({ minLength: 1, description })

function hasDefault(schema: TSchema | undefined): boolean {
  return schema !== undefined && 'default' in schema
}

function withoutDefault(schema: TSchema): TSchema {
  const { default: _, ...rest } = schema as TSchema & { default?: unknown }
  return rest
}
