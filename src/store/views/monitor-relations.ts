// What a monitor's page shows besides the monitor: alert contacts, maintenance windows, status pages.
import type { Alerting } from '../../domain/alerts/alerting-state.ts'
import type { ContactChannel } from '../../domain/alerts/channels.ts'
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import type { MonitorState } from '../../domain/monitors/monitor.ts'
import { alertingOfContact } from '../alerts/contact-reach.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { toWindow, type WindowRecord, windowColumns } from '../maintenance/maintenance-windows.ts'
import type { OpenIncidentRecord } from './monitor-list.ts'

const CONTACTS = sql`
  select c.id as uuid, c.name, c.channel, ${alertingOfContact} as alerting,
         coalesce(r.failing_since is not null or r.disabled_reason is not null, false) as troubled
    from monitor_alert_contacts a
    join alert_contacts c on c.org_id = a.org_id and c.id = a.contact_id
    left join receivers r on r.org_id = c.org_id and r.id = c.id
   where a.org_id = $1 and a.monitor_id = $2
   order by lower(c.name), c.id`

export type AttachedContact = {
  uuid: string
  name: string
  channel: ContactChannel
  /** ON, or why an outage does not alert it. */
  alerting: Alerting
  troubled: boolean
}

export function listAttachedContacts(tenant: Tenant, uuid: string): Promise<AttachedContact[]> {
  return tenant.query<AttachedContact>(CONTACTS, [tenant.orgId, uuid])
}

const MAX_WINDOWS = { text: '50' }
const WINDOWS = sql`
  select ${windowColumns} from maintenance_windows w
   where w.org_id = $1 and w.occurrence_ends_at is not null
     and (w.all_monitors or exists (
       select from maintenance_window_monitors x
        where x.org_id = $1 and x.window_id = w.id and x.monitor_id = $2))
   order by w.occurrence_starts_at, w.id limit ${MAX_WINDOWS}`

/** Windows that cover the monitor and are not over, soonest first. */
export async function listWindowsOfMonitor(
  tenant: Tenant,
  uuid: string,
): Promise<MaintenanceWindow[]> {
  return (await tenant.query<WindowRecord>(WINDOWS, [tenant.orgId, uuid])).map(toWindow)
}

const PAGES = sql`
  select p.id as uuid, p.name, p.slug, p.custom_domain as "customDomain",
         p.custom_domain_status as "customDomainStatus"
    from status_pages p
   where p.org_id = $1 and exists (
     select from status_page_components c
      where c.org_id = $1 and c.page_id = p.id and c.monitor_id = $2)
   order by lower(p.name), p.id`

export type PageWithMonitor = {
  uuid: string
  name: string
  slug: string
  customDomain: string | null
  customDomainStatus: 'NONE' | 'PENDING' | 'ACTIVE' | 'FAILED'
}

export function listPagesWithMonitor(tenant: Tenant, uuid: string): Promise<PageWithMonitor[]> {
  return tenant.query<PageWithMonitor>(PAGES, [tenant.orgId, uuid])
}

const COUNT_INCIDENTS = sql`
  select count(*)::integer as count from incidents
   where org_id = $1 and monitor_id = $2 and started_at > now() - interval '30 days'`

export async function countIncidents30d(tenant: Tenant, uuid: string): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(COUNT_INCIDENTS, [tenant.orgId, uuid])
  return row?.count ?? 0
}

const RECENT = { text: '5' }
const RECENT_INCIDENTS = sql`
  select id as uuid, cause, cause_code as "causeCode", started_at as "startedAt",
         resolved_at as "resolvedAt", acknowledged_at is not null as "isAcknowledged"
    from incidents
   where org_id = $1 and monitor_id = $2
   order by started_at desc, id desc limit ${RECENT}`

export type RecentIncident = OpenIncidentRecord & { resolvedAt: Date | null }

/** The monitor's latest incidents, newest first. */
export function listRecentIncidents(tenant: Tenant, uuid: string): Promise<RecentIncident[]> {
  return tenant.query<RecentIncident>(RECENT_INCIDENTS, [tenant.orgId, uuid])
}

const OVERVIEW = sql`
  select (select coalesce(json_object_agg(c.state, c.count), '{}')
            from (select s.state, count(*) as count from monitors m join monitor_states s on s.monitor_no = m.no
                   where m.org_id = $1 group by s.state) c)
           as monitors,
         (select json_build_array(count(*), count(*) filter (where acknowledged_at is null))
            from incidents where org_id = $1 and resolved_at is null) as incidents,
         (select json_build_array(
                   count(*) filter (where occurrence_starts_at <= now() and occurrence_ends_at > now()),
                   count(*) filter (where occurrence_starts_at > now()))
            from maintenance_windows where org_id = $1 and occurrence_ends_at is not null) as windows,
         (select count(*) from status_pages where org_id = $1) as pages,
         (select json_build_array(count(*),
                   count(*) filter (where disabled_reason in ('FAILING', 'GONE') or next_probe_at is not null))
            from webhook_endpoints where org_id = $1) as endpoints,
         (select json_build_array(count(*),
                   count(*) filter (where r.disabled_reason is not null or r.failing_since is not null))
            from alert_contacts c left join receivers r on r.org_id = c.org_id and r.id = c.id
           where c.org_id = $1) as contacts`

export type OrganizationOverview = {
  monitors: Partial<Record<MonitorState, number>>
  incidents: [ongoing: number, notTaken: number]
  windows: [active: number, scheduled: number]
  pages: number
  endpoints: [all: number, troubled: number]
  contacts: [all: number, troubled: number]
}

export async function getOverview(tenant: Tenant): Promise<OrganizationOverview> {
  const [row] = await tenant.query<OrganizationOverview>(OVERVIEW, [tenant.orgId])
  if (row === undefined) throw new Error('Counts have always one row')
  return row
}
