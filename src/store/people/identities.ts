// Identities of people at an identity provider. Looked up by the provider's subject, never by email address.
import { type Db, sql } from '../core/db.ts'

type Identity = { issuer: string; subject: string }

const FIND = sql`select user_id as "userUuid" from identities where issuer = $1 and subject = $2`
const INSERT = sql`
  insert into identities (issuer, subject, user_id) values ($1, $2, $3)
  on conflict do nothing returning user_id`
const DELETE = sql`delete from identities where user_id = $1 and issuer = $2 returning user_id`
const HAS = sql`select 1 as one from identities where user_id = $1 and issuer = $2`

export async function findIdentity(
  people: Db,
  { issuer, subject }: Identity,
): Promise<string | undefined> {
  const [row] = await people.query<{ userUuid: string }>(FIND, [issuer, subject])
  return row?.userUuid
}

/** False if the identity is already taken, or the person has another one at this provider. */
export async function insertIdentity(
  people: Db,
  { issuer, subject }: Identity,
  userUuid: string,
): Promise<boolean> {
  return (await people.query(INSERT, [issuer, subject, userUuid])).length > 0
}

export async function deleteIdentity(
  people: Db,
  userUuid: string,
  issuer: string,
): Promise<boolean> {
  return (await people.query(DELETE, [userUuid, issuer])).length > 0
}

export async function hasIdentity(people: Db, userUuid: string, issuer: string): Promise<boolean> {
  return (await people.query(HAS, [userUuid, issuer])).length > 0
}
