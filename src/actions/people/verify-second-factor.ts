import { ApiError } from '../../platform/api-error.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import type { Database } from '../../store/core/db.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { findSession } from '../../store/people/sessions.ts'
import { lockUser } from '../../store/people/users.ts'
import { limitTries } from './limit-tries.ts'
import { type OpenedSession, openSession, type SessionOrigin } from './open-session.ts'
import { isSecondFactor, secondFactorLimits } from './second-factor.ts'

/** Completes the session that the password opened. The code comes from the authenticator app or is a recovery code. */
export async function verifySecondFactor(
  people: Database,
  secrets: PeopleSecrets,
  code: string,
  from: SessionOrigin,
): Promise<OpenedSession> {
  const tokenHash = hashToken(from.oldToken ?? '')
  const found = await findSession(people, tokenHash, null)
  if (found === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  const { uuid } = found.session.user

  const opened = await limitTries(people, secondFactorLimits(uuid), () =>
    people.transaction(undefined, async (tx) => {
      const user = await lockUser(tx, uuid)
      // Checked again under the lock, when no other request can end sessions: a new password ends this one too.
      const isOpen = (await findSession(tx, tokenHash, null)) !== undefined
      if (user === undefined || !isOpen) return undefined
      if (!(await isSecondFactor(tx, secrets, user, code))) return undefined
      return openSession(tx, uuid, from, true)
    }),
  )
  if (opened === undefined) throw new ApiError('unauthorized', 'Wrong code.')
  return opened
}
