// The list of monitors as the dashboard shows it. First which ones are on the page, over all of the organization's;
// then everything that is shown of these few, and of no others.
import type { CauseCode } from '../domain/incident.ts'
import type { MonitorState, MonitorType } from '../domain/monitor.ts'
import type { MonitorSort } from '../domain/monitor-order.ts'
import { type Statement, sql } from './db.ts'
import { type StoredClock, toClock } from './monitor-row.ts'
import { escapeLike } from './monitors.ts'
import type { Tenant } from './tenants.ts'

export type MonitorRowFilter = {
  type?: readonly MonitorType[] | undefined
  state?: readonly MonitorState[] | undefined
  q?: string | undefined
  sort: MonitorSort
  reversed: boolean
}
type Page = { limit: number; offset: number }

const hits = sql`
  select m.no, m.name, s.state, coalesce(s.last_status_changed_at, m.created_at) as changed_at
    from monitors m join monitor_states s on s.monitor_no = m.no
   where m.org_id = $1 and s.org_id = $1
     and ($2::text[] is null or m.type = any ($2))
     and ($4::text is null or m.name ilike $4 or m.url ilike $4 or m.host ilike $4
          or m.host || ':' || m.port ilike $4)`

const badness = sql`array_position(array['DOWN', 'DEGRADED', 'PENDING', 'UP', 'PAUSED'], h.state)`

// Time down in the last 30 days, as far as it counts; what was never measured comes last.
const downTime = sql`
  left join lateral (
    select sum(extract(epoch from least(coalesce(d.ended_at, now()), now())
                               - greatest(d.started_at, now() - interval '30 days'))) as seconds
      from state_spans d
     where d.monitor_no = h.no and d.state = 'DOWN' and d.started_at < now()
       and (d.ended_at is null or d.ended_at > now() - interval '30 days')) down on true`

// The mean of the hours' p95, by how many checks each had.
const p95Of = (no: { text: string }) => sql`
  left join lateral (
    select round(sum(r.p95_ms::numeric * r.ok) / nullif(sum(r.ok) filter (where r.p95_ms is not null), 0))::integer as ms
      from result_hours r
     where r.monitor_no = ${no} and r.hour > now() - interval '25 hours') p95 on true`

// To put thousands in order, the last whole day has to do: one row a monitor instead of 24.
const dayP95 = sql`
  left join lateral (
    select r.p95_ms as ms from result_days r
     where r.monitor_no = h.no and r.day >= (now() at time zone 'UTC')::date - 2
     order by r.day desc limit 1) p95 on true`

const nothing = { text: '' }
const ORDERS: Record<MonitorSort, { join: { text: string }; by: string; direction: string }> = {
  state: { join: nothing, by: badness.text, direction: 'asc' },
  name: { join: nothing, by: 'lower(h.name)', direction: 'asc' },
  uptime: { join: downTime, by: 'coalesce(down.seconds, 0)', direction: 'desc' },
  p95: { join: dayP95, by: 'coalesce(p95.ms, -1)', direction: 'desc' },
  changed: { join: nothing, by: 'h.changed_at', direction: 'desc' },
}
const REVERSE: Record<string, string> = { asc: 'desc', desc: 'asc' }

function pageStatement(sort: MonitorSort, reversed: boolean): Statement {
  const { join, by, direction } = ORDERS[sort]
  const way = reversed ? REVERSE[direction] : direction
  const order = { text: `${by} ${way}, lower(h.name) ${reversed ? 'desc' : 'asc'}, h.no` }
  return sql`
    with hits as materialized (${hits}), page as (
      select h.no, row_number() over (order by ${order}) as place
        from hits h ${join}
       where $3::text[] is null or h.state = any ($3)
       order by place limit $5 offset $6
    ), counts as (
      select coalesce(json_object_agg(c.state, c.count), '{}') as counts
        from (select state, count(*) as count from hits group by state) c
    )
    select now() as at, counts.counts, page.no
      from counts left join page on true order by page.place`
}

const PAGES = new Map(
  (Object.keys(ORDERS) as MonitorSort[]).flatMap((sort) =>
    [false, true].map(
      (reversed) => [`${sort} ${reversed}`, pageStatement(sort, reversed)] as const,
    ),
  ),
)

