import { MAX_TRIES_PER_ACCOUNT } from '../../domain/sign-in.ts'
import { validationError } from '../../platform/api-error.ts'
import { verifyPassword } from '../../platform/password.ts'
import type { Database } from '../../store/db.ts'
import { subjectOf } from '../../store/sign-in-windows.ts'
import type { User } from '../../store/users.ts'
import { limitTries } from './limit-tries.ts'

/**
 * Asks for the password once more before something that outlives the session: one that was left open, or stolen,
 * is not enough for it. Whoever has no password has nothing to prove here.
 */
export async function proveAgain(people: Database, user: User, current: string): Promise<void> {
  const { passwordHash, email } = user
  if (passwordHash === null) return
  const limits = [{ subject: subjectOf('account', email), limit: MAX_TRIES_PER_ACCOUNT }]
  const isRight = await limitTries(people, limits, async () =>
    (await verifyPassword(current, passwordHash)) ? true : undefined,
  )
  if (isRight === undefined)
    throw validationError([{ path: 'current', message: 'is not your password' }])
}
