// Response times of one monitor in buckets, from the rollups and, where these do not reach, from single results.
import type { SeriesPlan, SeriesSource } from '../../domain/monitors/series.ts'
import { type Statement, sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'
import { recorded } from './recorded.ts'
import { VERDICT_CODE } from './results.ts'

const code = (verdict: keyof typeof VERDICT_CODE) => ({ text: String(VERDICT_CODE[verdict]) })
const passed = sql`r.verdict in (${code('PASSED')}, ${code('SLOW')})`

// The same figures as in the rollups, for any period.
const summary = sql`
  count(*) filter (where ${passed})::integer as ok,
  count(*) filter (where r.verdict = ${code('FAILED')})::integer as failed,
  count(*) filter (where r.verdict = ${code('INCONCLUSIVE')})::integer as undecided,
  percentile_disc(array[0.5, 0.95]) within group (order by r.response_ms) filter (where ${passed}) as percentiles,
  max(r.response_ms) filter (where ${passed}) as "maxMs"`

const ours = sql`exists (select from monitors m where m.org_id = $1 and m.no = $2)`

const period = { monitorNo: { text: '$2::bigint' }, before: { text: '$4::timestamptz' } }
const raw = (since: { text: string }) => sql`
  select b.bucket, b.percentiles[1] as "p50Ms", b.percentiles[2] as "p95Ms", b."maxMs", b.ok, b.failed, b.undecided
    from (select floor(extract(epoch from r.slot) / $5::integer)::bigint * $5::integer as bucket, ${summary}
            from ${recorded({ ...period, from: since })} r
           where ${ours} and r.verdict <> ${code('SUPERSEDED')}
           group by 1) b`

const RAW = sql`${raw({ text: '$3::timestamptz' })} order by 1`

// Hours and days are rolled up ten minutes after they end. Results since then are aggregated here.
const rolledUp = (
  table: { text: string },
  period: { text: string },
  reach: { text: string },
) => sql`
  with known as materialized (
    select extract(epoch from ${period})::bigint as bucket, p50_ms as "p50Ms", p95_ms as "p95Ms",
           max_ms as "maxMs", ok, failed, inconclusive as undecided, ${period} as at
      from ${table}
     where ${ours} and monitor_no = $2 and ${period} >= $3 and ${period} < $4
  ), tail as (
    select greatest($3::timestamptz, date_bin(make_interval(secs => $5::integer), now() - ${reach}, 'epoch'),
             (select max(at) + make_interval(secs => $5::integer) from known)) as since
  )
  select bucket, "p50Ms", "p95Ms", "maxMs", ok, failed, undecided from known
  union all
  select * from (${raw({ text: '(select since from tail)' })}) fresh
  order by bucket`

// Nothing is rolled up of regions.
const OF_REGION = sql`
  select b.bucket, b.percentiles[1] as "p50Ms", b.percentiles[2] as "p95Ms", b."maxMs", b.ok, b.failed, b.undecided
    from (select floor(extract(epoch from r.slot) / $5::integer)::bigint * $5::integer as bucket, ${summary}
            from region_results r
           where ${ours} and r.monitor_no = $2 and r.slot >= $3 and r.slot < $4
             and r.region = (select no from regions where name = $6)
           group by 1) b
   order by 1`

const HOURS = rolledUp({ text: 'result_hours' }, { text: 'hour' }, { text: `interval '3 hours'` })
const DAYS = rolledUp(
  { text: 'result_days' },
  { text: `(day::timestamp at time zone 'UTC')` },
  { text: `interval '26 hours'` },
)
const STATEMENTS: Record<SeriesSource, Statement> = { RAW, HOURS, DAYS }

export type SeriesBucket = {
  /** Start, in Unix seconds. */
  bucket: number
  p50Ms: number | null
  p95Ms: number | null
  maxMs: number | null
  ok: number
  failed: number
  undecided: number
}

/** Oldest first, without empty buckets. */
export function findSeries(
  tenant: Tenant,
  monitorNo: number,
  { from, to, bucketSeconds, source }: SeriesPlan,
): Promise<SeriesBucket[]> {
  const values = [tenant.orgId, monitorNo, from, to, bucketSeconds]
  return tenant.query<SeriesBucket>(STATEMENTS[source], values)
}

/** What one region found, of checks that ran in several at once. */
export function findRegionSeries(
  tenant: Tenant,
  { monitorNo, region }: { monitorNo: number; region: string },
  { from, to, bucketSeconds }: SeriesPlan,
): Promise<SeriesBucket[]> {
  const values = [tenant.orgId, monitorNo, from, to, bucketSeconds, region]
  return tenant.query<SeriesBucket>(OF_REGION, values)
}

const MAX_SHADES = { text: '500' }
const INCIDENTS = sql`
  select id as uuid, started_at as "fromAt", resolved_at as "toAt" from incidents
   where org_id = $1 and monitor_id = $2 and started_at < $4 and (resolved_at is null or resolved_at > $3)
   order by started_at desc limit ${MAX_SHADES}`
const WINDOWS = sql`
  select s.window_id as uuid, s.started_at as "fromAt", s.ended_at as "toAt", w.name
    from maintenance_spans s left join maintenance_windows w on w.org_id = $1 and w.id = s.window_id
   where exists (select from monitors m where m.org_id = $1 and m.no = $2)
     and s.monitor_no = $2 and s.started_at < $4 and (s.ended_at is null or s.ended_at > $3)
   order by s.started_at desc limit ${MAX_SHADES}`

export type Shade = { uuid: string; fromAt: Date; toAt: Date | null }
export type WindowShade = Shade & { name: string | null }
type SeriesRange = Pick<SeriesPlan, 'from' | 'to'>

/** The monitor's incidents that overlap the period, newest first. */
export function findIncidentShades(
  tenant: Tenant,
  monitorUuid: string,
  { from, to }: SeriesRange,
): Promise<Shade[]> {
  return tenant.query<Shade>(INCIDENTS, [tenant.orgId, monitorUuid, from, to])
}

/** Windows that covered the monitor during the period, newest first. A deleted window has no name. */
export function findWindowShades(
  tenant: Tenant,
  monitorNo: number,
  { from, to }: SeriesRange,
): Promise<WindowShade[]> {
  return tenant.query<WindowShade>(WINDOWS, [tenant.orgId, monitorNo, from, to])
}
