import { ApiError } from '../../platform/api-error.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import type { Database } from '../../store/core/db.ts'
import { deleteOtherSessions } from '../../store/people/sessions.ts'
import { lockUser, setPassword, type User } from '../../store/people/users.ts'
import { type OpenedSession, openSession, type SessionOrigin } from './open-session.ts'
import { proveAgain } from './prove-again.ts'

/** Ends all sessions and opens a new one for the person. */
export async function changePassword(
  people: Database,
  user: User,
  { current, wanted }: { current: string; wanted: string },
  from: SessionOrigin,
): Promise<OpenedSession> {
  // A session alone must not create a permanent way to sign in.
  if (user.passwordHash === null)
    throw new ApiError(
      'conflict',
      'You have no password yet. Ask for a link by mail to choose one.',
    )
  await proveAgain(people, user, current, from)

  const passwordHash = await hashPassword(wanted)
  return people.transaction(undefined, async (tx) => {
    const locked = await lockUser(tx, user.uuid)
    if (locked?.passwordHash !== user.passwordHash)
      throw new ApiError('conflict', 'The password was changed meanwhile. Sign in again.')
    await setPassword(tx, user.uuid, passwordHash)
    await deleteOtherSessions(tx, user.uuid, null)
    return openSession(tx, user.uuid, from, true)
  })
}
