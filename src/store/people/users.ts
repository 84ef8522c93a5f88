// People and their credentials.
import type { Role } from '../../domain/people/role.ts'
import { type Db, sql } from '../core/db.ts'
import { hasSecondFactor } from './membership-rules.ts'

export type User = {
  uuid: string
  email: string
  name: string
  passwordHash: string | null
  /** Encrypted. Counts only after it is confirmed. */
  totpSeed: Buffer | null
  totpConfirmedAt: Date | null
  totpLastStep: number | null
  passkeyCount: number
  /** Of the emails to them. Null: that of their organization. */
  timezone: string | null
  createdAt: Date
}

const columns = sql`
  id as uuid, email, name, password_hash as "passwordHash", totp_seed as "totpSeed",
  totp_confirmed_at as "totpConfirmedAt", totp_last_step as "totpLastStep",
  passkey_count as "passkeyCount", timezone, created_at as "createdAt"`

const BY_EMAIL = sql`select ${columns} from users where email = $1 and disabled_at is null`
const BY_ID = sql`select ${columns} from users where id = $1 and disabled_at is null`
const LOCK = sql`select ${columns} from users where id = $1 and disabled_at is null for update`

/** `email` must be normalized with `comparable`. */
export async function findUserByEmail(people: Db, email: string): Promise<User | undefined> {
  const [user] = await people.query<User>(BY_EMAIL, [email])
  return user
}

export async function findUser(people: Db, uuid: string): Promise<User | undefined> {
  const [user] = await people.query<User>(BY_ID, [uuid])
  return user
}

export async function lockUser(people: Db, uuid: string): Promise<User | undefined> {
  const [user] = await people.query<User>(LOCK, [uuid])
  return user
}

const LOCK_BY_EMAIL = sql`
  select ${columns} from users where email = $1 and disabled_at is null for update`

/** Locks the row, so that concurrent requests for one person are counted one at a time. */
export async function lockUserByEmail(people: Db, email: string): Promise<User | undefined> {
  const [user] = await people.query<User>(LOCK_BY_EMAIL, [email])
  return user
}

type NewUser = Pick<User, 'uuid' | 'email' | 'name' | 'passwordHash'>

const INSERT = sql`
  insert into users (id, email, name, password_hash) values ($1, $2, $3, $4)
  on conflict (email) do nothing returning id`

/** False if the address already has an account. */
export async function insertUser(people: Db, user: NewUser): Promise<boolean> {
  const { uuid, email, name, passwordHash } = user
  return (await people.query(INSERT, [uuid, email, name, passwordHash])).length > 0
}

const UPDATE = sql`update users set name = $2, timezone = $3, updated_at = now() where id = $1`
const SET_PASSWORD = sql`update users set password_hash = $2, updated_at = now() where id = $1`

export async function updateUser(
  people: Db,
  uuid: string,
  { name, timezone }: Pick<User, 'name' | 'timezone'>,
): Promise<void> {
  await people.query(UPDATE, [uuid, name, timezone])
}

export async function setPassword(people: Db, uuid: string, passwordHash: string): Promise<void> {
  await people.query(SET_PASSWORD, [uuid, passwordHash])
}

const SET_SEED = sql`
  update users set totp_seed = $2, totp_confirmed_at = null, totp_last_step = null, updated_at = now()
   where id = $1`
const USE_STEP = sql`
  update users
     set totp_last_step = $2, totp_confirmed_at = coalesce(totp_confirmed_at, now())
   where id = $1`

/** Null removes it. */
export async function setTotpSeed(people: Db, uuid: string, seed: Buffer | null): Promise<void> {
  await people.query(SET_SEED, [uuid, seed])
}

/** Marks the step of a correct code as used. The first correct code confirms the seed. */
export async function spendTotpStep(people: Db, uuid: string, step: number): Promise<void> {
  await people.query(USE_STEP, [uuid, step])
}

const DELETE_CODES = sql`delete from recovery_codes where user_id = $1`
const INSERT_CODES = sql`
  insert into recovery_codes (user_id, hash, keyed) select $1, h, true from unnest($2::bytea[]) h`
