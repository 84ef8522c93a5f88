// The regions of the installation, and which of them is an organization's home.
import { type Db, sql } from './db.ts'
import type { Tenant, TenantTx } from './tenants.ts'

const MAX_LISTED = 1000

// Oldest first: without a choice of its own, an organization's home is the oldest region that has probes.
const LIST = sql`select name from regions order by no limit $1`

export async function listRegionNames(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(LIST, [MAX_LISTED])
  return rows.map(({ name }) => name)
}

const FIND_HOME = sql`select home_region as home from organizations where id = $1`

/** Null when the organization made no choice. */
export async function findHomeRegion(tenant: Tenant): Promise<string | null> {
  const [row] = await tenant.query<{ home: string | null }>(FIND_HOME, [tenant.orgId])
  return row?.home ?? null
}

// Only a region that is known: a misspelled one would silently be no region at all.
const SET_HOME = sql`
  update organizations set home_region = $2::text
   where id = $1 and ($2::text is null or exists (select from regions where name = $2))
  returning 1 as set`

/** False when there is no such region. */
export async function setHomeRegion(
  tx: Pick<TenantTx, 'orgId' | 'query'>,
  region: string | null,
): Promise<boolean> {
  const rows = await tx.query(SET_HOME, [tx.orgId, region])
  return rows.length > 0
}
