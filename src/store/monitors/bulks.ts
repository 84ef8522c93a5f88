import { BULK_ROUND, type BulkChange } from '../../domain/monitors/bulk.ts'
import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

// By number, the order in which recording results locks them.
const FIND_TARGETS = sql`
  select id from monitors where org_id = $1 and (no = any ($2::bigint[]) or id = any ($3::uuid[])) order by no`

type Named = { nos: readonly number[]; uuids: readonly string[] }

/** Those of the named monitors that exist. */
export async function findBulkTargets(tx: TenantTx, { nos, uuids }: Named): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(FIND_TARGETS, [tx.orgId, nos, uuids])
  return rows.map(({ id }) => id)
}

export type Bulk = {
  uuid: string
  change: BulkChange
  total: number
  changed: number
  refused: number
}
type OpenBulk = Bulk & { next: string[] }

const columns = sql`id as uuid, change, total, changed, refused`
const isRecent = sql`created_at > now() - interval '1 day'`
const INSERT = sql`
  insert into monitor_bulks (org_id, id, change, total, left_ids)
  values ($1, $2, $3, cardinality($4::uuid[]), $4) returning ${columns}`
const FIND = sql`select ${columns} from monitor_bulks where org_id = $1 and id = $2`
// A bulk that was left for a day is not continued.
const LOCK = sql`
  select ${columns}, left_ids[1:$3] as next from monitor_bulks
   where org_id = $1 and id = $2 and ${isRecent} for no key update`
const SAVE = sql`
  update monitor_bulks
     set changed = changed + $3, refused = refused + $4, left_ids = left_ids[$3 + $4 + 1:]
   where org_id = $1 and id = $2 returning ${columns}`
const COUNT_OPEN = sql`
  select count(*)::integer as count from monitor_bulks
   where org_id = $1 and cardinality(left_ids) > 0 and ${isRecent}`
const PRUNE = sql`
  delete from monitor_bulks where org_id = $1 and id in (
    select id from monitor_bulks where org_id = $1 order by created_at desc, id desc offset $2)`

export async function insertBulk(
  tx: TenantTx,
  change: BulkChange,
  monitorUuids: readonly string[],
): Promise<Bulk> {
  const values = [tx.orgId, tx.newUuid(), JSON.stringify(change), monitorUuids]
  const [row] = await tx.query<Bulk>(INSERT, values)
  if (row === undefined) throw new Error('The bulk was not inserted')
  return row
}

export async function findBulk(tenant: Tenant, uuid: string): Promise<Bulk | undefined> {
  const [row] = await tenant.query<Bulk>(FIND, [tenant.orgId, uuid])
  return row
}

/** With the monitors of the next round. */
export async function lockBulk(tx: TenantTx, uuid: string): Promise<OpenBulk | undefined> {
  const [row] = await tx.query<OpenBulk>(LOCK, [tx.orgId, uuid, BULK_ROUND])
  return row
}

export async function saveRound(
  tx: TenantTx,
  uuid: string,
  { changed, refused }: { changed: number; refused: number },
): Promise<Bulk> {
  const [row] = await tx.query<Bulk>(SAVE, [tx.orgId, uuid, changed, refused])
  if (row === undefined) throw new Error('The bulk is gone')
  return row
}

export async function countOpenBulks(tx: TenantTx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT_OPEN, [tx.orgId])
  return row?.count ?? 0
}

/** Keeps the newest, which the audit log refers to. */
export async function pruneBulks(tx: TenantTx, most: number): Promise<void> {
  await tx.query(PRUNE, [tx.orgId, most])
}
