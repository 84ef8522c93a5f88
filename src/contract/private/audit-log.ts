// Who changed what in an organization. Values of secrets are never in it.
import { closed, input, nullable, oneOf, PAGE_QUERY, page, Timestamp, time } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'

const value = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
})
const AuditChange = closed({
  field: Type.String(),
  /** Both are missing for a secret, and `from` for a change to many objects. */
  from: Type.Optional(value),
  to: Type.Optional(value),
})

const AuditLine = closed({
  id: Type.String(),
  at: time(),
  actor: closed({
    type: oneOf(['API_KEY', 'USER', 'OPERATOR', 'ALERT_CONTACT'] as const),
    id: nullable(Type.String()),
    name: Type.String(),
  }),
  action: Type.String(),
  resourceId: nullable(Type.String()),
  /** As it was called then. For older entries, its current name; null if it is gone or has none. */
  resourceName: nullable(Type.String()),
  /** Whether the object is still there. */
  exists: Type.Boolean(),
  requestId: nullable(Type.String()),
  changes: Type.Array(AuditChange),
  /** Of a change to many objects: what was done, and to how many. */
  verb: nullable(Type.String()),
  count: nullable(Type.Integer()),
  /** MCP if an assistant did it, with the key of the actor. */
  via: nullable(oneOf(['MCP'] as const)),
})

export const AUDIT_FILTERS = {
  actor: Type.Optional(Type.String({ minLength: 1, maxLength: 120 })),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  /** In the name of the object, the actor or a changed field, or the whole id of the object or request. */
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Fields whose label contains `q`: entries that changed one of them match, too. */
  fields: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 1, maxItems: 60 }),
  ),
  /** From this time on. */
  from: Type.Optional(Timestamp),
  /** Before this time. */
  to: Type.Optional(Timestamp),
}

export const listAuditLog = privateOperation({
  id: 'listAuditLog',
  method: 'GET',
  path: '/audit-log',
  who: 'ADMIN',
  query: input({ ...PAGE_QUERY, ...AUDIT_FILTERS }),
  reply: { status: 200, body: page(AuditLine) },
})
