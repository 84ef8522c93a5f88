import { isCopied, type PasskeySite, toUserHandle } from '../../domain/people/passkey.ts'
import { ApiError } from '../../platform/api-error.ts'
import { type PasskeyAnswer, verifyPasskeyAnswer } from '../../platform/crypto/passkey.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import {
  type AnsweredChallenge,
  findPasskey,
  lockPasskey,
  recordPasskeyUse,
  type StoredPasskey,
  spendChallenge,
} from '../../store/people/passkeys.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { lockUser } from '../../store/people/users.ts'
import { limitTries } from './limit-tries.ts'
import { type OpenedSession, openSession, type SessionOrigin } from './open-session.ts'
import { readChallenge } from './passkey-challenges.ts'
import { passkeyLimits } from './password-limits.ts'

type Deps = {
  people: Database
  secrets: PeopleSecrets
  site: PasskeySite
  /** Called if a passkey's count of signatures did not grow. */
  onCopied(passkey: StoredPasskey): void
}

/** A passkey is both factors. Whatever is wrong, the response is the same. */
export async function signInByPasskey(
  deps: Deps,
  { answer, browser }: { answer: PasskeyAnswer; browser: string },
  from: SessionOrigin,
): Promise<OpenedSession> {
  const { people, site } = deps
  const limits = passkeyLimits(from.address, from.device)
  const opened = await limitTries(people, limits, async () => {
    const use = { purpose: 'SIGN_IN' as const, browser }
    const answered = await readChallenge(deps, use, answer.clientDataJSON)
    if (answered === undefined) return undefined
    const passkey = await findPasskey(people, Buffer.from(answer.id, 'base64url'))
    if (passkey === undefined || answer.userHandle !== toUserHandle(passkey.userUuid))
      return undefined
    const expected = { site, challenge: answered.challenge }
    const signatures = await verifyPasskeyAnswer(answer, passkey.publicKey, expected)
    if (signatures === undefined) return undefined
    const used = { passkey, signatures, answered }
    return people.transaction(undefined, (tx) => openByPasskey(tx, deps, used, from))
  })
  if (opened === undefined) throw new ApiError('unauthorized', 'This passkey was not accepted.')
  return opened
}

type Used = { passkey: StoredPasskey; signatures: number; answered: AnsweredChallenge }

/** Reads everything again under the lock: the passkey may have been removed, or used at the same time. */
async function openByPasskey(
  tx: Tx,
  { onCopied }: Deps,
  { passkey, signatures, answered }: Used,
  from: SessionOrigin,
): Promise<OpenedSession | undefined> {
  const user = await lockUser(tx, passkey.userUuid)
  const locked = user && (await lockPasskey(tx, passkey))
  if (locked === undefined) return undefined
  if (!(await spendChallenge(tx, locked.userUuid, answered))) return undefined
  if (isCopied(locked.signatures, signatures)) {
    onCopied(locked)
    return undefined
  }
  await recordPasskeyUse(tx, locked.uuid, signatures)
  return openSession(tx, locked.userUuid, from, true)
}
