import { ApiError } from '../../platform/api-error.ts'
import type { Database } from '../../store/core/db.ts'
import { deleteIdentity } from '../../store/people/identities.ts'
import { lockUser } from '../../store/people/users.ts'

/** Refused if the person could not sign in afterward. */
export function unlinkIdentity(
  people: Database,
  userUuid: string,
  provider: { issuer: string; name: string },
): Promise<void> {
  return people.transaction(undefined, async (tx) => {
    const user = await lockUser(tx, userUuid)
    if (user === undefined || !(await deleteIdentity(tx, user.uuid, provider.issuer)))
      throw new ApiError('not_found', `Your account is not tied to ${provider.name}.`)
    if (user.passwordHash === null)
      throw new ApiError('conflict', 'You could not sign in any more. Choose a password first.')
  })
}
