// How a monitor's day of results becomes one row of arrays. `packed_results` in migration 0050 is the other direction.
//
// Every array holds values that repeat, or single bytes. Slots lie on a grid, so the gaps between them are equal; kind,
// verdict, status and region rarely change. PostgreSQL compresses these to almost nothing. Response times and phases are
// noise that no compression reduces, so each is split into bytes: those that vary cost one byte, and the others nothing.
import { type Statement, sql } from '../core/db.ts'

type Fragment = { readonly text: string }

const columns = sql`results, verdict_bits, gaps, codes, ms_high, ms_low, detail_0, detail_1, detail_2, detail_3`

// PostgreSQL's one-byte type holds -128 to 127.
const byte = (value: string, bits: number): Fragment => ({
  text: `(((coalesce(${value}, 0) >> ${bits}) & 255) - 128)::"char"`,
})

const code = sql`
  s.kind::bigint | (s.verdict::bigint << 8)
  | (case when s.response_ms is null then 0 else 65536 end)::bigint
  | (case when s.detail is null then 0 else 131072 end)::bigint
  | (coalesce(s.status_code + 32769, 0)::bigint << 18)
  | (coalesce(s.region + 32769, 0)::bigint << 35)`

/**
 * Writes one pack for each monitor in `rows`, and replaces the one that exists. All rows must be of the day that begins at
 * `midnight`. Deleted monitors get none. Returns the number of results in each pack.
 */
export function writePacks(rows: Fragment, midnight: Fragment): Statement {
  return sql`
    insert into result_packs (monitor_no, day, ${columns})
    select * from (
      select g.monitor_no, (${midnight} at time zone 'UTC')::date as day, count(*)::integer as results,
             bit_or(1::bigint << least(g.verdict::integer, 62)) as verdict_bits,
             array_agg(g.since_us - g.previous_us) as gaps, array_agg(g.code) as codes,
             array_agg(g.ms_high) as ms_high, array_agg(g.ms_low) as ms_low,
             array_agg(g.detail_0) as detail_0, array_agg(g.detail_1) as detail_1,
             array_agg(g.detail_2) as detail_2, array_agg(g.detail_3) as detail_3
        from (
          select r.*, lag(r.since_us, 1, 0::bigint) over (partition by r.monitor_no order by r.slot) as previous_us
            from (
              select s.monitor_no, s.slot, s.verdict,
                     (date_part('epoch', s.slot - ${midnight}) * 1000000)::bigint as since_us,
                     ${code} as code,
                     coalesce(s.response_ms, 0) >> 8 as ms_high,
                     ${byte('s.response_ms', 0)} as ms_low,
                     ${byte('s.detail', 0)} as detail_0, ${byte('s.detail', 8)} as detail_1,
                     ${byte('s.detail', 16)} as detail_2, ${byte('s.detail', 24)} as detail_3
                from (${rows}) s) r) g
       group by g.monitor_no) p
     where exists (select from monitors m where m.no = p.monitor_no)
    on conflict (monitor_no, day) do update set (${columns}) = (
      excluded.results, excluded.verdict_bits, excluded.gaps, excluded.codes, excluded.ms_high,
      excluded.ms_low, excluded.detail_0, excluded.detail_1, excluded.detail_2, excluded.detail_3)
    returning results`
}
