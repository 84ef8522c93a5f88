// Records whether pings could be received. Each receiving process reports twice a second. A longer silence of all of
// them is Upvane's own downtime and moves the deadlines of CRON monitors.
import type { PingReceipt } from '../../domain/monitors/heartbeat.ts'
import { type Db, sql } from '../core/db.ts'

/** A longer gap is downtime. Shorter gaps are delays of the reports themselves. */
const OUTAGE_SECONDS = 2.5
const MAX_OUTAGES = 10_000
const NEVER = new Date(0)

// Writes the gap and its end together, so that a reader of `until` knows every outage before it. The old value is part
// of the inserted row, so that it is read before the row changes. The very first start has no gap. While the network of
// this process's region is in doubt, pings may be lost on their way, so nothing is recorded. A process in no known region
// is in the oldest one.
const RECORD = sql`
  with place as materialized (
         select coalesce((select no from regions where name = $2), (select min(no) from regions)) as region),
       received as materialized (
         select region from place
          where not exists (select from region_doubts d
                             where d.region = place.region and d.passed_at is null and now() < d.ends_at)),
       before as materialized (select until from ping_receipt where exists (select from received) for update),
       gap as (insert into ping_outages (started_at, ended_at)
               select until, now() from before where now() - until > make_interval(secs => $1))
  insert into ping_receipt as r (until, region)
  select greatest(now(), (select until from before)), region from received
  on conflict (singleton) do update set until = greatest(r.until, excluded.until), region = excluded.region`

/** `region`: where this process runs. */
export async function recordReceiving(db: Db, region: string): Promise<void> {
  await db.query(RECORD, [OUTAGE_SECONDS, region])
}

const READ = sql`
  select r.until, o.started_at as "startedAt", o.ended_at as "endedAt"
    from ping_receipt r
    left join (select * from ping_outages order by ended_at desc limit $1) o on true`

export async function readReceipt(db: Db): Promise<PingReceipt> {
  type Row = { until: Date; startedAt: Date | null; endedAt: Date | null }
  const rows = await db.query<Row>(READ, [MAX_OUTAGES])
  const outages = rows.flatMap(({ startedAt, endedAt }) =>
    startedAt === null || endedAt === null ? [] : [{ startedAt, endedAt }],
  )
  return { until: rows[0]?.until ?? NEVER, outages }
}
