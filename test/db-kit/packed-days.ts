// Past days with results, and the packing of them.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../../src/store/core/db.ts'
import { packResults } from '../../src/store/history/packing.ts'

const DAY_MS = 86_400_000
const MAX_BATCHES = 5_000
// Several times as long as a test takes.
const NEARLY_MIDNIGHT_MS = 20_000

/** Midnight UTC, that many days ago. Days are packed from the second day on. */
export function midnight(daysAgo: number): Date {
  return new Date((Math.floor(Date.now() / DAY_MS) - daysAgo) * DAY_MS)
}

/** Waits if it is nearly midnight: two days ago would become another day while a test runs. */
export async function passMidnight(): Promise<void> {
  const leftMs = midnight(-1).getTime() - Date.now()
  if (leftMs < NEARLY_MIDNIGHT_MS) await sleep(leftMs + 1)
}

/** Only days that are rolled up are packed, and the migrated database may be one of yesterday. */
export async function rollUpTo({ admin }: { admin: pg.Client }, daysAgo: number): Promise<void> {
  await admin.query(`update upkeep_progress set period = $1 where task in ('HOURS', 'DAYS')`, [
    midnight(daysAgo),
  ])
}

export type StoredResult = {
  /** Microseconds after midnight. */
  us: number
  kind: number
  verdict: number
  responseMs: number | null
  statusCode: number | null
  region: number | null
  detail: number | null
}

const INSERT = `
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
  select $1, $2::timestamptz + u.us * interval '1 microsecond', u.kind, u.verdict, u.ms, u.status, u.region, u.detail
    from unnest($3::bigint[], $4::smallint[], $5::smallint[], $6::integer[], $7::smallint[], $8::smallint[],
                $9::integer[]) as u (us, kind, verdict, ms, status, region, detail)`

/** Inserts rows of one monitor's day, and creates its partition if it is missing. */
export async function insertDay(
  admin: pg.Client,
  monitorNo: number,
  day: Date,
  rows: readonly StoredResult[],
): Promise<void> {
  await admin.query('select ensure_partitions($1::date, 1)', [day.toISOString().slice(0, 10)])
  const column = <K extends keyof StoredResult>(name: K) => rows.map((row) => row[name])
  await admin.query(INSERT, [
    monitorNo,
    day,
    column('us'),
    column('kind'),
    column('verdict'),
    column('responseMs'),
    column('statusCode'),
    column('region'),
    column('detail'),
  ])
}

const READ = `
  select slot::text, kind, verdict, response_ms, status_code, region, detail
    from (select * from results where monitor_no = $1 and slot >= $2 and slot < $3
          union all
          select * from packed_results($1::bigint, $2::timestamptz, $3::timestamptz)) r
   order by slot, response_ms`

/** Every result of a monitor in a period, however it is stored, to the microsecond. */
export async function readResults(
  client: pg.Client,
  monitorNo: number,
  [from, to]: readonly [Date, Date],
): Promise<unknown[]> {
  return (await client.query(READ, [monitorNo, from, to])).rows
}

/** Packs everything that can be packed. Returns the number of results. */
export async function packAll(engine: Database, rows = 1_000): Promise<number> {
  let packed = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { idle, results } = await packResults(engine, rows)
    if (idle) return packed
    packed += results
  }
  throw new Error('Packing does not end')
}
