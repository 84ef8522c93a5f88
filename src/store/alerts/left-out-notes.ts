// Notes about regions in which every check of a monitor should run, and in which none does.
import { type Db, sql } from '../core/db.ts'
import { VERDICT_CODE } from '../history/results.ts'
import { bigints, instants, texts } from '../wire/batch-values.ts'

export type LeftOutNote = {
  monitorNo: number
  region: string
  reason: 'NO_PROBE' | 'NOT_PROVEN'
  since: Date
  notifyAt: Date
}

// Another region or reason starts over.
const NOTE_LEFT_OUT = sql`
  insert into monitor_notices as n (org_id, monitor_no, kind, since, reason, region, notify_at)
  select m.org_id, m.no, 'REGION_LEFT_OUT', u.since, u.reason, left(u.region, 64), u.notify_at
    from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::text[], $5::timestamptz[])
           as u (monitor_no, since, reason, region, notify_at)
    join monitors m on m.no = u.monitor_no
   order by m.no
  on conflict (monitor_no, kind) do update
     set reason = excluded.reason, region = excluded.region, since = excluded.since,
         notify_at = excluded.notify_at, notified_at = null
   where (n.reason, n.region) is distinct from (excluded.reason, excluded.region)`

/** Each monitor at most once. */
export async function noteLeftOut(db: Db, notes: readonly LeftOutNote[]): Promise<void> {
  if (notes.length === 0) return
  await db.query(NOTE_LEFT_OUT, [
    bigints(notes.map(({ monitorNo }) => monitorNo)),
    instants(notes.map(({ since }) => since)),
    texts(notes.map(({ reason }) => reason)),
    texts(notes.map(({ region }) => region)),
    instants(notes.map(({ notifyAt }) => notifyAt)),
  ])
}

// A check that began while the probe was dying may still end, so the first minute does not count.
/** Of the note `n`: nobody has to be told of it anymore. */
export const isNotLeftOut = sql`
  (n.reason = 'NO_PROBE' and exists (
     select from region_results r join regions g on g.no = r.region
      where r.monitor_no = n.monitor_no and g.name = n.region and r.verdict in (${{ text: `${VERDICT_CODE.PASSED}, ${VERDICT_CODE.FAILED}` }})
        and r.slot > n.since + interval '1 minute'))
  or (n.reason = 'NOT_PROVEN' and exists (
     select from region_proofs p join regions g on g.no = p.region
      where p.monitor_no = n.monitor_no and g.name = n.region and p.passed_at is not null))
  or not exists (
     select from region_settings c where c.org_id = n.org_id and c.mode = 'EACH' and n.region = any (c.regions))`
