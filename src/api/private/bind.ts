import type { Operation } from '../../contract/operation.ts'
import { forMembers, type PrivateOperation } from '../../contract/private/operation.ts'
import type { Session } from '../../domain/people/session.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Db } from '../../store/core/db.ts'
import { findUser, type User } from '../../store/people/users.ts'
import type { BoundOperation } from '../http/bind.ts'

export type BoundPrivateOperation = BoundOperation & { operation: PrivateOperation }

/** The complete user record of a session. */
export async function userOf({ people, session }: { people: Db; session: Session }): Promise<User> {
  const user = await findUser(people, session.user.uuid)
  if (user === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  return user
}

/** A public operation, run by its own handler for a member of the organization in the path. */
export function bindForMembers(bound: BoundOperation): BoundPrivateOperation {
  return { ...bound, operation: forMembers(bound.operation as Operation) }
}
