// Deletes everything of an organization in small statements that commit one by one. Each locks only its own rows, so
// that checks of other organizations never wait.
import { avoidWholeTables } from '../core/avoid-whole-tables.ts'
import { type Database, type Db, type Statement, sql, type Tx } from '../core/db.ts'

export type ErasableOrganization = { orgId: string; name: string; isMarked: boolean }

const FIND = sql`
  select id as "orgId", name, deleted_at is not null as "isMarked" from organizations where id = $1`
const MARK = sql`
  with stopped as (update api_keys set revoked_at = coalesce(revoked_at, now()) where org_id = $1)
  update organizations set deleted_at = coalesce(deleted_at, now()) where id = $1`

/** Also finds an organization whose deletion was interrupted. */
export async function findErasable(
  db: Db,
  orgId: string,
): Promise<ErasableOrganization | undefined> {
  const [row] = await db.query<ErasableOrganization>(FIND, [orgId])
  return row
}

/** Blocks all access from now on: revokes the API keys, and the subscription no longer counts as active. */
export async function markDeleted(db: Db, orgId: string): Promise<void> {
  await db.query(MARK, [orgId])
}

const LIST_DUE = sql`
  select id from organizations where erase_at <= now() order by erase_at, id limit $1`
// Against an undo that holds the row: whoever commits first is decided here, and there by `erase_at`.
const BEGIN = sql`
  update organizations set erase_at = 'epoch' where id = $1 and erase_at <= now() returning id`

/** Organizations whose deletion can no longer be undone, and those whose erasing was interrupted. */
export async function listDueErasures(db: Db, most: number): Promise<string[]> {
  return (await db.query<{ id: string }>(LIST_DUE, [most])).map(({ id }) => id)
}

/** False if an owner undid the deletion just now. */
export async function beginErasure(db: Db, orgId: string): Promise<boolean> {
  return (await db.query(BEGIN, [orgId])).length > 0
}

type Sweep = { table: string; batch: number; statement: Statement }

/** Deletes cascade, so batches are smaller where many rows depend on one. */
function sweep(table: string, key: string, batch: number): Sweep {
  const [name, columns] = [{ text: table }, { text: key }]
  const statement = sql`
    with gone as (
      delete from ${name} where (${columns}) in (
        select ${columns} from ${name} where org_id = $1 limit $2)
      returning 1)
    select count(*)::integer as count from gone`
  return { table: table.replace('only ', ''), batch, statement }
}

const SWEEPS: readonly Sweep[] = [
  sweep('members', 'org_id, user_id', 1000),
  sweep('invitations', 'id', 1000),
  sweep('alert_messages', 'delivery_id', 1000),
  sweep('alert_troubles', 'id', 500),
  sweep('monitor_notices', 'monitor_no, kind', 1000),
  sweep('owner_notices', 'org_id, kind', 10),
  sweep('incidents', 'id', 100),
  sweep('subscriber_notices', 'id', 1000),
  sweep('page_subscribers', 'id', 1000),
  sweep('page_ledger_overrides', 'id', 1000),
  sweep('status_incidents', 'id', 100),
  sweep('maintenance_windows', 'id', 100),
  sweep('status_pages', 'id', 20),
  sweep('webhook_endpoints', 'id', 100),
  sweep('escalation_policies', 'id', 100),
  sweep('region_settings', 'id', 100),
  sweep('alert_contacts', 'id', 100),
  sweep('tags', 'id', 20),
  sweep('monitor_bulks', 'id', 100),
  sweep('monitor_views', 'id', 100),
  sweep('ping_aliases', 'hash', 1000),
  sweep('ping_alias_ids', 'org_id', 1),
  sweep('code_bindings', 'org_id, source, address', 1000),
  sweep('code_sources', 'org_id, name', 100),
  // Webhook endpoints are rows of a child table.
  sweep('only receivers', 'id', 1000),
  sweep('api_keys', 'id', 1000),
  sweep('idempotency_records', 'org_id, key', 1000),
  sweep('events', 'id', 1000),
  sweep('day_usage', 'org_id, day, kind', 1000),
]
const AUDIT_BATCH = 1000
const ERASE_LOG = sql`select erase_organization_log($1, $2) as count`
export const SWEPT: readonly string[] = [...SWEEPS.map(({ table }) => table), 'audit_log']

