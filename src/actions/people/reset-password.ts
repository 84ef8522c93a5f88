import { MAX_LINKS_PER_ADDRESS } from '../../domain/people/sign-in.ts'
import { networkOf } from '../../domain/values/network.ts'
import { hashPassword } from '../../platform/crypto/password.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import { deleteOtherSessions } from '../../store/people/sessions.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import {
  countRecentTokens,
  findTokenEmail,
  insertUserToken,
  spendUserToken,
} from '../../store/people/user-tokens.ts'
import { lockUserByEmail, setPassword, type User } from '../../store/people/users.ts'
import { limitTries } from './limit-tries.ts'

const LINK_MINUTES = 60
const MAX_LINKS_AN_HOUR = 3
const PURPOSE = 'RESET_PASSWORD'

type ResetLink = { token: string; expiresAt: Date }

/** Undefined if the address has no account or reached its limit. The person who asked learns neither. */
export async function requestResetLink(
  tx: Tx,
  email: string,
): Promise<(ResetLink & { user: User }) | undefined> {
  const user = await lockUserByEmail(tx, email)
  if (user === undefined) return undefined
  const recent = await countRecentTokens(tx, user.uuid, PURPOSE, 3600)
  if (recent >= MAX_LINKS_AN_HOUR) return undefined
  return { user, ...(await createResetLink(tx, user.uuid)) }
}

/** A newer link invalidates the older ones. */
export async function createResetLink(tx: Tx, userUuid: string): Promise<ResetLink> {
  const token = newToken()
  const expiresAt = new Date(tx.now.getTime() + LINK_MINUTES * 60_000)
  const tokenHash = hashToken(token)
  await insertUserToken(tx, {
    uuid: tx.newUuid(),
    userUuid,
    purpose: PURPOSE,
    tokenHash,
    expiresAt,
  })
  return { token, expiresAt }
}

type Reset = {
  token: string
  password: string
  /** Throws if the password is not acceptable for this person. */
  judge(email: string): void
}

/**
 * Ends all sessions; the second factor is still required. Returns the person's id, or undefined if the link is invalid
 * or has expired.
 */
export async function resetPassword(
  people: Database,
  { token, password, judge }: Reset,
  address: string,
): Promise<string | undefined> {
  const tokenHash = hashToken(token)
  const subject = subjectOf('link', networkOf(address))
  const limits = [{ subject, limit: MAX_LINKS_PER_ADDRESS }]
  return limitTries(people, limits, async () => {
    // Before any slow work, so that a made-up token costs only one index lookup.
    const email = await findTokenEmail(people, tokenHash, PURPOSE)
    if (email === undefined) return undefined
    judge(email)
    const passwordHash = await hashPassword(password)
    return people.transaction(undefined, (tx) => spend(tx, tokenHash, passwordHash))
  })
}

async function spend(tx: Tx, tokenHash: Buffer, passwordHash: string): Promise<string | undefined> {
  const userUuid = await spendUserToken(tx, tokenHash, PURPOSE)
  if (userUuid === undefined) return undefined
  await setPassword(tx, userUuid, passwordHash)
  await deleteOtherSessions(tx, userUuid, null)
  return userUuid
}
