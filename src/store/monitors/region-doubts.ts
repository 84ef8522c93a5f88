// The doubts of regions about their own network. Schedulers write them, and all processes agree by reading them.
import type { OpenDoubt } from '../../domain/monitors/egress-doubt.ts'
import { type Db, sql } from '../core/db.ts'

const KEPT_DAYS = 30

const FIND_OPEN = sql`
  select r.name as region, d.since, d.raised_at as "raisedAt", d.ends_at as "endsAt"
    from region_doubts d join regions r on r.no = d.region where d.passed_at is null`

/** By the name of the region. */
export async function findOpenDoubts(db: Db): Promise<Map<string, OpenDoubt>> {
  const rows = await db.query<OpenDoubt & { region: string }>(FIND_OPEN)
  return new Map(rows.map(({ region, ...doubt }) => [region, doubt]))
}

// A doubt that was raised and ended elsewhere in the meantime stays ended: the pass began after these addresses were asked.
const RAISE = sql`
  with old as (
    delete from region_doubts where passed_at < now() - make_interval(days => $5)
  )
  insert into region_doubts (region, since, raised_at, ends_at)
  select r.no, $2, $3, $4 from regions r
   where r.name = $1
     and not exists (select from region_doubts d
                      where d.region = r.no and (d.passed_at is null or d.passed_at > $3))
  on conflict (region) where passed_at is null do nothing`

export async function raiseDoubt(db: Db, region: string, doubt: OpenDoubt): Promise<void> {
  const { since, raisedAt, endsAt } = doubt
  await db.query(RAISE, [region, since, raisedAt, endsAt, KEPT_DAYS])
}

const END = sql`
  update region_doubts d set passed_at = greatest(now(), d.raised_at)
    from regions r
   where r.name = $1 and d.region = r.no and d.passed_at is null and d.raised_at <= $2`

/** `startedAt`: when the attempt that passed began. */
export async function endDoubt(db: Db, region: string, startedAt: Date): Promise<void> {
  await db.query(END, [region, startedAt])
}
