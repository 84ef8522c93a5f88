import { sql } from './db.ts'
import type { TenantTx } from './tenants.ts'

export type Actor = { type: 'API_KEY' | 'USER' | 'OPERATOR'; id: string; name: string }
export type AuditEntry = {
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
