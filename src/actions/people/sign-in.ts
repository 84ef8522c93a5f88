import type { KnownDevice } from '../../domain/people/session.ts'
import { comparable, parseEmailAddress } from '../../domain/values/email-address.ts'
import { ApiError } from '../../platform/api-error.ts'
import { verifyPassword } from '../../platform/crypto/password.ts'
import type { Database } from '../../store/core/db.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import { limitTries } from './limit-tries.ts'
import { type OpenedSession, openFor, type SessionOrigin } from './open-session.ts'
import { passwordLimits } from './password-limits.ts'

// The hash of no password: an unknown address takes as much work as a wrong password.
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** With a second factor, the session stays incomplete until the code is entered. */
export async function signIn(
  people: Database,
  { email, password }: { email: string; password: string },
  from: SessionOrigin,
): Promise<OpenedSession> {
  const address = comparable(parseEmailAddress(email) ?? email)
  const device = await findDevice(people, address, from)
  const limits = passwordLimits(address, from.address, device)
  const opened = await limitTries(people, limits, async () => {
    const user = await findUserByEmail(people, address)
    const isRight = await verifyPassword(password, user?.passwordHash ?? DUMMY_HASH)
    if (user === undefined || user.passwordHash === null || !isRight) return undefined
    // Also undefined if the account was disabled or its password changed during verification.
    return people.transaction(undefined, (tx) =>
      openFor(tx, { uuid: user.uuid, passwordHash: user.passwordHash }, from),
    )
  })
  if (opened === undefined) throw new ApiError('unauthorized', 'Wrong email or password.')
  return opened
}

/** The browser of this request, if it was signed in to this account before. */
async function findDevice(
  people: Database,
  email: string,
  { device }: SessionOrigin,
): Promise<KnownDevice | undefined> {
  if (device === undefined) return undefined
  const user = await findUserByEmail(people, email)
  return user?.uuid === device.userUuid ? device : undefined
}
