// One operation of the dashboard's private API. It is not in the public document and may change with the dashboard.
// Routes, validation, handler types and the permission matrix are generated from it.
import type { TSchema } from 'typebox'
import type { Gate } from '../../domain/people/organization-gate.ts'
import type { Role } from '../../domain/people/role.ts'
import type { BaseOperation, Operation } from '../operation.ts'
import { isWrite } from '../operation.ts'
import { Type } from '../type.ts'

/**
 * A role means: a member of the organization in the path with at least that role. OPERATOR: an operator of this
 * installation who has a second factor and signed in moments ago.
 */
export type Who = 'ANYONE' | 'PERSON' | 'OPERATOR' | Role

export type PrivateOperation = BaseOperation & {
  path: `/app/api/${string}`
  who: Who
  /** The closed gates of an organization that it works behind, so that nobody is stuck there. */
  passes?: readonly Gate[]
  /** Whether it is refused without an active subscription, as in the public API. */
  needsSubscription?: boolean
  /** Has a body but changes nothing: handled like a read, and not in the audit log. */
  keepsNothing?: true
  /** Responds with an event stream: the schema of each message, by name. */
  stream?: Readonly<Record<string, TSchema>>
}

export const privateOperation = <const O extends PrivateOperation>(o: O): O => o

export const ORGANIZATION_PATH = '/app/api/organizations/{organizationId}'
/** Parameters of every path below it. */
export const ORGANIZATION_PROPERTIES = { organizationId: Type.String() }
export const OrganizationParams = Type.Object(ORGANIZATION_PROPERTIES)

/** The public operation for members: below the organization's path, with the role that reading or writing needs. */
export function forMembers({ id, method, path, ...rest }: Operation): PrivateOperation {
  const { params, query, body, reply } = rest
  const write = isWrite({ id, method, path, reply })
  return {
    id,
    method,
    path: `${ORGANIZATION_PATH}${path.slice('/api/v1'.length)}`,
    who: write ? 'MEMBER' : 'READ_ONLY',
    needsSubscription: write && method !== 'DELETE',
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
    reply,
  }
}
