import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  comparableCode,
  MAX_TRIES_PER_ACCOUNT,
  RECOVERY_CODES,
  recoveryCode,
} from '../../domain/people/sign-in.ts'
import { matchTotp } from '../../domain/people/totp.ts'
import type { Db, Tx } from '../../store/core/db.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import {
  replaceRecoveryCodes,
  spendRecoveryCode,
  spendTotpStep,
  type User,
} from '../../store/people/users.ts'

/** One counter for entering, confirming and removing it: six digits are easy to guess. */
export const secondFactorLimits = (userUuid: string) => [
  { subject: subjectOf('second', userUuid), limit: MAX_TRIES_PER_ACCOUNT },
]

/** Marks a correct code as used. The caller must have locked the user's row. */
export async function isSecondFactor(
  tx: Tx,
  secrets: PeopleSecrets,
  user: User,
  code: string,
): Promise<boolean> {
  if (user.totpConfirmedAt !== null && (await isTotp(tx, secrets, user, code))) return true
  const bare = hashBare(code)
  const keyed = toKeyed(await recoveryKey(tx, secrets), user.uuid, bare)
  return spendRecoveryCode(tx, user.uuid, { keyed, bare })
}

/** A code from the authenticator app. The first one confirms the seed. */
export async function isTotp(
  tx: Tx,
  secrets: PeopleSecrets,
  user: User,
  code: string,
): Promise<boolean> {
  if (user.totpSeed === null) return false
  const cipher = await secrets.cipher(tx)
  const seed = Buffer.from(cipher.unseal(seedLocation(user.uuid), user.totpSeed), 'base64')
  const typed = code.replaceAll(/\s/g, '')
  const step = matchTotp(seed, typed, { now: tx.now, lastStep: user.totpLastStep })
  if (step === undefined) return false
  await spendTotpStep(tx, user.uuid, step)
  return true
}

export const seedLocation = (userUuid: string) => ({
  table: 'users',
  row: userUuid,
  column: 'totp_seed',
})

/** Replaces all codes. A code is short enough for a brute-force search, so its stored hash needs a key. */
export async function renewRecoveryCodes(
  tx: Tx,
  secrets: PeopleSecrets,
  userUuid: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(randomBytes(16)))
  const key = await recoveryKey(tx, secrets)
  const hashes = codes.map((code) => toKeyed(key, userUuid, hashBare(code)))
  await replaceRecoveryCodes(tx, userUuid, hashes)
  return codes
}

export const recoveryKey = (db: Db, secrets: PeopleSecrets): Promise<Buffer> =>
  secrets.macKey(db, 'recovery codes')

/** Computed over the plain hash, so that codes stored earlier can be converted without knowing them. */
export const toKeyed = (key: Buffer, userUuid: string, bare: Buffer): Buffer =>
  createHmac('sha256', key).update(userUuid).update(bare).digest()

const hashBare = (code: string): Buffer =>
  createHash('sha256').update(comparableCode(code)).digest()
