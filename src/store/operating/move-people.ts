// Accounts are not part of an organization. Members of one that moves keep their memberships, by their address.
import type { MovedPerson } from '../../domain/operating/organization-move.ts'
import { type Db, sql } from '../core/db.ts'

const MEMBERS = sql`
  select u.id as uuid, u.email, u.name from members m join users u on u.id = m.user_id
   where m.org_id = $1 order by u.id`

/** Passwords, passkeys and second factors stay behind. */
export function listMovedPeople(people: Db, orgId: string): Promise<MovedPerson[]> {
  return people.query<MovedPerson>(MEMBERS, [orgId])
}

// The update changes nothing, but returns the account that is there already.
const ADOPT = sql`
  insert into users (id, email, name)
  select case when exists (select from users u where u.id = $1::uuid) then $4::uuid else $1::uuid end,
         lower($2::text), $3::text
  on conflict (email) do update set email = excluded.email
  returning id`

/** The account with this address, or a new one without a password. Returns its id; `spareUuid` is used if theirs is taken. */
export async function adoptPerson(
  people: Db,
  { uuid, email, name }: MovedPerson,
  spareUuid: string,
): Promise<string> {
  const [row] = await people.query<{ id: string }>(ADOPT, [uuid, email, name, spareUuid])
  return row?.id ?? spareUuid
}
