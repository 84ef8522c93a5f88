// What one line of the dashboard's own contract looks like. It is not in the public document, and may change
// with the dashboard; routes, validation, handler types and the matrix of roles are made from it.
import Type, { type TSchema } from 'typebox'
import type { Role } from '../../domain/people/role.ts'
import type { BaseOperation, Operation } from '../operation.ts'
import { isWrite } from '../operation.ts'

/** A role: a member of the organization in the path who has at least that role. */
export type Who = 'ANYONE' | 'PERSON' | Role

export type PrivateOperation = BaseOperation & {
  path: `/app/api/${string}`
  who: Who
  /** Whether it is refused while the organization has no active subscription, as in the public API. */
  needsSubscription?: boolean
  /** Asked with a body, but changes nothing: answered like a read, and not in the audit log. */
  keepsNothing?: true
  /** Answered with an event stream: what each of its messages holds, by name. */
  stream?: Readonly<Record<string, TSchema>>
}

export const privateOperation = <const O extends PrivateOperation>(o: O): O => o

export const ORGANIZATION_PATH = '/app/api/organizations/{organizationId}'
/** What every path below it has. */
export const ORGANIZATION_PROPERTIES = { organizationId: Type.String() }
export const OrganizationParams = Type.Object(ORGANIZATION_PROPERTIES)

/** The public operation for a person: below the organization, for whoever may read or write. */
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
