import { MAX_VIEWS, type SavedView, viewKey } from '../../domain/monitors/view.ts'
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

const LIST = sql`
  select id as uuid, name, filter from monitor_views where org_id = $1 order by key limit $2`
const INSERT = sql`
  insert into monitor_views (org_id, id, name, key, filter) values ($1, $2, $3, $4, $5)`
const RENAME = sql`update monitor_views set name = $3, key = $4 where org_id = $1 and id = $2`
const DELETE = sql`delete from monitor_views where org_id = $1 and id = $2 returning id`

export function listViews(tenant: Tenant): Promise<SavedView[]> {
  return tenant.query<SavedView>(LIST, [tenant.orgId, MAX_VIEWS])
}

export async function insertView(tx: TenantTx, view: SavedView): Promise<void> {
  const { uuid, name, filter } = view
  await tx.query(INSERT, [tx.orgId, uuid, name, viewKey(name), JSON.stringify(filter)])
}

export async function renameView(tx: TenantTx, uuid: string, name: string): Promise<void> {
  await tx.query(RENAME, [tx.orgId, uuid, name, viewKey(name)])
}

export async function deleteView(tx: TenantTx, uuid: string): Promise<boolean> {
  return (await tx.query(DELETE, [tx.orgId, uuid])).length > 0
}
