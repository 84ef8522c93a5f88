import { sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export type Actor = { type: 'API_KEY' | 'USER' | 'OPERATOR'; id: string; name: string }
type AuditEntry = {
  actor: Actor
  action: string
  resourceId: string | null
  requestId: string
}

const APPEND = sql`
  insert into audit_log (id, org_id, at, actor_type, actor_id, actor_name, action, resource_id, request_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`

export async function appendAudit(tx: TenantTx, entry: AuditEntry): Promise<void> {
  const { actor, action, resourceId, requestId } = entry
  await tx.query(APPEND, [
    tx.newUuid(),
    tx.orgId,
    tx.now,
    actor.type,
    actor.id,
    actor.name,
    action,
    resourceId,
    requestId,
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
  requestId: string | null
}

const hits = sql`
  from audit_log where org_id = $1 and ($2::text is null or actor_name = $2) and ($3::text is null or action = $3)`
// Queried twice instead of materialized: the page is the first few rows of an index, and the count reads only that
// index.
const LIST = sql`
  with page as (
    select id ${hits} order by at desc, id desc limit $4 offset $5
  )
  select l.id as uuid, l.at, l.actor_type as "actorType", l.actor_id as "actorId", l.actor_name as "actorName",
         l.action, l.resource_id as "resourceId", l.request_id as "requestId", t.total
    from (select count(*)::integer as total ${hits}) t
    left join (page join audit_log l using (id)) on true
   order by l.at desc, l.id desc`

type AuditFilter = { actor?: string; action?: string; limit: number; offset: number }

export async function listAuditLog(
  tenant: Tenant,
  { actor, action, limit, offset }: AuditFilter,
): Promise<{ lines: AuditLine[]; total: number }> {
  type Row = Partial<AuditLine> & { total: number }
  const values = [tenant.orgId, actor ?? null, action ?? null, limit, offset]
  const rows = await tenant.query<Row>(LIST, values)
  // An empty page still has one row, for its total.
  const lines = rows.filter((row): row is AuditLine & Row => row.uuid !== null)
  return { lines: lines.map(withoutTotal), total: rows[0]?.total ?? 0 }
}

function withoutTotal(row: AuditLine & { total?: number }): AuditLine {
  const { total: _total, ...line } = row
  return line
}

const AFTER = sql`
  select l.id as uuid, l.at, l.actor_type as "actorType", l.actor_id as "actorId", l.actor_name as "actorName",
         l.action, l.resource_id as "resourceId", l.request_id as "requestId"
    from audit_log l
   where l.org_id = $1 and ($2::text is null or l.actor_name = $2) and ($3::text is null or l.action = $3)
     and ($4::timestamptz is null or (l.at, l.id) < ($4, $5::uuid))
   order by l.at desc, l.id desc limit $6`

/** The next `limit` entries after `after`, newest first. */
export function listAuditAfter(
  tenant: Tenant,
  { actor, action }: Pick<AuditFilter, 'actor' | 'action'>,
  after: Pick<AuditLine, 'at' | 'uuid'> | undefined,
  limit: number,
): Promise<AuditLine[]> {
  const values = [actor ?? null, action ?? null, after?.at ?? null, after?.uuid ?? null, limit]
  return tenant.query<AuditLine>(AFTER, [tenant.orgId, ...values])
}
