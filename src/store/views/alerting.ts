// Whether anyone is alerted about a monitor, or about one incident.
import type { IncidentAlerting } from '../../domain/alerts/alerting-state.ts'
import { alertingOfContact, hearsOfOutages } from '../alerts/contact-reach.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'

// One answer for all contacts, from a reason for each.
const together = sql`
  case when count(*) = 0 then 'NO_CONTACTS' when bool_or(reason = 'ON') then 'ON'
       when bool_or(reason = 'ACKNOWLEDGED') then 'ACKNOWLEDGED'
       when min(reason) = max(reason) then min(reason) else 'MIXED' end`

/** Of monitors `m`: by their own contacts, or later by an escalation policy. */
export const alertingOfMonitor = sql`
  case when exists (
    select from monitor_alert_contacts a join alert_contacts c on c.org_id = a.org_id and c.id = a.contact_id
     where a.org_id = m.org_id and a.monitor_id = m.id and ${hearsOfOutages}) then 'ON'
  else (select ${together} from (
    select ${alertingOfContact} as reason from alert_contacts c
     where c.org_id = m.org_id and c.id in (
       select a.contact_id from monitor_alert_contacts a where a.org_id = m.org_id and a.monitor_id = m.id
       union all
       select e.contact_id from escalation_of(m.org_id, m.id) e)) judged) end`

// A recorded alert counts even if its contact was deleted since: that leaves only the line in the timeline.
const wasAlerted = sql`(
  exists (select from alert_messages a
           where a.org_id = i.org_id and a.delivery_id >= uuid_floor(i.started_at)
             and a.delivery_id < uuid_floor(coalesce(i.resolved_at, now()) + interval '1 day')
             and i.id = any (a.incident_ids))
  or exists (select from incident_timeline l where l.incident_id = i.id and l.org_id = i.org_id
                                               and l.type = 'ALERT_SENT'))`

// As the planner chooses them: contacts that were the monitor's when the incident began, and still are.
const reasonInIncident = sql`
  case when u.attached and c.id = any (t.contact_ids) then ${alertingOfContact}
       when u.stepped and c.id = any (t.escalation_ids) then
         case when i.acknowledged_at is not null and ${hearsOfOutages} then 'ACKNOWLEDGED' else ${alertingOfContact} end
       else 'ADDED_LATER' end`

/** Of incidents `i`. */
const alertingOfIncident = sql`
  case when ${wasAlerted} then 'ALERTED' else (select ${together} from (
    select ${reasonInIncident} as reason
      from (select contact_id, bool_or(attached) as attached, bool_or(not attached) as stepped from (
              select a.contact_id, true as attached from monitor_alert_contacts a
               where a.org_id = i.org_id and a.monitor_id = i.monitor_id
              union all
              select e.contact_id, false from escalation_of(i.org_id, i.monitor_id) e) each
             group by contact_id) u
      join alert_contacts c on c.org_id = i.org_id and c.id = u.contact_id
      left join alert_troubles t on t.org_id = i.org_id and t.incident_id = i.id and t.done_at is null) judged) end`

const OF_INCIDENT = sql`
  select ${alertingOfIncident} as alerting from incidents i where i.org_id = $1 and i.id = $2`
const OF_OPEN_INCIDENT = sql`
  select ${alertingOfIncident} as alerting from incidents i
   where i.org_id = $1 and i.monitor_id = $2 and i.resolved_at is null`

type Found = { alerting: IncidentAlerting }

/** Of one that is resolved, only ALERTED means anything: its contacts may be gone since. */
export async function findIncidentAlerting(
  tenant: Tenant,
  incidentUuid: string,
): Promise<IncidentAlerting | undefined> {
  return (await tenant.query<Found>(OF_INCIDENT, [tenant.orgId, incidentUuid]))[0]?.alerting
}

/** Of the monitor's open incident. Undefined without one. */
export async function findOpenIncidentAlerting(
  tenant: Tenant,
  monitorUuid: string,
): Promise<IncidentAlerting | undefined> {
  return (await tenant.query<Found>(OF_OPEN_INCIDENT, [tenant.orgId, monitorUuid]))[0]?.alerting
}

const IS_PUBLIC = sql`
  select exists (select from status_page_components x
                   join status_pages p on p.org_id = x.org_id and p.id = x.page_id
                  where x.org_id = $1 and x.monitor_id = $2 and p.published) as "isPublic"`

/** Whether a published status page shows the monitor. */
export async function isOnPublicPage(tenant: Tenant, monitorUuid: string): Promise<boolean> {
  const [row] = await tenant.query<{ isPublic: boolean }>(IS_PUBLIC, [tenant.orgId, monitorUuid])
  return row?.isPublic === true
}

// Sets rather than escalation_of() for each monitor: an organization may have thousands.
const COUNT_SILENT = sql`
  with working as materialized (
    select c.id from alert_contacts c where c.org_id = $1 and ${hearsOfOutages}
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

/** Monitors that are not paused and whose outages alert no one. */
export async function countSilentMonitors(tenant: Tenant): Promise<number> {
  const [row] = await tenant.query<{ count: number }>(COUNT_SILENT, [tenant.orgId])
  return row?.count ?? 0
}
