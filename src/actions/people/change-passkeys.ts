import { MAX_PASSKEYS, type PasskeySite } from '../../domain/people/passkey.ts'
import { hasSecondFactor } from '../../domain/people/second-factor.ts'
import { ApiError } from '../../platform/api-error.ts'
import { type NewPasskeyAnswer, verifyNewPasskey } from '../../platform/crypto/passkey.ts'
import type { Database } from '../../store/core/db.ts'
import { deletePasskey, insertPasskey, spendChallenge } from '../../store/people/passkeys.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { replaceRecoveryCodes } from '../../store/people/users.ts'
import { lockExisting, openAlone } from './change-second-factor.ts'
import type { OpenedSession, SessionOrigin } from './open-session.ts'
import { readChallenge } from './passkey-challenges.ts'
import { renewRecoveryCodes } from './second-factor.ts'

type Deps = { people: Database; secrets: PeopleSecrets; site: PasskeySite }
type Adding = { userUuid: string; sessionUuid: string; name: string; answer: NewPasskeyAnswer }

/** Returns recovery codes if this is the first thing besides the password; they are shown only this once. */
export async function addPasskey(
  { people, secrets, site }: Deps,
  { userUuid, sessionUuid, name, answer }: Adding,
  from: SessionOrigin,
): Promise<{ codes: string[]; opened: OpenedSession }> {
  const use = { purpose: 'ADD' as const, browser: sessionUuid }
  const answered = await readChallenge({ people, secrets }, use, answer.clientDataJSON)
  if (answered === undefined) throw notAccepted()
  const passkey = await verifyNewPasskey(answer, { site, challenge: answered.challenge })
  if (passkey === undefined) throw notAccepted()

  return people.transaction(undefined, async (tx) => {
    const user = await lockExisting(tx, userUuid)
    requireRoom(user.passkeyCount)
    if (!(await spendChallenge(tx, userUuid, answered))) throw notAccepted()
    if (!(await insertPasskey(tx, userUuid, { uuid: tx.newUuid(), name, ...passkey })))
      throw new ApiError('conflict', 'This passkey is already in use. Choose another device.')
    const codes = hasSecondFactor(user) ? [] : await renewRecoveryCodes(tx, secrets, userUuid)
    return { codes, opened: await openAlone(tx, userUuid, from) }
  })
}

export function requireRoom(passkeyCount: number): void {
  if (passkeyCount >= MAX_PASSKEYS)
    throw new ApiError('conflict', `You have ${MAX_PASSKEYS} passkeys. Remove one first.`)
}

/** With the last one, and without an authenticator, the recovery codes are deleted, too. */
export function removePasskey(
  people: Database,
  { userUuid, uuid }: { userUuid: string; uuid: string },
  from: SessionOrigin,
): Promise<OpenedSession> {
  return people.transaction(undefined, async (tx) => {
    const user = await lockExisting(tx, userUuid)
    if (!(await deletePasskey(tx, userUuid, uuid)))
      throw new ApiError('not_found', 'There is no such passkey.')
    if (user.passkeyCount === 1 && user.totpConfirmedAt === null)
      await replaceRecoveryCodes(tx, userUuid, [])
    return openAlone(tx, userUuid, from)
  })
}

const notAccepted = () => new ApiError('conflict', 'This passkey was not accepted. Try again.')
