// What the audit log says about a write, returned by its handler beside the response. An operation that changes fields
// does not compile without it.

import { type Fields, namesOf, type ValuesOf } from '../../domain/fields/field.ts'
import {
  type AuditDetail,
  type AuditedField,
  type AuditedFields,
  type Change,
  changesBetween,
} from '../../domain/people/audit-entry.ts'

type Detail = AuditDetail & {
  /** The object is the one in the path, although what was added has an id of its own. */
  ofPath?: true
}

export class Audited<Output> {
  readonly output: Output
  readonly detail: Detail

  constructor(output: Output, detail: Detail) {
    this.output = output
    this.detail = detail
  }
}

/** Says which fields the write changed, and how. Secrets are marked, so that the log only says that they changed. */
export function compared<Output, T>(
  output: Output,
  { before, after }: Change<T>,
  toFields: (object: T) => AuditedFields,
): Audited<Output> {
  return new Audited(output, { changes: changesBetween(toFields(before), toFields(after)) })
}

export const plain = (value: unknown): AuditedField => ({ value })
export const secret = (value: unknown): AuditedField => ({ value, isSecret: true })
export const counted = (values: readonly unknown[], noun: string): AuditedField => ({
  value: values,
  shown: `${values.length} ${noun}${values.length === 1 ? '' : 's'}`,
})

/** Every field of a table. Of what is stored encrypted, only that it changed. */
export const fieldsOf =
  <F extends Fields>(fields: F) =>
  (values: ValuesOf<F>): AuditedFields =>
    Object.fromEntries(
      namesOf(fields).map((name): [string, AuditedField] => {
        const { sealed } = fields[name] as Fields[string]
        return [name, sealed === undefined ? plain(values[name]) : secret(values[name])]
      }),
    )

export function plainFields<T extends object>(
  object: T,
  fields: readonly (keyof T & string)[],
): AuditedFields {
  return Object.fromEntries(
    fields.map((field): [string, AuditedField] => [field, plain(object[field])]),
  )
}
