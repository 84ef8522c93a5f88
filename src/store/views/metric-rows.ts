// The monitors of an organization as its metrics show them. It reads no column that holds a secret.
import type { MetricMonitor } from '../../domain/metrics/organization-metrics.ts'
import type { MonitorState, MonitorType } from '../../domain/monitors/monitor.ts'
import { sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { isInMaintenance } from '../maintenance/in-maintenance.ts'

// Verdict 0 is a pass and 2 a failure. A monitor on several pages is described by the oldest, so that it has one info series.
const LIST = sql`
  with placed as materialized (
    select distinct on (c.monitor_id) c.monitor_id, p.slug, x.name as section
      from status_page_components c
      join status_pages p on p.org_id = c.org_id and p.id = c.page_id
      join status_page_sections x on x.org_id = c.org_id and x.id = c.section_id
     where c.org_id = $1 and c.monitor_id is not null
       and ($4::text is null or p.slug = $4 or p.id = $5)
     order by c.monitor_id, p.created_at, p.id, x.position, c.position
  ), each as materialized (
    select exists (select from region_settings c where c.org_id = $1 and c.mode = 'EACH') as chosen
  )
  select m.no, m.id as uuid, m.name, m.type, m.url, m.host, m.port, s.state,
         s.last_response_ms as "lastResponseMs", s.last_checked_at as "lastCheckedAt",
         s.cert_expires_at as "certExpiresAt", s.domain_expires_at as "domainExpiresAt",
         ${isInMaintenance} as "inMaintenance", placed.slug as page, placed.section,
         case when (select each.chosen from each) then (
           select json_agg(json_build_object('region', n.name, 'responseMs', o.response_ms, 'isUp', case o.verdict
                    when 0 then true when 2 then false end) order by o.region)
             from region_results o join regions n on n.no = o.region
            where o.monitor_no = m.no and o.slot = s.last_slot) end as regions
    from monitors m
    join monitor_states s on s.monitor_no = m.no
    left join placed on placed.monitor_id = m.id
   where m.org_id = $1 and s.org_id = $1
     and ($2::text[] is null or m.type = any ($2))
     and ($3::text[] is null or s.state = any ($3))
     and ($4::text is null or placed.monitor_id is not null)
   order by m.no limit $6`

type RowFilter = {
  type?: readonly MonitorType[] | undefined
  state?: readonly MonitorState[] | undefined
  /** The slug of a status page, or its id. */
  page?: { slug: string; uuid: string | undefined } | undefined
  limit: number
}
type MetricRow = Omit<MetricMonitor, 'ratios'> & { no: number }

/** In the order of their creation. */
export function listMetricRows(
  tenant: Tenant,
  { type, state, page, limit }: RowFilter,
): Promise<MetricRow[]> {
  const values = [type ?? null, state ?? null, page?.slug ?? null, page?.uuid ?? null]
  return tenant.query<MetricRow>(LIST, [tenant.orgId, ...values, limit])
}

const COUNT = sql`
  select now() as at, count(*)::integer as open from incidents where org_id = $1 and resolved_at is null`

/** And the database's time. */
export async function countOpenIncidents(tenant: Tenant): Promise<{ at: Date; open: number }> {
  const [row] = await tenant.query<{ at: Date; open: number }>(COUNT, [tenant.orgId])
  if (row === undefined) throw new Error('A count has always one row')
  return row
}
