import { createHash, createHmac } from 'node:crypto'
import { comparableCode, MAX_TRIES_PER_ACCOUNT } from '../../domain/people/sign-in.ts'
import { matchTotp } from '../../domain/people/totp.ts'
import type { Db, Tx } from '../../store/core/db.ts'
import type { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { spendRecoveryCode, spendTotpStep, type User } from '../../store/people/users.ts'

/** One count for giving, confirming and removing it: six digits are few. */
export const secondFactorLimits = (userUuid: string) => [
  { subject: subjectOf('second', userUuid), limit: MAX_TRIES_PER_ACCOUNT },
]

/** Whether the code is right; if so it is spent. The user's row is locked by whoever asks. */
export async function isSecondFactor(
  tx: Tx,
  secrets: PeopleSecrets,
  user: User,
  code: string,
): Promise<boolean> {
  if (user.totpConfirmedAt === null) return false
  if (await isTotp(tx, secrets, user, code)) return true
  const bare = hashBare(code)
  const keyed = toKeyed(await recoveryKey(tx, secrets), user.uuid, bare)
  return spendRecoveryCode(tx, user.uuid, { keyed, bare })
}

/** A code of the authenticator, also the first one, which confirms it. */
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

/** As they are stored. A code is short enough to be searched for, so its hash needs a key. */
export async function hashRecoveryCodes(
  tx: Tx,
  secrets: PeopleSecrets,
  userUuid: string,
  codes: readonly string[],
): Promise<Buffer[]> {
  const key = await recoveryKey(tx, secrets)
  return codes.map((code) => toKeyed(key, userUuid, hashBare(code)))
}

export const recoveryKey = (db: Db, secrets: PeopleSecrets): Promise<Buffer> =>
  secrets.macKey(db, 'recovery codes')

/** Over the bare hash, so that codes which were stored before need not be known. */
export const toKeyed = (key: Buffer, userUuid: string, bare: Buffer): Buffer =>
  createHmac('sha256', key).update(userUuid).update(bare).digest()

const hashBare = (code: string): Buffer =>
  createHash('sha256').update(comparableCode(code)).digest()
