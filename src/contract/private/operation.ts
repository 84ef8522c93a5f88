// One operation of the dashboard's private API. It is not in the public document and may change with the dashboard.
// Routes, validation, handler types and the permission matrix are generated from it.
import type { Role } from '../../domain/people/role.ts'
import { type BaseOperation, isWrite, type Operation, type Who } from '../operation.ts'

export type PrivateOperation = BaseOperation & { path: `/app/api/${string}`; who: Who }

const PREFIX = '/app/api'
export const ORGANIZATION_PATH = `${PREFIX}/organizations/{organizationId}` as const

type Base<W extends Who> = W extends Role ? typeof ORGANIZATION_PATH : typeof PREFIX
/** Its path is below that of the organization if members may call it, and below that of the API otherwise. */
type Declared = Omit<PrivateOperation, 'path'> & { path: '' | `/${string}` }
type Placed<O extends Declared> = Omit<O, 'path'> & { path: `${Base<O['who']>}${O['path']}` }

export function privateOperation<const O extends Declared>(o: O): Placed<O> {
  const isPersonal = o.who === 'ANYONE' || o.who === 'PERSON' || o.who === 'OPERATOR'
  // Safe because the base is that of the type.
  return { ...o, path: `${isPersonal ? PREFIX : ORGANIZATION_PATH}${o.path}` } as Placed<O>
}

/** The public operation for members: below the organization's path, with the role that reading or writing needs. */
export function forMembers({ id, method, path, ...rest }: Operation): PrivateOperation {
  const { params, query, body, reply, waits } = rest
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
    ...(waits && { waits }),
  }
}
