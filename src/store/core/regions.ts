// The regions of the installation, and each organization's home region.
import { type Db, sql } from './db.ts'
import type { Tenant, TenantTx } from './tenants.ts'

const MAX_LISTED = 1000

// Oldest first: by default, an organization's home is the oldest region that has probes.
const LIST = sql`select name from regions order by no limit $1`

export async function listRegionNames(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(LIST, [MAX_LISTED])
  return rows.map(({ name }) => name)
}

const FIND_HOME = sql`select home_region as home from organizations where id = $1`

/** Null if the organization has not chosen one. */
export async function findHomeRegion(tenant: Tenant): Promise<string | null> {
  const [row] = await tenant.query<{ home: string | null }>(FIND_HOME, [tenant.orgId])
  return row?.home ?? null
}

// Only a known region: a misspelled one would silently mean no region at all.
const SET_HOME = sql`
  update organizations set home_region = $2::text, home_chosen_at = now()
   where id = $1 and ($2::text is null or exists (select from regions where name = $2))
  returning 1 as set`

/** False if the region does not exist. */
export async function setHomeRegion(
  tx: Pick<TenantTx, 'orgId' | 'query'>,
  region: string | null,
): Promise<boolean> {
  const rows = await tx.query(SET_HOME, [tx.orgId, region])
  return rows.length > 0
}
