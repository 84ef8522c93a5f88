// What a resource consists of, as a table of fields. The schemas of the contract, the columns, the defaults and what the
// audit log compares are made from such a table.

type Schema = Readonly<Record<string, unknown>>

/** `is` is promised to readers. `bounds` limit what may be sent. */
type Shape<T> = { is: Schema; bounds: Schema; readonly value?: T }

type About<T> = {
  about: string
  example: T
  /** What responses promise, if that is less than what may be sent. */
  shown?: Schema
  /** Its column, if that is not its name in snake case. */
  column?: string
  /** Stored encrypted, and only named in the audit log. */
  sealed?: 'TEXT' | 'JSON'
}

/** `REQUIRED` must be sent, `NULL` is null if it is not, and `DEFAULT` has a value of its own then. */
type Need = 'REQUIRED' | 'NULL' | 'DEFAULT'

type Field<T> = Shape<T> & About<T> & { need: Need; fallback?: T }
export type Fields = Readonly<Record<string, Field<unknown>>>
type ValueOf<F> = F extends Shape<infer T> ? T : never

export type ValuesOf<F extends Fields> = { [Name in keyof F]: ValueOf<F[Name]> }
export type SealedName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { sealed: string } ? Name : never
}[keyof F]

// The calls that make a table are marked, so that the dashboard, which loads lists of the same file, leaves tables out.
/* @__NO_SIDE_EFFECTS__ */
export const text = (bounds: Schema = {}): Shape<string> => ({ is: { type: 'string' }, bounds })
/* @__NO_SIDE_EFFECTS__ */
export const integer = (bounds: Schema = {}): Shape<number> => ({ is: { type: 'integer' }, bounds })
export const yesOrNo: Shape<boolean> = { is: { type: 'boolean' }, bounds: {} }

/* @__NO_SIDE_EFFECTS__ */
export const choice = <const V extends string>(values: readonly V[]): Shape<V> => ({
  is: { type: 'string', enum: [...values] },
  bounds: {},
})

/* @__NO_SIDE_EFFECTS__ */
export const listOf = <T>({ is, bounds }: Shape<T>, most: Schema): Shape<T[]> => ({
  is: { type: 'array', items: is },
  bounds: { items: { ...is, ...bounds }, ...most },
})

export const textByName: Shape<Record<string, string>> = {
  is: { type: 'object', additionalProperties: true },
  bounds: { additionalProperties: { type: 'string' } },
}

/** One type with null, instead of two schemas: one plain message if neither fits. */
/* @__NO_SIDE_EFFECTS__ */
export const orNull = <T>({ is, bounds }: Shape<T>): Shape<T | null> => ({
  is: { ...is, type: [is['type'], 'null'] },
  bounds,
})

/* @__NO_SIDE_EFFECTS__ */
export const required = <T, const A extends About<T>>(shape: Shape<T>, about: A & About<T>) => ({
  ...shape,
  ...about,
  need: 'REQUIRED' as const,
})

/** Null if it is not sent. */
/* @__NO_SIDE_EFFECTS__ */
export const optional = <T, const A extends About<T | null>>(
  shape: Shape<T>,
  about: A & About<T | null>,
) => ({ ...orNull(shape), ...about, need: 'NULL' as const })

/* @__NO_SIDE_EFFECTS__ */
export const withDefault = <T, const A extends About<T>>(
  shape: Shape<T>,
  fallback: NoInfer<T>,
  about: A & About<T>,
) => ({ ...shape, ...about, fallback, need: 'DEFAULT' as const })

/** The table without these fields. */
/* @__NO_SIDE_EFFECTS__ */
export function withoutFields<F extends Fields, const N extends keyof F & string>(
  fields: F,
  names: readonly N[],
): Omit<F, N> {
  const left = Object.entries(fields).filter(([name]) => !names.some((each) => each === name))
  // Safe because exactly the named fields are missing.
  return Object.fromEntries(left) as Omit<F, N>
}

/** The names of a table's fields, in its order. */
// Safe because a table has no other keys.
export const namesOf = <F extends Fields>(fields: F) => Object.keys(fields) as (keyof F & string)[]

type DefaultsOf<F extends Fields> = {
  [Name in keyof F as F[Name] extends { need: 'REQUIRED' } ? never : Name]: ValueOf<F[Name]>
}

/** What is stored for fields that may be left out and are not sent. */
export function defaultsOf<F extends Fields>(fields: F): DefaultsOf<F> {
  const left = Object.entries(fields).filter(([, { need }]) => need !== 'REQUIRED')
  const values = left.map(([name, { fallback = null }]) => [name, fallback] as const)
  // Safe because each value is the one of its own field.
  return Object.fromEntries(values) as DefaultsOf<F>
}

/** The fields of a table alone, in its order. */
export function pickFields<F extends Fields>(fields: F, from: ValuesOf<F>): ValuesOf<F> {
  // Safe because all of its fields follow. Assigned in one order, which engines make fast objects of.
  const picked = {} as ValuesOf<F>
  for (const name of namesOf(fields)) picked[name] = from[name]
  return picked
}

export const columnName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
