// What the objects of audited actions are called, by the prefix of their ids.
import { fromPublicId, type IdPrefix, toPublicId } from '../../domain/values/id.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'

// An endpoint's URL may hold a secret in its path; its host does not.
const endpointName = sql`
  coalesce(nullif(e.description, ''), substring(e.url from '^[a-z]+://(?:[^/?#]*@)?([^/?#]+)'))`

/** Each selects id and name, with the organization as $1 and ids as $2. */
const NAMES = {
  mon: sql`select id, name from monitors where org_id = $1 and id = any ($2::uuid[])`,
  inc: sql`
    select i.id, m.name from incidents i join monitors m on m.org_id = i.org_id and m.id = i.monitor_id
     where i.org_id = $1 and i.id = any ($2::uuid[])`,
  sp: sql`select id, name from status_pages where org_id = $1 and id = any ($2::uuid[])`,
  sin: sql`select id, title as name from status_incidents where org_id = $1 and id = any ($2::uuid[])`,
  mw: sql`select id, name from maintenance_windows where org_id = $1 and id = any ($2::uuid[])`,
  whe: sql`
    select e.id, ${endpointName} as name from webhook_endpoints e where e.org_id = $1 and e.id = any ($2::uuid[])`,
  act: sql`select id, name from alert_contacts where org_id = $1 and id = any ($2::uuid[])`,
  mvw: sql`select id, name from monitor_views where org_id = $1 and id = any ($2::uuid[])`,
  tag: sql`select id, name from tags where org_id = $1 and id = any ($2::uuid[])`,
  key: sql`
    select id, name from api_keys where org_id = $1 and id = any ($2::uuid[]) and revoked_at is null`,
  usr: sql`
    select u.id, u.name from members m join users u on u.id = m.user_id
     where m.org_id = $1 and m.user_id = any ($2::uuid[])`,
  inv: sql`
    select id, email as name from invitations
     where org_id = $1 and id = any ($2::uuid[]) and accepted_at is null`,
} as const satisfies Partial<Record<IdPrefix, { text: string }>>

type NamedPrefix = keyof typeof NAMES

// Safe because NAMES has exactly these prefixes.
const PREFIXES = Object.keys(NAMES) as NamedPrefix[]
const ALL = sql`${{
  text: PREFIXES.map(
    (prefix) => `select '${prefix}' as prefix, n.id, n.name from (${NAMES[prefix].text}) n`,
  ).join(' union all '),
}}`

/** The current name; undefined if there is no such object any more, or it has no name. */
export async function findName(tenant: Tenant, id: string): Promise<string | undefined> {
  const prefix = PREFIXES.find((one) => id.startsWith(`${one}_`))
  const uuid = prefix && fromPublicId(prefix, id)
  if (prefix === undefined || uuid === undefined) return undefined
  const rows = await tenant.query<{ name: string }>(NAMES[prefix], [tenant.orgId, [uuid]])
  return rows[0]?.name
}

/** Current names by public id, of those that still exist. */
export async function findNames(
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const uuids = ids.flatMap(
    (id) => PREFIXES.flatMap((prefix) => fromPublicId(prefix, id) ?? [])[0] ?? [],
  )
  if (uuids.length === 0) return new Map()
  type Row = { prefix: NamedPrefix; id: string; name: string }
  const rows = await tenant.query<Row>(ALL, [tenant.orgId, [...new Set(uuids)]])
  return new Map(rows.map(({ prefix, id, name }) => [toPublicId(prefix, id), name]))
}
