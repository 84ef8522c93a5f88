// Searches monitors, incidents and status pages by a part of their name.
import type { MonitorType } from '../../domain/monitors/monitor.ts'
import { sql } from '../core/db.ts'
import { escapeLike } from '../core/escape-like.ts'
import type { Tenant } from '../core/tenants.ts'
import { stateSince } from '../monitors/state-since.ts'

export const MAX_HITS = 20
const maxHits = { text: String(MAX_HITS) }

const anywhere = sql`(select lower($2::text))`
const atStart = sql`(select lower($3::text))`

// A monitor has at most one ongoing incident.
const isUnacknowledged = sql`(i.resolved_at is null and i.acknowledged_at is null)`

// Newest first and no further than needed: an index has this order.
const incidents = (which: { text: string }) => sql`
  (select i.id, i.monitor_id, i.cause, i.resolved_at, i.started_at, i.acknowledged_at from incidents i
    where i.org_id = $1 and i.started_at > now() - interval '90 days' and ${which}
      and (lower(i.cause) like ${anywhere} or i.monitor_id in (
        select m.id from monitors m where m.org_id = $1 and lower(m.name) like ${anywhere}))
    order by i.started_at desc, i.id desc limit ${maxHits})`

// Reads no more of each kind than can be shown in total, and no incidents older than 90 days. Searches one lowercase
// text: separate `ilike` conditions would each lowercase every row and the pattern.
const SEARCH = sql`
  select * from (
    (select 'MONITOR' as kind, m.id as uuid, m.name as title, null as detail, s.state,
            m.type, m.url, m.host, m.port, lower(m.name) not like ${atStart} as rank, m.created_at as at,
            coalesce(${stateSince({ text: 's' })}, m.created_at) as since,
            (select i.id from incidents i where i.org_id = $1 and i.monitor_id = m.id and ${isUnacknowledged})
              as "unacknowledgedUuid"
       from monitors m join monitor_states s on s.monitor_no = m.no
      where m.org_id = $1 and lower(concat_ws(e'\\n', m.name, m.url, m.host)) like ${anywhere}
      order by rank, lower(m.name), m.id limit ${maxHits})
    union all
    (select 'INCIDENT', i.id, m.name, i.cause, case when i.resolved_at is null then 'ONGOING' else 'RESOLVED' end,
            m.type, m.url, m.host, m.port, i.resolved_at is not null, i.started_at,
            i.started_at, case when ${isUnacknowledged} then i.id end
       from (${incidents({ text: 'i.resolved_at is null' })}
             union all
             ${incidents({ text: 'i.resolved_at is not null' })}) i
       join monitors m on m.org_id = $1 and m.id = i.monitor_id
      order by i.resolved_at is not null, i.started_at desc, i.id limit ${maxHits})
    union all
    (select 'STATUS_PAGE', p.id, p.name, p.slug, case when p.published then 'PUBLISHED' else 'HIDDEN' end,
            null, null, null, null, lower(p.name) not like ${atStart}, p.created_at, null, null
       from status_pages p
      where p.org_id = $1 and lower(concat_ws(e'\\n', p.name, p.slug)) like ${anywhere}
      order by 10, lower(p.name), p.id limit ${maxHits})
  ) found
  order by array_position(array['MONITOR', 'STATUS_PAGE', 'INCIDENT'], kind), rank, at desc`

export type SearchRecord = {
  kind: 'MONITOR' | 'INCIDENT' | 'STATUS_PAGE'
  uuid: string
  title: string
  detail: string | null
  state: string
  type: MonitorType
  url: string | null
  host: string | null
  port: number | null
  /** False if the name starts with the text or the incident is ongoing; such rows come first. */
  rank: boolean
  /** When the monitor's state or the incident began. Null for a page. */
  since: Date | null
  unacknowledgedUuid: string | null
}

/** Monitors, then pages, then incidents, each with the best match first. */
export function searchAll(tenant: Tenant, text: string): Promise<SearchRecord[]> {
  const escaped = escapeLike(text)
  return tenant.query<SearchRecord>(SEARCH, [tenant.orgId, `%${escaped}%`, `${escaped}%`])
}