const USE_CODE = sql`
  update recovery_codes set used_at = now()
   where user_id = $1 and used_at is null and (keyed and hash = $2 or not keyed and hash = $3)
  returning hash`
const COUNT_CODES = sql`
  select count(*)::integer as count from recovery_codes where user_id = $1 and used_at is null`

/** Replaces all existing codes. */
export async function replaceRecoveryCodes(
  people: Db,
  uuid: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await people.query(DELETE_CODES, [uuid])
  await people.query(INSERT_CODES, [uuid, hashes])
}

/** False if the code is unknown or was already used. */
export async function spendRecoveryCode(
  people: Db,
  uuid: string,
  { keyed, bare }: { keyed: Buffer; bare: Buffer },
): Promise<boolean> {
  return (await people.query(USE_CODE, [uuid, keyed, bare])).length > 0
}

const LOCK_BARE = sql`
  select user_id as "userUuid", hash from recovery_codes where not keyed
   order by user_id, hash limit $1 for update skip locked`
const SET_KEYED = sql`
  update recovery_codes set hash = $3, keyed = true where user_id = $1 and hash = $2 and not keyed`

/** Locks up to `most` codes stored before hashes were keyed. Skips codes that another process has locked. */
export async function lockBareCodes(
  tx: Db,
  most: number,
): Promise<{ userUuid: string; hash: Buffer }[]> {
  return tx.query(LOCK_BARE, [most])
}

export async function setKeyed(
  tx: Db,
  userUuid: string,
  { bare, keyed }: { bare: Buffer; keyed: Buffer },
): Promise<void> {
  await tx.query(SET_KEYED, [userUuid, bare, keyed])
}

export async function countRecoveryCodes(people: Db, uuid: string): Promise<number> {
  const [row] = await people.query<{ count: number }>(COUNT_CODES, [uuid])
  return row?.count ?? 0
}

type UserSummary = {
  uuid: string
  email: string
  name: string
  hasPassword: boolean
  isLinked: boolean
  secondFactor: boolean
  organizations: { orgId: string; name: string; role: Role }[]
  disabledAt: Date | null
  createdAt: Date
}

const LIST = sql`
  select u.id as uuid, u.email, u.name, u.password_hash is not null as "hasPassword",
         exists (select from identities i where i.user_id = u.id) as "isLinked",
         ${hasSecondFactor} as "secondFactor",
         coalesce((select json_agg(json_build_object('orgId', o.id, 'name', o.name, 'role', m.role)
                                   order by o.name, o.id)
                     from members m join organizations o on o.id = m.org_id and o.deleted_at is null
                    where m.user_id = u.id), '[]') as organizations,
         u.disabled_at as "disabledAt", u.created_at as "createdAt"
    from users u order by u.email limit $1`
const ANY_BY_EMAIL = sql`
  select id as uuid, email, disabled_at as "disabledAt" from users where email = $1 for update`
const SET_DISABLED = sql`
  update users set disabled_at = case when $2 then coalesce(disabled_at, now()) end where id = $1`

/** For the operator: includes disabled accounts. */
export async function listUsers(people: Db, limit: number): Promise<UserSummary[]> {
  return people.query<UserSummary>(LIST, [limit])
}

/** Locks the row. Includes disabled accounts. */
export async function findAnyUser(
  people: Db,
  email: string,
): Promise<{ uuid: string; email: string; disabledAt: Date | null } | undefined> {
  type Row = { uuid: string; email: string; disabledAt: Date | null }
  const [user] = await people.query<Row>(ANY_BY_EMAIL, [email])
  return user
}

const NAME_BY_EMAIL = sql`select id as uuid, email, name from users where email = $1`

/** Includes disabled accounts. */
export async function findByEmail(
  people: Db,
  email: string,
): Promise<{ uuid: string; email: string; name: string } | undefined> {
  const [user] = await people.query<{ uuid: string; email: string; name: string }>(NAME_BY_EMAIL, [
    email,
  ])
  return user
}

export async function setDisabled(people: Db, uuid: string, isDisabled: boolean): Promise<void> {
  await people.query(SET_DISABLED, [uuid, isDisabled])
}