/** Deletes one batch of one table. `finished` if nothing is left. */
export async function sweepBatch(
  tx: Tx,
  orgId: string,
  table: string,
): Promise<{ removed: number; finished: boolean }> {
  const found = SWEEPS.find((one) => one.table === table)
  const [statement, batch] = found ? [found.statement, found.batch] : [ERASE_LOG, AUDIT_BATCH]
  await avoidWholeTables(tx)
  const [row] = await tx.query<{ count: number }>(statement, [orgId, batch])
  const removed = row?.count ?? 0
  return { removed, finished: removed < batch }
}

// In the order in which recording results locks them. States have no index by organization, monitors have.
const LOCK_STATES = sql`
  select monitor_no as no from monitor_states
   where monitor_no in (select no from monitors where org_id = $1 order by no limit $2)
   order by monitor_no for update`
const DELETE_MONITORS = sql`
  with gone as (delete from monitors where org_id = $1 and no = any ($2::bigint[]) returning no),
       marked as (insert into deleted_monitors (monitor_no) select no from gone on conflict do nothing)
  select no from gone`

/** Returns the deleted monitors' numbers, by which the caller purges the rest of their history. */
export function eraseMonitors(database: Database, orgId: string, most: number): Promise<number[]> {
  return database.transaction(undefined, (tx) => eraseMonitorsIn(tx, orgId, most))
}

export async function eraseMonitorsIn(tx: Tx, orgId: string, most: number): Promise<number[]> {
  const locked = await tx.query<{ no: number }>(LOCK_STATES, [orgId, most])
  if (locked.length === 0) return []
  const gone = await tx.query<{ no: number }>(DELETE_MONITORS, [orgId, locked.map(({ no }) => no)])
  return gone.map(({ no }) => no)
}

// Deliveries and attempts have no index by organization, so they are walked by id, one range at a time.
function orderedErase(table: string, key: string) {
  const [name, column] = [{ text: table }, { text: key }]
  return {
    table,
    end: sql`select ${column} as id from ${name} where ${column} > $1 order by ${column} offset $2 limit 1`,
    remove: sql`
      with gone as (
        delete from ${name}
         where ${column} > $1 and ($2::uuid is null or ${column} <= $2) and org_id = $3 returning 1)
      select count(*)::integer as count from gone`,
  }
}
const ORDERED_ERASES = [orderedErase('attempts', 'delivery_id'), orderedErase('deliveries', 'id')]
export const ERASED_IN_ORDER: readonly string[] = ORDERED_ERASES.map(({ table }) => table)
const BATCH_ROWS = 20_000

/** Deletes from the range after `after`. `next` is where to continue, undefined at the end. */
export async function eraseBatch(
  db: Db,
  orgId: string,
  table: string,
  after: string,
): Promise<{ removed: number; next: string | undefined }> {
  const found = ORDERED_ERASES.find((one) => one.table === table)
  if (found === undefined) throw new Error(`${table} is not walked`)
  const [end] = await db.query<{ id: string }>(found.end, [after, BATCH_ROWS])
  const [row] = await db.query<{ count: number }>(found.remove, [after, end?.id ?? null, orgId])
  return { removed: row?.count ?? 0, next: end?.id }
}

const HORIZON = sql`select pg_snapshot_xmax(pg_current_snapshot())::text as horizon`
const HAS_PASSED = sql`select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as passed`

/** Every transaction open now has an id below this, or none yet. */
export async function findHorizon(db: Db): Promise<string> {
  const [row] = await db.query<{ horizon: string }>(HORIZON)
  return row?.horizon ?? '0'
}

export async function hasPassed(db: Db, horizon: string): Promise<boolean> {
  const [row] = await db.query<{ passed: boolean }>(HAS_PASSED, [horizon])
  return row?.passed ?? false
}

// Locked for update, so that nothing new can reference it.
const LOCK = sql`select 1 as one from organizations where id = $1 for update`
const DELETE = sql`delete from organizations where id = $1`

/** False if it does not exist anymore. */
export async function lockToErase(tx: Tx, orgId: string): Promise<boolean> {
  return (await tx.query(LOCK, [orgId])).length > 0
}

export async function deleteOrganizationRow(tx: Tx, orgId: string): Promise<void> {
  await tx.query(DELETE, [orgId])
}
