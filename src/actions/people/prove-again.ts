import { isRecent, type Session } from '../../domain/people/session.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import { verifyPassword } from '../../platform/crypto/password.ts'
import type { Database } from '../../store/core/db.ts'
import type { User } from '../../store/people/users.ts'
import { limitTries } from './limit-tries.ts'
import type { SessionOrigin } from './open-session.ts'
import { passwordLimits } from './password-limits.ts'

/**
 * Requires the password again before a change that outlives the session: an open or stolen session is not enough. A
 * person without a password must have signed in moments ago.
 */
export async function proveAgain(
  people: Database,
  user: User,
  current: string,
  { address, device, session }: Pick<SessionOrigin, 'address' | 'device'> & { session?: Session },
): Promise<void> {
  const { passwordHash, email } = user
  if (passwordHash === null) {
    if (session !== undefined && isRecent(session, new Date())) return
    throw new ApiError('conflict', 'Sign out and sign in again first, then come back here.')
  }
  const known = device?.userUuid === user.uuid ? device : undefined
  const limits = passwordLimits(email, address, known)
  const isRight = await limitTries(people, limits, async () =>
    (await verifyPassword(current, passwordHash)) ? true : undefined,
  )
  if (isRight === undefined)
    throw validationError([{ path: 'current', message: 'is not your password' }])
}
