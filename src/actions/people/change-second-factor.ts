import { randomBytes } from 'node:crypto'
import { ApiError, validationError } from '../../platform/api-error.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import { deletePasskeys } from '../../store/people/passkeys.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { deleteOtherSessions } from '../../store/people/sessions.ts'
import { lockUser, replaceRecoveryCodes, setTotpSeed, type User } from '../../store/people/users.ts'
import { limitTries } from './limit-tries.ts'
import { type OpenedSession, openSession, type SessionOrigin } from './open-session.ts'
import {
  isSecondFactor,
  isTotp,
  renewRecoveryCodes,
  secondFactorLimits,
  seedLocation,
} from './second-factor.ts'

const SEED_BYTES = 20

type Deps = { people: Database; secrets: PeopleSecrets }

/** Creates a seed for an authenticator app. No code is required until a first one confirms it. */
export async function beginSecondFactor(
  { people, secrets }: Deps,
  userUuid: string,
): Promise<Buffer> {
  return people.transaction(undefined, async (tx) => {
    const user = await lockExisting(tx, userUuid)
    if (user.totpConfirmedAt !== null)
      throw new ApiError('conflict', 'A second factor is set up already. Remove it first.')
    const seed = randomBytes(SEED_BYTES)
    const cipher = await secrets.cipher(tx)
    await setTotpSeed(tx, userUuid, cipher.seal(seedLocation(userUuid), seed.toString('base64')))
    return seed
  })
}

/** Returns the recovery codes, which are shown only this once. */
export async function confirmSecondFactor(
  { people, secrets }: Deps,
  { userUuid, code }: { userUuid: string; code: string },
  from: SessionOrigin,
): Promise<{ codes: string[]; opened: OpenedSession }> {
  const confirmed = await limitTries(people, secondFactorLimits(userUuid), () =>
    people.transaction(undefined, async (tx) => {
      const user = await lockExisting(tx, userUuid)
      if (user.totpSeed === null || user.totpConfirmedAt !== null)
        throw new ApiError('conflict', 'There is no second factor to confirm.')
      if (!(await isTotp(tx, secrets, user, code))) return undefined
      const codes = await renewRecoveryCodes(tx, secrets, userUuid)
      return { codes, opened: await openAlone(tx, userUuid, from) }
    }),
  )
  if (confirmed === undefined) throw wrongCode()
  return confirmed
}

export async function removeSecondFactor(
  { people, secrets }: Deps,
  { userUuid, code }: { userUuid: string; code: string },
  from: SessionOrigin,
): Promise<OpenedSession> {
  const opened = await limitTries(people, secondFactorLimits(userUuid), () =>
    people.transaction(undefined, async (tx) => {
      const user = await lockExisting(tx, userUuid)
      if (user.totpConfirmedAt === null) return undefined
      if (!(await isSecondFactor(tx, secrets, user, code))) return undefined
      await dropAuthenticator(tx, user)
      return openAlone(tx, userUuid, from)
    }),
  )
  if (opened === undefined) throw wrongCode()
  return opened
}

/** The recovery codes stay as long as a passkey is asked for. */
async function dropAuthenticator(tx: Tx, { uuid, passkeyCount }: User): Promise<void> {
  await setTotpSeed(tx, uuid, null)
  if (passkeyCount === 0) await replaceRecoveryCodes(tx, uuid, [])
}

/** Authenticator, passkeys and recovery codes. */
export async function dropSecondFactor(tx: Tx, userUuid: string): Promise<void> {
  await setTotpSeed(tx, userUuid, null)
  await deletePasskeys(tx, userUuid)
  await replaceRecoveryCodes(tx, userUuid, [])
}

/** Other sessions were opened with weaker proof, and a token seen earlier must not stay valid. */
export async function openAlone(
  tx: Tx,
  userUuid: string,
  from: SessionOrigin,
): Promise<OpenedSession> {
  await deleteOtherSessions(tx, userUuid, null)
  return openSession(tx, userUuid, from, true)
}

export async function lockExisting(tx: Tx, userUuid: string): Promise<User> {
  const user = await lockUser(tx, userUuid)
  if (user === undefined) throw new ApiError('unauthorized', 'Sign in first.')
  return user
}

const wrongCode = () => validationError([{ path: 'code', message: 'is wrong' }])
