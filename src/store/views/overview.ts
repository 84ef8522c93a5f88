// What is going on in an organization right now, beside the counts: open incidents and maintenance.
import type { CauseCode } from '../../domain/incidents/incident.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'

const SHOWN = { text: '50' }

const OPEN_INCIDENTS = sql`
  select i.id as uuid, m.id as "monitorUuid", m.name as "monitorName", i.cause, i.cause_code as "causeCode",
         i.started_at as "startedAt", i.acknowledged_at is not null as "isAcknowledged"
    from incidents i join monitors m on m.org_id = i.org_id and m.id = i.monitor_id
   where i.org_id = $1 and i.resolved_at is null
   order by i.started_at desc, i.id desc limit ${SHOWN}`

export type OngoingIncident = {
  uuid: string
  monitorUuid: string
  monitorName: string
  cause: string
  causeCode: CauseCode
  startedAt: Date
  isAcknowledged: boolean
}

/** The latest of those that are not resolved. */
export function listOngoingIncidents(tenant: Tenant): Promise<OngoingIncident[]> {
  return tenant.query<OngoingIncident>(OPEN_INCIDENTS, [tenant.orgId])
}

const occurrences = (when: { text: string }) => sql`
  select w.id as uuid, w.name, w.occurrence_starts_at as "startsAt", w.occurrence_ends_at as "endsAt",
         w.all_monitors as "allMonitors"
    from maintenance_windows w
   where w.org_id = $1 and w.occurrence_ends_at > now() and ${when}
   order by w.occurrence_starts_at, w.id limit ${SHOWN}`
const ACTIVE = occurrences({ text: 'w.occurrence_starts_at <= now()' })
const AHEAD = occurrences({ text: 'w.occurrence_starts_at > now()' })

export type WindowNow = {
  uuid: string
  name: string
  startsAt: Date
  endsAt: Date
  allMonitors: boolean
}

/** Occurrences that are active, and those ahead, soonest first. */
export async function listWindowsNow(
  tenant: Tenant,
): Promise<{ active: WindowNow[]; ahead: WindowNow[] }> {
  const [active, ahead] = await Promise.all([
    tenant.query<WindowNow>(ACTIVE, [tenant.orgId]),
    tenant.query<WindowNow>(AHEAD, [tenant.orgId]),
  ])
  return { active, ahead }
}

const NOW = sql`select now() as at`

export async function findTime(tenant: Tenant): Promise<Date> {
  const [row] = await tenant.query<{ at: Date }>(NOW, [])
  if (row === undefined) throw new Error('The database always has the time')
  return row.at
}
