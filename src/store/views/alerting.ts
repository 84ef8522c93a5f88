// Whether anyone would be alerted about a monitor.
import type { Alerting } from '../../domain/alerts/alerting-state.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'

const hasContact = sql`
  exists (select from monitor_alert_contacts a where a.org_id = m.org_id and a.monitor_id = m.id)`

/** Of monitors `m`: by their own contacts, or later by an escalation policy. */
export const alertingOfMonitor = sql`
  case when exists (
         select from monitor_alert_contacts a
           join alert_contacts c on c.org_id = a.org_id and c.id = a.contact_id
          where a.org_id = m.org_id and a.monitor_id = m.id and c.enabled)
       or exists (
         select from escalation_of(m.org_id, m.id) e
           join alert_contacts c on c.org_id = m.org_id and c.id = e.contact_id
          where c.enabled) then 'ON'
       when ${hasContact} then 'CONTACTS_OFF' else 'NO_CONTACTS' end`

const FIND = sql`
  select ${alertingOfMonitor} as alerting,
         exists (select from status_page_components x
                   join status_pages p on p.org_id = x.org_id and p.id = x.page_id
                  where x.org_id = m.org_id and x.monitor_id = m.id and p.published) as "isPublic"
    from monitors m where m.org_id = $1 and m.id = $2`

type MonitorAudience = {
  alerting: Alerting
  /** Whether a published status page shows it. */
  isPublic: boolean
}

export async function findAudience(
  tenant: Tenant,
  monitorUuid: string,
): Promise<MonitorAudience | undefined> {
  const [row] = await tenant.query<MonitorAudience>(FIND, [tenant.orgId, monitorUuid])
  return row
}

// Sets rather than escalation_of() for each monitor: an organization may have thousands.
const COUNT_SILENT = sql`
  with working as materialized (
    select id from alert_contacts where org_id = $1 and enabled
  ), escalated as (
    select p.monitor_id, p.tag_id from escalation_policies p
      join escalation_contacts c on c.org_id = p.org_id and c.policy_id = p.id
     where p.org_id = $1 and c.contact_id in (select id from working)
  ), alerted as (
    select a.monitor_id from monitor_alert_contacts a
     where a.org_id = $1 and a.contact_id in (select id from working)
    union all
    select monitor_id from escalated where monitor_id is not null
    union all
    select t.monitor_id from monitor_tags t join escalated e on e.tag_id = t.tag_id
     where t.org_id = $1
       and not exists (select from escalation_policies o where o.org_id = $1 and o.monitor_id = t.monitor_id)
  )
  select count(*)::integer as count
    from monitors m join monitor_states s on s.monitor_no = m.no
   where m.org_id = $1 and s.org_id = $1 and s.state <> 'PAUSED'
     and not exists (select from alerted a where a.monitor_id = m.id)`

/** Monitors that are not paused and alert no one. */
export async function countSilentMonitors(tenant: Tenant): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(COUNT_SILENT, [tenant.orgId])
  return row?.count ?? 0
}
