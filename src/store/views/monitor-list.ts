// Everything that the monitor list shows, read only for the monitors on the page.

import type { Alerting } from '../../domain/alerts/alerting-state.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import type { MonitorState, MonitorType } from '../../domain/monitors/monitor.ts'
import type { Tag } from '../../domain/monitors/tag.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { isInMaintenance } from '../maintenance/in-maintenance.ts'
import { type StoredClock, toClock } from '../monitors/columns.ts'
import { stateSince } from '../monitors/state-since.ts'
import { tagsOfMonitor } from '../monitors/tags.ts'
import { alertingOfMonitor } from './alerting.ts'

// The mean of the hourly p95 values, weighted by the number of checks.
const p95 = sql`
  left join lateral (
    select round(sum(r.p95_ms::double precision * r.ok) / nullif(sum(r.ok) filter (where r.p95_ms is not null), 0))::integer as ms
      from result_hours r
     where r.monitor_no = m.no and r.hour > now() - interval '25 hours') p95 on true`

const ITEMS = sql`
  select m.no, m.id as uuid, m.name, m.type, m.url, m.host, m.port,
         coalesce(m.expected_period_seconds, m.interval_seconds) as "periodSeconds",
         m.interval_seconds as "intervalSeconds", s.state, coalesce(${stateSince({ text: 's' })}, m.created_at) as since,
         s.last_response_ms as "lastResponseMs", s.last_checked_at as "lastCheckedAt",
         s.next_due_at as "nextDueAt", s.cert_expires_at as "certExpiresAt",
         s.domain_expires_at as "domainExpiresAt", s.issuer,
         m.ssl_expiry_threshold_days as "sslExpiryThresholdDays", s.heartbeat, p95.ms as "p95Ms",
         i.id as "incidentUuid", i.cause, i.cause_code as "causeCode", i.started_at as "incidentStartedAt",
         i.acknowledged_at is not null as "isAcknowledged",
         ${isInMaintenance} as "inMaintenance", ${tagsOfMonitor} as tags,
         ${alertingOfMonitor} as alerting
    from monitors m
    join monitor_states s on s.monitor_no = m.no
    left join incidents i on i.org_id = $1 and i.monitor_id = m.id and i.resolved_at is null
    ${p95}
   where m.org_id = $1 and m.no = any ($2::bigint[])`

type Row = Omit<MonitorListItem, 'incident' | 'lastHeartbeatAt'> & {
  heartbeat: StoredClock | null
  incidentUuid: string | null
  cause: string
  causeCode: CauseCode
  incidentStartedAt: Date
  isAcknowledged: boolean
}

/** A monitor as the list shows it, without its history. */
export type MonitorListItem = {
  no: number
  uuid: string
  name: string
  type: MonitorType
  url: string | null
  host: string | null
  port: number | null
  periodSeconds: number
  intervalSeconds: number
  state: MonitorState
  /** When its state began. */
  since: Date
  lastResponseMs: number | null
  lastCheckedAt: Date | null
  nextDueAt: Date | null
  certExpiresAt: Date | null
  domainExpiresAt: Date | null
  issuer: string | null
  sslExpiryThresholdDays: number
  p95Ms: number | null
  inMaintenance: boolean
  incident: OpenIncidentRecord | null
  lastHeartbeatAt: Date | null
  tags: Tag[]
  alerting: Alerting
}

export type OpenIncidentRecord = {
  uuid: string
  cause: string
  causeCode: CauseCode
  startedAt: Date
  isAcknowledged: boolean
}

/** In the order of `nos`. Leaves out monitors deleted in the meantime. */
export async function findMonitorListItems(
  tenant: Tenant,
  nos: readonly number[],
): Promise<MonitorListItem[]> {
  if (nos.length === 0) return []
  const rows = await tenant.query<Row>(ITEMS, [tenant.orgId, nos])
  const byNo = new Map(rows.map((row) => [row.no, toListItem(row)]))
  return nos.flatMap((no) => byNo.get(no) ?? [])
}

function toListItem(row: Row): MonitorListItem {
  const { heartbeat, incidentUuid, cause, causeCode, incidentStartedAt, isAcknowledged, ...rest } =
    row
  const clock = heartbeat && toClock(heartbeat)
  return {
    ...rest,
    lastHeartbeatAt: rest.type === 'CRON' ? (clock?.lastPing?.at ?? null) : null,
    incident:
      incidentUuid === null
        ? null
        : { uuid: incidentUuid, cause, causeCode, startedAt: incidentStartedAt, isAcknowledged },
  }
}

const FIND_NO = sql`select no, now() as at from monitors where org_id = $1 and id = $2`

/** The monitor's number in the history, and the database's time. */
export async function findMonitorNo(
  tenant: Tenant,
  uuid: string,
): Promise<{ no: number; at: Date } | undefined> {
  const [row] = await tenant.query<{ no: number; at: Date }>(FIND_NO, [tenant.orgId, uuid])
  return row
}
