// Results that arrive more than a day late: their day may be packed already, or be in the middle of it. Inserting one
// takes the lock of packing_progress, so the day stays as it is until the insert commits.
import { type Statement, sql, type Tx } from '../core/db.ts'
import type { BatchColumn } from '../wire/batch-values.ts'
import { writePacks } from './pack-format.ts'

const DAY_MS = 86_400_000

/** The day that is being packed, and the last monitor whose pack is written. */
type Packing = { midnight: Date | null; afterNo: number }

const LOCK = sql`
  select day::timestamp at time zone 'UTC' as midnight, least(after_monitor_no, 9007199254740991) as "afterNo"
    from packing_progress for update`

export async function lockPacking(tx: Tx): Promise<Packing> {
  const [packing] = await tx.query<Packing>(LOCK)
  if (packing === undefined) throw new Error('packing_progress has no row')
  return packing
}

const midnight = { text: '$3::timestamptz' }
const ofLateMonitors = sql`
  select r.* from results r
   where r.slot >= $3::timestamptz and r.slot < $4::timestamptz and r.monitor_no in (
     select u.monitor_no from unnest($1::bigint[], $2::timestamptz[]) as u (monitor_no, slot)
      where u.slot >= $3::timestamptz and u.slot < $4::timestamptz and u.monitor_no <= $5::bigint)
     and not exists (select from packed_days d where d.day = ($3::timestamptz at time zone 'UTC')::date)`
const REPACK = writePacks(ofLateMonitors, midnight)

/**
 * Call it after the rows are inserted. `values` are their columns: monitor, slot and the others. Packs that were written
 * before are written again, since their day is not read from them yet.
 */
export async function repackLate(
  tx: Tx,
  packing: Packing,
  values: readonly BatchColumn[],
): Promise<void> {
  const { midnight: from, afterNo } = packing
  if (from === null || afterNo === 0) return
  const [monitors, slots] = values
  await tx.query(REPACK, [monitors, slots, from, new Date(from.getTime() + DAY_MS), afterNo])
}

const columns = sql`monitor_no, slot, response_ms, kind, verdict, status_code, region, detail`
const packed = writePacks(
  sql`select ${columns} from known where monitor_no in (select monitor_no from added)
      union all select ${columns} from added`,
  { text: '$9::timestamptz' },
)
/**
 * Adds rows to the packs of their day. `isWanted` is a condition on the rows, `u`. No trigger sees them, so the hours to
 * build again are marked here.
 */
export const mergeOf = (isWanted: { text: string }) => sql`
  with late as materialized (
    select u.* from unnest($1::bigint[], $2::timestamptz[], $3::smallint[], $4::smallint[], $5::integer[],
                           $6::smallint[], $7::smallint[], $8::integer[])
        as u (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
     where u.slot >= $9::timestamptz and u.slot < $10::timestamptz and ${isWanted}
       and exists (select from packed_days d where d.day = ($9::timestamptz at time zone 'UTC')::date)
       and exists (select from monitors m where m.no = u.monitor_no)
  ), known as materialized (
    select p.* from (select distinct monitor_no from late) l
     cross join lateral packed_results(l.monitor_no, $9::timestamptz, $10::timestamptz) p
  ), added as materialized (
    select distinct on (l.monitor_no, l.slot) l.* from late l
     where not exists (select from known k where k.monitor_no = l.monitor_no and k.slot = l.slot)
     order by l.monitor_no, l.slot
  ), packed as (${packed}
  ), marked as (
    insert into late_hours (monitor_no, hour)
    select distinct monitor_no, date_trunc('hour', slot, 'UTC') from added order by 1, 2
    on conflict (monitor_no, hour) do update set hour = excluded.hour
    returning 1)
  select (select count(*) from added) as count, (select count(*) from packed) as packs,
         (select count(*) from marked) as hours`

/** Runs it for each of the days, all that `values` have. Returns how many results were added: each only once. */
export async function mergeLate(
  tx: Tx,
  merge: Statement,
  days: readonly Date[],
  values: readonly unknown[],
): Promise<number> {
  let added = 0
  for (const from of days) {
    const period = [from, new Date(from.getTime() + DAY_MS)]
    const [row] = await tx.query<{ count: number }>(merge, [...values, ...period])
    added += row?.count ?? 0
  }
  return added
}
