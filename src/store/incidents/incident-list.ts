// The incident list of the dashboard, with a count of each kind.
import type { CauseCode, Incident } from '../../domain/incidents/incident.ts'
import { sql } from '../core/db.ts'
import { escapeLike } from '../core/escape-like.ts'
import type { Tenant } from '../core/tenants.ts'
import {
  type Acknowledgement,
  type IncidentRecord,
  incidentColumns,
  toIncident,
} from './incidents.ts'

export type IncidentListFilter = {
  status?: readonly ('ONGOING' | 'RESOLVED')[] | undefined
  acknowledged?: boolean | undefined
  monitorUuid?: string | undefined
  causeCode?: readonly CauseCode[] | undefined
  q?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const hits = sql`
  select i.id, i.started_at, i.resolved_at, i.acknowledged_at
    from incidents i
   where i.org_id = $1
     and ($2::uuid is null or i.monitor_id = $2)
     and ($3::text[] is null or i.cause_code = any ($3))
     and ($4::timestamptz is null or i.resolved_at is null or i.resolved_at > $4)
     and ($5::timestamptz is null or i.started_at < $5)
     and ($6::text is null or lower(i.cause) like (select lower($6)) or i.monitor_id in (
       select m.id from monitors m where m.org_id = $1 and lower(m.name) like (select lower($6))))`
const shown = sql`
  ($7::text[] is null or case when resolved_at is null then 'ONGOING' else 'RESOLVED' end = any ($7))
  and ($8::boolean is null or (acknowledged_at is not null) = $8)`

const core = sql`
  ${incidentColumns},
  case when i.acknowledged_at is not null then json_build_object(
    'byType', i.acknowledged_by_type, 'byUuid', i.acknowledged_by_id,
    'byName', i.acknowledged_by_name, 'note', i.acknowledge_note) end as acknowledgement`
// Searches messages by time, where the first ones about the incident must be: row-level security prevents the use of an
// index on array contents. Deliveries are looked up by id, because a join would read every daily partition. An alert after
// quiet hours or to a contact deleted since is only in the timeline.
const row = sql`
  ${core},
  greatest((select count(distinct a.contact_id)::integer from alert_messages a
    where a.org_id = $1 and a.delivery_id >= uuid_floor(i.started_at)
      and a.delivery_id < uuid_floor(i.started_at + interval '2 hours') and i.id = any (a.incident_ids)
      and (select d.status from deliveries d where d.id = a.delivery_id) = 'SUCCEEDED'),
    (select 1 from incident_timeline l
      where l.incident_id = i.id and l.org_id = $1 and l.type = 'ALERT_SENT' limit 1)) as "contactsTold",
  array(select p.id::text from status_incidents p
         where p.org_id = $1 and p.incident_id = i.id order by p.created_at, p.id) as "statusIncidentUuids"`

const PAGE = sql`
  with hits as materialized (${hits}), page as (
    select id from hits where ${shown} order by started_at desc, id desc limit $9 offset $10
  ), summary as (
    select json_build_object(
             'all', count(*), 'ongoing', count(*) - count(resolved_at), 'resolved', count(resolved_at),
             'notTaken', count(*) - count(acknowledged_at), 'total', count(*) filter (where ${shown}),
             'downSeconds', coalesce(date_part('epoch', sum(coalesce(resolved_at, now()) - started_at)), 0)::bigint,
             'medianDurationSeconds', date_part('epoch', percentile_disc(0.5) within group (
               order by resolved_at - started_at))::integer,
             'medianTakenSeconds', date_part('epoch', percentile_disc(0.5) within group (
               order by acknowledged_at - started_at))::integer) as summary
      from hits
  )
  select now() as at, summary.summary, ${row}
    from summary left join (
      page join incidents i on i.org_id = $1 and i.id = page.id
           join monitors m on m.org_id = i.org_id and m.id = i.monitor_id) on true
   order by i.started_at desc, i.id desc`

/** An incident and its acknowledgement. */
export type IncidentWithAcknowledgement = Incident & { acknowledgement: Acknowledgement | null }
export type ListedIncident = IncidentWithAcknowledgement & {
  contactsTold: number
  statusIncidentUuids: string[]
}
export type IncidentSummary = {
  all: number
  ongoing: number
  resolved: number
  notTaken: number
  total: number
  downSeconds: number
  medianDurationSeconds: number | null
  medianTakenSeconds: number | null
}
type CoreRow = IncidentRecord & Omit<IncidentWithAcknowledgement, keyof Incident>
type Row = IncidentRecord & Omit<ListedIncident, keyof Incident>

export async function listIncidentsWithSummary(
  tenant: Tenant,
  filter: IncidentListFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ at: Date; summary: IncidentSummary; incidents: ListedIncident[] }> {
  type Found = { at: Date; summary: IncidentSummary } & (Row | { uuid: null })
  const values = [...valuesOf(tenant, filter), limit, offset]
  const rows = await tenant.query<Found>(PAGE, values)
  const [first] = rows
  if (first === undefined) throw new Error('A summary has always one row')
  const found = rows.filter((each): each is Found & Row => each.uuid !== null)
  return { at: first.at, summary: first.summary, incidents: found.map(toIncident) }
}

function valuesOf(tenant: Tenant, filter: IncidentListFilter): unknown[] {
  const { monitorUuid, causeCode, from, to, q, status, acknowledged } = filter
  const text = q && `%${escapeLike(q)}%`
  return [tenant.orgId, monitorUuid, causeCode, from, to, text, status, acknowledged]
}

// Each incident counts on every day from that of its beginning to that of its end.
const DAYS = sql`
  select day - 1 as index, count(*)::integer as incidents, count(*) > count(resolved_at) as ongoing,
         sum(date_part('epoch', least(ended_at, coalesce(starts[day + 1], now()))
                                - greatest(started_at, starts[day])))::integer as "downSeconds"
    from (select $2::timestamptz[] as starts) d
   cross join lateral (
           select i.started_at, i.resolved_at, coalesce(i.resolved_at, now()) as ended_at
             from incidents i
            where i.org_id = $1 and (i.resolved_at is null or i.resolved_at >= starts[1])) i
   cross join lateral generate_series(
           width_bucket(greatest(started_at, starts[1]), starts), width_bucket(ended_at, starts)) as day
   group by day`

export type DayCount = { incidents: number; ongoing: boolean; downSeconds: number }

/** By the index of the day. `starts`: when each day began, oldest first; the last one has not ended. */
export async function countIncidentsByDay(
  tenant: Tenant,
  starts: readonly Date[],
): Promise<ReadonlyMap<number, DayCount>> {
  type DayRow = DayCount & { index: number }
  const found = await tenant.query<DayRow>(DAYS, [tenant.orgId, starts])
  return new Map(found.map(({ index, ...day }) => [index, day]))
}

const AFTER = sql`
  with hits as (${hits}), page as (
    select id from hits
     where ${shown} and ($9::timestamptz is null or (started_at, id) < ($9, $10::uuid))
     order by started_at desc, id desc limit $11
  )
  select ${core}
    from page join incidents i on i.org_id = $1 and i.id = page.id
    join monitors m on m.org_id = i.org_id and m.id = i.monitor_id
   order by i.started_at desc, i.id desc`

/** The next `limit` incidents after `after`, newest first. */
export async function listIncidentsAfter(
  tenant: Tenant,
  filter: IncidentListFilter,
  after: Pick<Incident, 'startedAt' | 'uuid'> | undefined,
  limit: number,
): Promise<IncidentWithAcknowledgement[]> {
  const place = [after?.startedAt, after?.uuid, limit]
  const rows = await tenant.query<CoreRow>(AFTER, [...valuesOf(tenant, filter), ...place])
  return rows.map(toIncident)
}
