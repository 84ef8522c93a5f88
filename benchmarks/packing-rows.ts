// Past days of results for the packing benchmark, and what they cost before and after.
import type pg from 'pg'

// Packing begins with the day before yesterday.
const FIRST_DAY = 2
// Rows of no monitor: the table has no foreign key.
const BARE_FROM = 1_000_000_000

const PARTITIONS = `
  select ensure_partitions((now() at time zone 'UTC')::date - $1::integer, $2::integer)`

// Minute by minute, with monitors in random order, as checks arrive. Response times vary around a level of each monitor;
// phases are bytes as in store/history/result-detail.ts. One check in 500 fails.
const FILL = `
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
  select m.no, d.midnight + n * interval '1 minute' + m.no * 7919 % 60000 * interval '1 millisecond', 0,
         case when c.failed then 2 when c.ms > 2000 then 1 else 0 end,
         case when c.failed then null else c.ms end, case when c.failed then 503 else 200 end, 1,
         (c.dns | (c.connect << 8) | (c.tls << 16) | (case when c.failed then 11 else c.wait end << 24))
    from (select date_trunc('day', now(), 'UTC') - $1::integer * interval '1 day' as midnight) d,
         generate_series(0, 1439) n,
         (select no from monitors) m,
         lateral (
           select random() * m.no < 0 or random() < 0.002 as failed,
                  (40 + m.no % 200 + 20 * exp(2 * (random() + random() + random() - 1.5) + n * 0))::integer as ms,
                  (random() * 3)::integer as dns, 8 + (random() * random() * 24)::integer as connect,
                  18 + (random() * random() * 30)::integer as tls, 30 + (random() * 40)::integer as wait) c
   order by n, c.ms % 7, c.wait`

/** A result of every monitor in every minute of these days. */
export async function fillDays(client: pg.Client, days: number): Promise<void> {
  await client.query(`set timezone to 'UTC'`)
  await client.query(PARTITIONS, [FIRST_DAY + days - 1, days])
  await client.query('alter table results disable trigger mark_late_results')
  for (let ago = FIRST_DAY; ago < FIRST_DAY + days; ago++) await client.query(FILL, [ago])
  await client.query('alter table results enable trigger mark_late_results')
  await client.query(`
    update upkeep_progress set after_monitor_no = 0, period = date_trunc('day', now(), 'UTC')
     where task in ('HOURS', 'DAYS')`)
  await client.query('vacuum analyze results')
}

type Size = { bytes: number; results: number }

/** With indexes, as they are before they are packed. */
export async function measureRows(client: pg.Client, days: number): Promise<Size> {
  const { rows } = await client.query<Size>(
    `select (select sum(pg_total_relation_size(inhrelid)) from pg_inherits
              where inhparent = 'results'::regclass
                and to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD')
                    between (now() at time zone 'UTC')::date - $1::integer
                        and (now() at time zone 'UTC')::date - ${FIRST_DAY})::float8 as bytes,
            (select count(*) from results where slot < date_trunc('day', now(), 'UTC') - interval '1 day')::float8 as results`,
    [FIRST_DAY + days - 1],
  )
  return one(rows)
}

/** With indexes and what PostgreSQL stores out of line. */
export async function measurePacks(client: pg.Client): Promise<Size & { compression: string }> {
  const { rows } = await client.query<Size & { compression: string }>(
    `select (select sum(pg_total_relation_size(inhrelid)) from pg_inherits
              where inhparent = 'result_packs'::regclass)::float8 as bytes,
            (select sum(results) from result_packs)::float8 as results,
            (select coalesce(pg_column_compression(codes), 'none') from result_packs limit 1) as compression`,
  )
  return one(rows)
}

/** Over every column of every result, however it is stored. */
export async function checksum(client: pg.Client, days: number): Promise<string> {
  const { rows } = await client.query<{ sum: string }>(
    `select md5(string_agg(h.hash, ',' order by h.no)) as sum from (
       select m.no, md5(string_agg(r::text, ',' order by r.slot, r::text)) as hash
         from (select date_trunc('day', now(), 'UTC') as today) t
        cross join monitors m
        cross join lateral (
          select * from results
           where monitor_no = m.no and slot >= t.today - $1::integer * interval '1 day'
             and slot < t.today - interval '1 day'
          union all
          select * from packed_results(m.no, t.today - $1::integer * interval '1 day', t.today - interval '1 day')) r
        group by m.no) h`,
    [FIRST_DAY + days - 1],
  )
  return one(rows).sum
}

export async function walPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  )
  return one(rows).bytes
}

export const INTO = (table: string) =>
  `${table} (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)`

/** A batch of results of today, as COPY reads them. */
export function bareRows(batch: number, count: number): string {
  const slot = new Date(Date.now() - 1000).toISOString()
  const first = BARE_FROM + batch * count
  return Array.from(
    { length: count },
    (_, n) => `${first + n}\t${slot}\t0\t0\t${50 + ((n * 37) % 200)}\t200\t1\t${n * 65_793}\n`,
  ).join('')
}

function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('An aggregate has one row')
  return row
}
