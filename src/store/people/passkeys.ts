// Public keys of people's passkeys, and which challenges they have answered.
import type { NewPasskey } from '../../platform/crypto/passkey.ts'
import { type Db, sql } from '../core/db.ts'

type PasskeyLine = { uuid: string; name: string; createdAt: Date; lastUsedAt: Date | null }

const LIST = sql`
  select id as uuid, name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = $1 order by created_at, id`
const CREDENTIAL_IDS = sql`select credential_id as id from passkeys where user_id = $1`

export async function listPasskeys(people: Db, userUuid: string): Promise<PasskeyLine[]> {
  return people.query<PasskeyLine>(LIST, [userUuid])
}

export async function listCredentialIds(people: Db, userUuid: string): Promise<Buffer[]> {
  return (await people.query<{ id: Buffer }>(CREDENTIAL_IDS, [userUuid])).map(({ id }) => id)
}

export type StoredPasskey = {
  uuid: string
  userUuid: string
  publicKey: Buffer
  /** As it was reported last. */
  signatures: number
}

const stored = sql`
  p.id as uuid, p.user_id as "userUuid", p.public_key as "publicKey", p.signatures::float8 as signatures`
const FIND = sql`
  select ${stored} from passkeys p join users u on u.id = p.user_id and u.disabled_at is null
   where p.credential_id = $1`
const LOCK = sql`select ${stored} from passkeys p where p.user_id = $1 and p.id = $2 for update`

/** Undefined also if its account is disabled. */
export async function findPasskey(
  people: Db,
  credentialId: Buffer,
): Promise<StoredPasskey | undefined> {
  const [passkey] = await people.query<StoredPasskey>(FIND, [credentialId])
  return passkey
}

export async function lockPasskey(
  tx: Db,
  { userUuid, uuid }: Pick<StoredPasskey, 'userUuid' | 'uuid'>,
): Promise<StoredPasskey | undefined> {
  const [passkey] = await tx.query<StoredPasskey>(LOCK, [userUuid, uuid])
  return passkey
}

const INSERT = sql`
  with added as (
    insert into passkeys (id, user_id, name, credential_id, public_key, signatures)
    values ($2, $1, $3, $4, $5, $6) on conflict (credential_id) do nothing returning 1)
  update users set passkey_count = passkey_count + 1, updated_at = now()
   where id = $1 and exists (select from added) returning id`
const DELETE = sql`
  with gone as (delete from passkeys where user_id = $1 and id = $2 returning 1)
  update users set passkey_count = passkey_count - 1, updated_at = now()
   where id = $1 and exists (select from gone) returning id`
const DELETE_ALL = sql`
  with gone as (delete from passkeys where user_id = $1)
  update users set passkey_count = 0, updated_at = now() where id = $1`
const USE = sql`update passkeys set signatures = $2, last_used_at = now() where id = $1`

/** False if an account has it already. The caller must have locked the user's row. */
export async function insertPasskey(
  tx: Db,
  userUuid: string,
  { uuid, name, ...key }: NewPasskey & { uuid: string; name: string },
): Promise<boolean> {
  const values = [userUuid, uuid, name, key.credentialId, key.publicKey, key.signatures]
  return (await tx.query(INSERT, values)).length > 0
}

/** The caller must have locked the user's row. */
export async function deletePasskey(tx: Db, userUuid: string, uuid: string): Promise<boolean> {
  return (await tx.query(DELETE, [userUuid, uuid])).length > 0
}

export async function deletePasskeys(tx: Db, userUuid: string): Promise<void> {
  await tx.query(DELETE_ALL, [userUuid])
}

export async function recordPasskeyUse(tx: Db, uuid: string, signatures: number): Promise<void> {
  await tx.query(USE, [uuid, signatures])
}

const FORGET = sql`delete from answered_challenges where user_id = $1 and expires_at < now()`
const REMEMBER = sql`
  insert into answered_challenges (user_id, hash, expires_at) values ($1, $2, $3)
  on conflict do nothing returning 1 as one`

export type AnsweredChallenge = { hash: Buffer; expiresAt: Date }

/** False if it was answered before. Also forgets the person's older ones, which have expired. */
export async function spendChallenge(
  tx: Db,
  userUuid: string,
  { hash, expiresAt }: AnsweredChallenge,
): Promise<boolean> {
  await tx.query(FORGET, [userUuid])
  return (await tx.query(REMEMBER, [userUuid, hash, expiresAt])).length > 0
}
