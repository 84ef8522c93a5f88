// What an import of monitors compares with, and what an export needs to be imported again.
import { importKey } from '../../domain/monitors/import-csv.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'

const FIND_SAME = sql`
  select name, type, url, host, port from monitors where org_id = $1 and name = any ($2::text[])`

type Row = {
  name: string
  type: string
  url: string | null
  host: string | null
  port: number | null
}

/** The keys of monitors with one of these names. */
export async function findImportKeys(
  tenant: Tenant,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await tenant.query<Row>(FIND_SAME, [tenant.orgId, [...new Set(names)]])
  return new Set(rows.map(importKey))
}

const FIND_KEYWORDS = sql`
  select id, keyword from monitors where org_id = $1 and id = any ($2::uuid[]) and keyword is not null`

/** By monitor. */
export async function findKeywords(
  tenant: Tenant,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map()
  const rows = await tenant.query<{ id: string; keyword: string }>(FIND_KEYWORDS, [
    tenant.orgId,
    uuids,
  ])
  return new Map(rows.map(({ id, keyword }) => [id, keyword]))
}
