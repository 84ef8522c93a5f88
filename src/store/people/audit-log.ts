import { currentAction, storedActions } from '../../domain/people/audit-actions.ts'
import type { AuditDetail } from '../../domain/people/audit-entry.ts'
import { sql } from '../core/db.ts'
import { escapeLike } from '../core/escape-like.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export type Actor = {
  type: 'API_KEY' | 'USER' | 'OPERATOR' | 'ALERT_CONTACT'
  id: string
  name: string
}
type AuditEntry = {
  actor: Actor
  action: string
  resourceId: string | null
  resourceName: string | null
  /** Null if it did not begin with a request of a caller. */
  requestId: string | null
  detail: AuditDetail
}

const APPEND = sql`
  insert into audit_log (id, org_id, at, actor_type, actor_id, actor_name, action, resource_id, resource_name, request_id, detail)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

export async function appendAudit(tx: TenantTx, entry: AuditEntry): Promise<void> {
  const { actor, action, resourceId, resourceName, requestId, detail } = entry
  await tx.query(APPEND, [
    tx.newUuid(),
    tx.orgId,
    tx.now,
    actor.type,
    actor.id,
    actor.name,
    action,
    resourceId,
    resourceName,
    requestId,
    JSON.stringify(detail),
  ])
}

export type AuditLine = {
  uuid: string
  at: Date
  actorType: Actor['type']
  actorId: string | null
  actorName: string
  action: string
  resourceId: string | null
  /** As it was called then. Null for lines from before names were kept. */
  resourceName: string | null
  requestId: string | null
  detail: AuditDetail
}

type AuditFilter = {
  actor?: string | undefined
  action?: string | undefined
  /** In the name of the object, the actor or a changed field, or the whole id of the object or request. */
  q?: string | undefined
  /** Changed fields that match as `q` does: only the dashboard knows their labels. */
  fields?: readonly string[] | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const columns = sql`
  l.id as uuid, l.at, l.actor_type as "actorType", l.actor_id as "actorId", l.actor_name as "actorName", l.action,
  l.resource_id as "resourceId", l.resource_name as "resourceName", l.request_id as "requestId", l.detail`
const hits = sql`
  from audit_log l
 where l.org_id = $1 and ($2::text is null or l.actor_name = $2) and ($3::text[] is null or l.action = any ($3))
   and ($4::text is null or l.resource_name ilike $4 or l.actor_name ilike $4 or l.resource_id = $5 or l.request_id = $5
        or exists (select from jsonb_path_query(l.detail, '$.changes[*].field') f
                    where f #>> '{}' ilike replace($4, ' ', '') or f #>> '{}' = any ($8::text[])))
   and ($6::timestamptz is null or l.at >= $6) and ($7::timestamptz is null or l.at < $7)`
// Queried twice instead of materialized: the page is the first few rows of an index, and the count reads only that
// index.
const LIST = sql`
  with page as (
    select l.id ${hits} order by l.at desc, l.id desc limit $9 offset $10
  )
  select ${columns}, t.total
    from (select count(*)::integer as total ${hits}) t
    left join (page join audit_log l using (id)) on true
   order by l.at desc, l.id desc`

function filterValues(
  tenant: Tenant,
  { actor, action, q, fields, from, to }: AuditFilter,
): unknown[] {
  const actions = action === undefined ? null : storedActions(action)
  const like = q === undefined ? null : `%${escapeLike(q)}%`
  const names = [tenant.orgId, actor ?? null, actions, like, q ?? null]
  return [...names, from ?? null, to ?? null, fields ?? null]
}

export async function listAuditLog(
  tenant: Tenant,
  filter: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ lines: AuditLine[]; total: number }> {
  type Row = Partial<AuditLine> & { total: number }
  const rows = await tenant.query<Row>(LIST, [...filterValues(tenant, filter), limit, offset])
  // An empty page still has one row, for its total.
  const lines = rows.filter((row): row is AuditLine & Row => row.uuid !== null)
  return { lines: lines.map(toLine), total: rows[0]?.total ?? 0 }
}

function toLine({ total: _total, ...line }: AuditLine & { total?: number }): AuditLine {
  return { ...line, action: currentAction(line.action) }
}

const AFTER = sql`
  select ${columns} ${hits} and ($9::timestamptz is null or (l.at, l.id) < ($9, $10::uuid))
   order by l.at desc, l.id desc limit $11`

/** The next `limit` entries after `after`, newest first. */
export async function listAuditAfter(
  tenant: Tenant,
  filter: AuditFilter,
  after: Pick<AuditLine, 'at' | 'uuid'> | undefined,
  limit: number,
): Promise<AuditLine[]> {
  const last = [after?.at ?? null, after?.uuid ?? null]
  const values = [...filterValues(tenant, filter), ...last, limit]
  return (await tenant.query<AuditLine>(AFTER, values)).map(toLine)
}

/** Audited under the id of a resource without changing it. */
const UNCHANGING = ['checkMonitor', 'runMonitorCheck', 'testAlertContact', 'testWebhookEndpoint']
const LAST_CHANGES = sql`
  select distinct on (l.resource_id) l.resource_id as id, l.at, l.actor_name as "by"
    from (select * from audit_log where org_id = $1 order by at desc, id desc limit $2) l
   where l.resource_id = any ($3::text[]) and l.action <> all ($4::text[])
   order by l.resource_id, l.at desc, l.id desc`

type LastChange = { at: Date; by: string }

/** Who last changed each of these, by public id, as far as the latest entries say. */
export async function findLastChanges(
  tenant: Tenant,
  ids: readonly string[],
  latest: number,
): Promise<ReadonlyMap<string, LastChange>> {
  if (ids.length === 0) return new Map()
  type Row = LastChange & { id: string }
  const rows = await tenant.query<Row>(LAST_CHANGES, [tenant.orgId, latest, ids, UNCHANGING])
  return new Map(rows.map(({ id, at, by }) => [id, { at, by }]))
}
