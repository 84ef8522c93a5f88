// What the database says at the end: which slots ran, and how large and loose its tables have become.
import type pg from 'pg'
import type { Filled } from './fill.ts'

/** Of the slots of checked monitors in a period. CRON monitors have no slots. */
export type SlotTally = { due: number; done: number; passed: number; missed: number }

const PHASE = `(('x' || right(replace(m.id::text, '-', ''), 12))::bit(48)::bigint % (m.interval_seconds * 1000))`
const OWN = `
  own as materialized (
    select m.no, m.interval_seconds * 1000 as step, ${PHASE} as phase from monitors m
     where m.no between $3 and $4 and m.org_id <> all ($5::uuid[]) and m.type <> 'CRON')`
const TALLY = `
  with ${OWN}
  select (select sum(ceil(($2::bigint - phase)::numeric / step) - ceil(($1::bigint - phase)::numeric / step))
            from own)::integer as due,
         count(*)::integer as done, count(*) filter (where r.verdict = 0)::integer as passed,
         coalesce((select sum(x.count) from missed x join own on own.no = x.monitor_no
                    where x.from_slot < to_timestamp($2 / 1000.0)
                      and x.to_slot >= to_timestamp($1 / 1000.0)), 0)::integer as missed
    from results r join own on own.no = r.monitor_no
   where r.slot >= to_timestamp($1 / 1000.0) and r.slot < to_timestamp($2 / 1000.0) and r.kind = 0`
const PINGS = `
  select count(*)::integer as count from results
   where kind = 2 and slot >= to_timestamp($1 / 1000.0) and monitor_no between $2 and $3`
const SCHEDULED =
  'select count(*)::integer as count from monitor_states where next_due_at is not null'

export type Period = { from: Date; to: Date }

/** Without the organizations that were paused or deleted. */
export async function tallyRun(
  client: pg.Client,
  { firstNo, lastNo, organizations }: Filled,
  { from, to }: Period,
): Promise<SlotTally> {
  const without = organizations.slice(0, 2)
  const values = [from.getTime(), to.getTime(), firstNo, lastNo, without]
  const { rows } = await client.query<SlotTally>(TALLY, values)
  const [tally] = rows
  if (tally === undefined) throw new Error('no tally')
  return tally
}

export async function countPings(
  client: pg.Client,
  { firstNo, lastNo }: Filled,
  from: Date,
): Promise<number> {
  return countOf(client, PINGS, [from.getTime(), firstNo, lastNo])
}

export function countScheduled(client: pg.Client): Promise<number> {
  return countOf(client, SCHEDULED, [])
}

async function countOf(client: pg.Client, text: string, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ count: number }>(text, values)
  return rows[0]?.count ?? 0
}

export type TableFigures = {
  table: string
  rows: number
  deadRows: number
  hotShare: number
  autovacuums: number
  bytes: number
  vacuumSeconds: number
  /** Size divided by the size of the same rows when rewritten. */
  bloat: number
}

const STATISTICS = `
  select n_live_tup::float as rows, n_dead_tup::float as "deadRows", autovacuum_count::integer as autovacuums,
         coalesce(n_tup_hot_upd::float / nullif(n_tup_upd, 0), 0) as "hotShare",
         pg_total_relation_size(relid)::float as bytes
    from pg_stat_user_tables where relname = $1`
const SIZE = `select pg_total_relation_size(to_regclass($1))::float as bytes`

/** Vacuums each table as autovacuum would, then rewrites it to learn how much of it was air. Nothing may run meanwhile. */
export async function readTables(client: pg.Client): Promise<TableFigures[]> {
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const names = ['monitors', 'monitor_states', 'state_spans', `results_${today}`]
  const figures: TableFigures[] = []
  for (const name of names) figures.push(await readTable(client, name))
  return figures
}

async function readTable(client: pg.Client, table: string): Promise<TableFigures> {
  type Statistics = Omit<TableFigures, 'table' | 'vacuumSeconds' | 'bloat'>
  const { rows } = await client.query<Statistics>(STATISTICS, [table])
  const [statistics] = rows
  if (statistics === undefined) throw new Error(`There is no table ${table}`)
  const startMs = performance.now()
  await client.query(`vacuum analyze ${table}`)
  const vacuumSeconds = (performance.now() - startMs) / 1000
  await client.query(`vacuum full ${table}`)
  const { rows: sizes } = await client.query<{ bytes: number }>(SIZE, [table])
  const bloat = statistics.bytes / (sizes[0]?.bytes ?? Number.NaN)
  return { table, ...statistics, vacuumSeconds, bloat }
}
