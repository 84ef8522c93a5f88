// How much of a kind an organization has stored, counted under a lock, so that parallel requests cannot pass a limit together.
import { type Statement, sql } from '../core/db.ts'
import type { Tenant, TenantTx } from '../core/tenants.ts'

export type CountedRows = 'statusIncidents' | 'statusIncidentUpdates' | 'maintenanceWindows'

function countIn(table: string): Statement {
  return sql`
    select count(*)::integer as count from (select from ${{ text: table }} where org_id = $1 limit $2) r`
}

const COUNTS: Readonly<Record<CountedRows, Statement>> = {
  statusIncidents: countIn('status_incidents'),
  statusIncidentUpdates: countIn('status_incident_updates'),
  maintenanceWindows: countIn('maintenance_windows'),
}
const COUNT_SUBSCRIBERS = sql`
  select count(*)::integer as count
    from (select from page_subscribers where org_id = $1 and page_id = $2 limit $3) r`

/** Up to `most`. Call it while holding the lock of `lockUsage`. */
export async function countStored(
  tenant: Tenant,
  what: CountedRows,
  most: number,
): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(COUNTS[what], [tenant.orgId, most])
  return row?.count ?? 0
}

/** Of one page, confirmed or not, up to `most`. Call it while holding the lock of `lockUsage`. */
export async function countSubscribers(
  tx: TenantTx,
  pageUuid: string,
  most: number,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT_SUBSCRIBERS, [tx.orgId, pageUuid, most])
  return row?.count ?? 0
}
