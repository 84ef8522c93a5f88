import type { Session } from '../../domain/people/session.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { Db } from '../../store/core/db.ts'
import { findUser, type User } from '../../store/people/users.ts'

/** The complete user record of a session. */
export async function userOf({ people, session }: { people: Db; session: Session }): Promise<User> {
  const user = await findUser(people, session.user.uuid)
  if (user === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  return user
}
