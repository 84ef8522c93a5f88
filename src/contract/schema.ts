// The few forms that every schema of the contract is built from.
import Type, { type Static, type TSchema } from 'typebox'

/** `type: [x, "null"]` instead of `anyOf`: one plain message when neither fits. */
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

/** ISO 8601 with an offset. Answers are always UTC with milliseconds. */
export const Timestamp = Type.String({
  format: 'date-time',
  examples: ['2026-11-14T22:39:00.000Z'],
})

export const Pagination = Type.Object(
  {
    limit: Type.Integer({ description: 'Page size that was used.' }),
    offset: Type.Integer({ description: 'Items skipped before this page.' }),
    total: Type.Integer({ description: 'Items in all, after filters, not paged.' }),
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
  { data: Type.Object({ id: Type.String() }, { additionalProperties: false }) },
  { additionalProperties: false },
)

/** A body that must be there and must be empty. */
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

/** A comma list in the query, such as `state=UP,DOWN`. */
export function commaList<const V extends string>(values: readonly V[], description: string) {
  return Type.Array(oneOf(values), { minItems: 1, description })
}
