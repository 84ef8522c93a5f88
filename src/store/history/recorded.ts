// Results are rows of `results` until their day is packed, and arrays in `result_packs` from then on. Readers use these
// fragments, which find both. `results` must be part of the reading statement: its lock is what makes the change from one
// to the other invisible (migration 0050).
import { type Statement, sql } from '../core/db.ts'

type Fragment = { readonly text: string }
type Period = {
  monitorNo: Fragment
  /** Included. */
  from: Fragment
  /** Excluded. */
  before: Fragment
}

/** One monitor's results in a period, in no order. The columns are those of `results`. */
export function recorded({ monitorNo, from, before }: Period): Statement {
  return sql`(
    select * from results where monitor_no = ${monitorNo} and slot >= ${from} and slot < ${before}
    union all
    select * from packed_results(${monitorNo}, ${from}, ${before}))`
}

type Newest = Period & {
  /** Null selects all. */
  verdicts: Fragment
  limit: Fragment
  /** Only results that have a region. */
  isPlaced?: boolean
}

/** The newest of them, newest first. Packs are not read if enough rows are newer. */
export function newestRecorded(page: Newest): Statement {
  const { monitorNo, from, before, verdicts, limit, isPlaced = false } = page
  const placed = { text: isPlaced ? 'and region is not null' : '' }
  return sql`(
    with fresh as materialized (
      select * from results
       where monitor_no = ${monitorNo} and slot >= ${from} and slot < ${before}
         and (${verdicts} is null or verdict = any (${verdicts})) ${placed}
       order by slot desc limit ${limit})
    select * from (
      select * from fresh
      union all
      select * from packed_results(${monitorNo},
        case when (select count(*) from fresh) < ${limit} then ${from} else (select min(slot) from fresh) end,
        ${before}, ${verdicts}, ${limit}, ${{ text: String(isPlaced) }})) found
     order by slot desc limit ${limit})`
}
