// What a page would show of components that are not saved yet.
import type { MonitorState } from '../../domain/monitors/monitor.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { isInMaintenance } from '../maintenance/in-maintenance.ts'
import { type PageWindowRow, SHOWN_WINDOWS, windowsOver } from './snapshots.ts'

const WINDOWS = windowsOver(sql`
  unnest($4::uuid[], $5::uuid[]) with ordinality c (id, monitor_id, position)`)

export function listDraftWindows(
  tenant: Tenant,
  pageId: string | null,
  components: readonly { uuid: string; monitorUuid: string | null }[],
): Promise<PageWindowRow[]> {
  const ids = components.map(({ uuid }) => uuid)
  const monitorIds = components.map(({ monitorUuid }) => monitorUuid)
  return tenant.query<PageWindowRow>(WINDOWS, [
    tenant.orgId,
    pageId,
    SHOWN_WINDOWS,
    ids,
    monitorIds,
  ])
}

const MONITORS = sql`
  select m.id, m.name, m.no, t.state, t.last_status_changed_at as "changedAt",
         ${isInMaintenance} as "inWindow"
    from monitors m left join monitor_states t on t.monitor_no = m.no
   where m.org_id = $1 and m.id = any ($2::uuid[])`

export type ShownMonitor = {
  id: string
  name: string
  no: number
  state: MonitorState | null
  changedAt: Date | null
  inWindow: boolean
}

/** Returns those that belong to the organization. */
export function listShownMonitors(tenant: Tenant, ids: readonly string[]): Promise<ShownMonitor[]> {
  return tenant.query<ShownMonitor>(MONITORS, [tenant.orgId, ids])
}

const CLOCK = sql`select now() as now`

export async function databaseNow(tenant: Tenant): Promise<Date> {
  const [row] = await tenant.query<{ now: Date }>(CLOCK)
  return row?.now ?? new Date()
}
