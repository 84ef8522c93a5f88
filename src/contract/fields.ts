// The schemas of a table of fields.
import type { TOptional, TUnsafe } from 'typebox'
import { type Fields, namesOf, type ValuesOf } from '../domain/fields/field.ts'
import { Type } from './type.ts'

type Shown<F extends Fields> = { [Name in keyof F]: TUnsafe<ValuesOf<F>[Name]> }
type Writable<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { need: 'NULL' }
    ? TOptional<TUnsafe<ValuesOf<F>[Name]>>
    : TUnsafe<ValuesOf<F>[Name]>
}

/** What a response promises about each field. */
export const shownFields = <F extends Fields>(fields: F) =>
  // Safe because each schema is made from its own field.
  mapFields(fields, ({ is, shown, about }) =>
    Type.Unsafe({ ...(shown ?? is), description: about }),
  ) as Shown<F>

/** Each property of the create body, with bounds and defaults. The update body is derived from it. */
export const writableFields = <F extends Fields>(fields: F) =>
  // Safe for the same reason.
  mapFields(fields, ({ is, bounds, need, fallback, about }) => {
    const schema = {
      ...is,
      ...bounds,
      ...(need === 'DEFAULT' && { default: fallback }),
      description: about,
    }
    return need === 'NULL' ? Type.Optional(Type.Unsafe(schema)) : Type.Unsafe(schema)
  }) as Writable<F>

export const examplesOf = <F extends Fields>(fields: F) =>
  mapFields(fields, ({ example }) => example) as ValuesOf<F>

function mapFields<F extends Fields>(fields: F, toValue: (field: Fields[string]) => unknown) {
  return Object.fromEntries(
    namesOf(fields).map((name) => [name, toValue(fields[name] as Fields[string])]),
  )
}
