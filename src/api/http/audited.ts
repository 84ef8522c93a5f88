// What the audit log says about a change, named where an operation is bound: the fields of its object, read before and
// after. Secrets are marked, so that the log only says that they changed.

import { type Fields, namesOf, type ValuesOf } from '../../domain/fields/field.ts'
import type {
  AuditChange,
  AuditDetail,
  AuditedField,
  AuditedFields,
} from '../../domain/people/audit-entry.ts'
import { fromPublicId, type IdPrefix } from '../../domain/values/id.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findName } from '../../store/people/audit-names.ts'

/** `id` is the first parameter of the path; empty if there is none. Undefined if there is no such object. */
type ReadFields = (tx: TenantTx, id: string) => Promise<AuditedFields | undefined>

export type Audited = {
  read?: ReadFields
  /** What only the request knows: a password is never read back, and a bulk has no old values. */
  given?(body: Record<string, unknown>): AuditChange[]
  detail?(output: unknown): AuditDetail
  /** The object is the one in the path, although what was added has an id of its own. */
  ofPath?: true
}

/** An object that has an id with this prefix. */
export const auditedById = (prefix: IdPrefix, read: ReadFields): Audited => ({
  async read(tx, id) {
    const uuid = fromPublicId(prefix, id)
    return uuid === undefined ? undefined : read(tx, uuid)
  },
})

export const AUDITED_NAME: Audited = {
  read: async (tx, id) => ({ name: plain((await findName(tx, id)) ?? null) }),
}

export const plain = (value: unknown): AuditedField => ({ value })
export const secret = (value: unknown): AuditedField => ({ value, isSecret: true })
export const counted = (values: readonly unknown[], noun: string): AuditedField => ({
  value: values,
  shown: `${values.length} ${noun}${values.length === 1 ? '' : 's'}`,
})

/** Every field of a table. Of what is stored encrypted, only that it changed. */
export function auditedFields<F extends Fields>(fields: F, values: ValuesOf<F>): AuditedFields {
  return Object.fromEntries(
    namesOf(fields).map((name): [string, AuditedField] => {
      const { sealed } = fields[name] as Fields[string]
      return [name, sealed === undefined ? plain(values[name]) : secret(values[name])]
    }),
  )
}

export function plainFields<T extends object>(
  object: T,
  fields: readonly (keyof T & string)[],
): AuditedFields {
  return Object.fromEntries(
    fields.map((field): [string, AuditedField] => [field, plain(object[field])]),
  )
}