export type StateCounts = Partial<Record<MonitorState, number>>
export type MonitorPage = { at: Date; counts: StateCounts; nos: number[] }

/** Which monitors are on the page, in its order, and how many there are in each state, whatever `state` asks. */
export async function findMonitorPage(
  tenant: Tenant,
  filter: MonitorRowFilter,
  { limit, offset }: Page,
): Promise<MonitorPage> {
  const { type, state, q, sort, reversed } = filter
  const statement = PAGES.get(`${sort} ${reversed}`)
  if (statement === undefined) throw new Error(`No order by ${sort}`)
  const text = q && `%${escapeLike(q)}%`
  type Row = { at: Date; counts: StateCounts; no: number | null }
  const rows = await tenant.query<Row>(statement, [tenant.orgId, type, state, text, limit, offset])
  const [first] = rows
  if (first === undefined) throw new Error('Counts have always one row')
  return { at: first.at, counts: first.counts, nos: rows.flatMap(({ no }) => no ?? []) }
}

const ROWS = sql`
  select m.no, m.id as uuid, m.name, m.type, m.url, m.host, m.port, m.created_at as "createdAt",
         coalesce(m.expected_period_seconds, m.interval_seconds) as "periodSeconds",
         m.interval_seconds as "intervalSeconds", s.state, s.last_status_changed_at as "lastStatusChangedAt",
         s.last_response_ms as "lastResponseMs", s.last_checked_at as "lastCheckedAt",
         s.next_due_at as "nextDueAt", s.cert_expires_at as "certExpiresAt",
         s.domain_expires_at as "domainExpiresAt", s.heartbeat, p95.ms as "p95Ms",
         i.id as "incidentUuid", i.cause, i.cause_code as "causeCode", i.started_at as "incidentStartedAt",
         i.acknowledged_at is not null as "isAcknowledged",
         exists (select from maintenance_spans w
                  where w.monitor_no = m.no and w.started_at <= now() and w.started_at > now() - interval '31 days'
                    and (w.ended_at is null or w.ended_at > now())) as "inMaintenance"
    from monitors m
    join monitor_states s on s.monitor_no = m.no
    left join incidents i on i.org_id = $1 and i.monitor_id = m.id and i.resolved_at is null
    ${p95Of({ text: 'm.no' })}
   where m.org_id = $1 and m.no = any ($2::bigint[])`

type Row = Omit<MonitorFacts, 'incident' | 'lastHeartbeatAt'> & {
  heartbeat: StoredClock | null
  incidentUuid: string | null
  cause: string
  causeCode: CauseCode
  incidentStartedAt: Date
  isAcknowledged: boolean
}

/** A monitor as the list shows it, without its history. */
export type MonitorFacts = {
  no: number
  uuid: string
  name: string
  type: MonitorType
  url: string | null
  host: string | null
  port: number | null
  createdAt: Date
  periodSeconds: number
  intervalSeconds: number
  state: MonitorState
  lastStatusChangedAt: Date | null
  lastResponseMs: number | null
  lastCheckedAt: Date | null
  nextDueAt: Date | null
  certExpiresAt: Date | null
  domainExpiresAt: Date | null
  p95Ms: number | null
  inMaintenance: boolean
  incident: OpenIncident | null
  lastHeartbeatAt: Date | null
}

export type OpenIncident = {
  uuid: string
  cause: string
  causeCode: CauseCode
  startedAt: Date
  isAcknowledged: boolean
}

/** In the order asked for; one that is gone meanwhile is missing. */
export async function findMonitorFacts(
  tenant: Tenant,
  nos: readonly number[],
): Promise<MonitorFacts[]> {
  if (nos.length === 0) return []
  const rows = await tenant.query<Row>(ROWS, [tenant.orgId, nos])
  const byNo = new Map(rows.map((row) => [row.no, toFacts(row)]))
  return nos.flatMap((no) => byNo.get(no) ?? [])
}

function toFacts(row: Row): MonitorFacts {
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

/** The number of its rows in the history, and the database's time. */
export async function findMonitorNo(
  tenant: Tenant,
  uuid: string,
): Promise<{ no: number; at: Date } | undefined> {
  const [row] = await tenant.query<{ no: number; at: Date }>(FIND_NO, [tenant.orgId, uuid])
  return row
}
