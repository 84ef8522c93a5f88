import { hasSecondFactor } from '../../domain/people/second-factor.ts'
import { type KnownDevice, sessionEnd } from '../../domain/people/session.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import type { Tx } from '../../store/core/db.ts'
import { deleteByToken, insertSession } from '../../store/people/sessions.ts'
import { lockUser } from '../../store/people/users.ts'

export type OpenedSession = { userUuid: string; token: string; expiresAt: Date; complete: boolean }
/** Where a person signs in from. `oldToken` is the previous token of their cookie. */
export type SessionOrigin = {
  address: string
  agent: string
  oldToken: string | undefined
  device: KnownDevice | undefined
}

/** Always creates a new token and ends the old one, so that a cookie planted before sign-in is worthless. */
export async function openSession(
  tx: Tx,
  userUuid: string,
  { address, agent, oldToken }: SessionOrigin,
  complete: boolean,
): Promise<OpenedSession> {
  if (oldToken !== undefined) await deleteByToken(tx, hashToken(oldToken))
  const token = newToken()
  const expiresAt = sessionEnd(tx.now, complete)
  const uuid = tx.newUuid()
  const tokenHash = hashToken(token)
  await insertSession(tx, { uuid, tokenHash, userUuid, complete, address, agent, expiresAt })
  return { userUuid, token, expiresAt, complete }
}

/**
 * For a person who passed the first factor; the session is incomplete while a second one is required. Undefined if the
 * account is disabled or `passwordHash`, which they proved, has changed. The row is locked, so that a session opened
 * now cannot survive a change that ends all sessions.
 */
export async function openFor(
  tx: Tx,
  { uuid, passwordHash }: { uuid: string; passwordHash?: string | null },
  from: SessionOrigin,
): Promise<OpenedSession | undefined> {
  const user = await lockUser(tx, uuid)
  if (user === undefined) return undefined
  if (passwordHash !== undefined && user.passwordHash !== passwordHash) return undefined
  return openSession(tx, uuid, from, !hasSecondFactor(user))
}
