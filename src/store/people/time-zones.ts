// In which zone a message writes times: the one that its reader chose; else that of the organization; else UTC.
import { comparable } from '../../domain/values/email-address.ts'
import { type Db, sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'

/** By the address that a message goes to. */
type ZoneOf = (address?: string) => string

const OF_ORGANIZATION = sql`select null as email, timezone from organizations where id = $1`
const FIND = sql`${OF_ORGANIZATION} union all select email, timezone from zones_of_members($1)`
// Of people, a tenant sees its own members.
const FIND_OWN = sql`
  ${OF_ORGANIZATION}
  union all select u.email, u.timezone from members m join users u on u.id = m.user_id
   where m.org_id = $1 and u.timezone is not null`

/** For the engine, which works for all organizations. */
export const findZones = (db: Db, orgId: string): Promise<ZoneOf> => query(db, FIND, orgId)

export const findOwnZones = (tenant: Tenant): Promise<ZoneOf> =>
  query(tenant, FIND_OWN, tenant.orgId)

async function query(db: Db, statement: typeof FIND, orgId: string): Promise<ZoneOf> {
  const rows = await db.query<{ email: string | null; timezone: string | null }>(statement, [orgId])
  const byAddress = new Map(rows.map(({ email, timezone }) => [email, timezone]))
  const shared = byAddress.get(null) ?? 'UTC'
  return (address) => (address && byAddress.get(comparable(address))) || shared
}

/** Of an email to a person about their account. */
export const zoneOfPerson = (
  user: { timezone: string | null },
  organization: { timezone: string | null },
): string => user.timezone ?? organization.timezone ?? 'UTC'
