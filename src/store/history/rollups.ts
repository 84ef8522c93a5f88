// Counts and response times by hour and by day, aggregated from the raw results. A batch is one transaction that locks
// its task's row in upkeep_progress. No other process builds meanwhile, and a crash repeats only one batch.
import { type Database, type Db, type Statement, sql, type Tx } from '../core/db.ts'
import { recorded } from './recorded.ts'
import { VERDICT_CODE } from './results.ts'

/** `idle`: nothing is ready to build, or another janitor is building. */
export type RollupResult = { idle: boolean; rows: number }

const IDLE: RollupResult = { idle: true, rows: 0 }

const code = (verdict: keyof typeof VERDICT_CODE) => ({ text: String(VERDICT_CODE[verdict]) })
const passed = sql`verdict in (${code('PASSED')}, ${code('SLOW')})`
const counted = sql`verdict <> ${code('SUPERSEDED')}`

// Response times of passed checks only: the time until a failure says nothing about speed.
const summary = sql`
  select count(*) filter (where ${passed}) as ok,
         count(*) filter (where verdict = ${code('FAILED')}) as failed,
         count(*) filter (where verdict = ${code('INCONCLUSIVE')}) as inconclusive,
         percentile_disc(array[0.5, 0.95]) within group (order by response_ms)
           filter (where ${passed}) as percentiles,
         max(response_ms) filter (where ${passed}) as max_ms`

const columns = sql`ok, failed, inconclusive, p50_ms, p95_ms, max_ms`
const values = sql`s.ok, s.failed, s.inconclusive, s.percentiles[1], s.percentiles[2], s.max_ms`

// Rebuilding an unchanged period writes nothing.
const upsert = sql`
  do update set (${columns}) = (excluded.ok, excluded.failed, excluded.inconclusive,
                                excluded.p50_ms, excluded.p95_ms, excluded.max_ms)
   where (t.ok, t.failed, t.inconclusive, t.p50_ms, t.p95_ms, t.max_ms)
         is distinct from (excluded.ok, excluded.failed, excluded.inconclusive,
                           excluded.p50_ms, excluded.p95_ms, excluded.max_ms)`

// What is built the first time is never packed; what is built again may be.
type Source = 'ROWS' | 'RECORDED'
const resultsOf = (source: Source, from: { text: string }, hours: number) => {
  const monitorNo = { text: 'b.monitor_no' }
  const before = { text: `${from.text} + interval '${hours} hours'` }
  if (source === 'RECORDED') return sql`${recorded({ monitorNo, from, before })} r where ${counted}`
  return sql`
    results r where r.monitor_no = ${monitorNo} and r.slot >= ${from} and r.slot < ${before} and ${counted}`
}

const hoursFrom = (source: Source) => sql`
  insert into result_hours as t (monitor_no, hour, ${columns})
  select b.monitor_no, b.hour, ${values}
    from batch b cross join lateral (
      ${summary}
        from ${resultsOf(source, { text: 'b.hour' }, 1)}
      having count(*) > 0) s
   order by b.monitor_no, b.hour
  on conflict (monitor_no, hour) ${upsert}`

const daysFrom = (source: Source) => sql`
  insert into result_days as t (monitor_no, day, ${columns})
  select b.monitor_no, (b.day at time zone 'UTC')::date, ${values}
    from batch b cross join lateral (
      ${summary}
        from ${resultsOf(source, { text: 'b.day' }, 24)}
      having count(*) > 0) s
   order by b.monitor_no, b.day
  on conflict (monitor_no, day) ${upsert}`

const monitorsAfter = sql`select no from monitors where no > $2 order by no limit $3`
const outcome = sql`
  select count(*) as monitors, max(monitor_no) as "lastNo", (select count(*) from built) as rows from batch`

const BUILD_HOURS = sql`
  with batch as materialized (select no as monitor_no, $1::timestamptz as hour from (${monitorsAfter}) m),
       built as (${hoursFrom('ROWS')} returning 1)
  ${outcome}`
const BUILD_DAYS = sql`
  with batch as materialized (select no as monitor_no, $1::timestamptz as day from (${monitorsAfter}) m),
       built as (${daysFrom('ROWS')} returning 1)
  ${outcome}`

type Progress = { period: Date; afterNo: number }
type Outcome = { monitors: number; lastNo: number | null; rows: number }

// A period is built ten minutes after it ends. A day also waits until all its hours are built.
const LOCK_HOURS = sql`
  select period, after_monitor_no as "afterNo" from upkeep_progress
   where task = 'HOURS' and period + interval '70 minutes' <= now() for update skip locked`
const LOCK_DAYS = sql`
  select period, after_monitor_no as "afterNo" from upkeep_progress
   where task = 'DAYS' and period + interval '24 hours 10 minutes' <= now()
     and period + interval '24 hours' <= (select h.period from upkeep_progress h where h.task = 'HOURS')
     for update skip locked`
const ADVANCE = sql`update upkeep_progress set after_monitor_no = $2 where task = $1`
const FINISH = sql`
  update upkeep_progress set after_monitor_no = 0, period = period + make_interval(hours => $2) where task = $1`

type RollupTask = { task: 'HOURS' | 'DAYS'; hours: number; lock: Statement; build: Statement }
const HOURS: RollupTask = { task: 'HOURS', hours: 1, lock: LOCK_HOURS, build: BUILD_HOURS }
const DAYS: RollupTask = { task: 'DAYS', hours: 24, lock: LOCK_DAYS, build: BUILD_DAYS }

/** Builds the next `monitors` monitors of the oldest hour that is ready. */
export function buildHours(database: Database, monitors: number): Promise<RollupResult> {
  return build(database, HOURS, monitors)
}

/** The same for days. A day holds the results of 24 hours, so use smaller batches. */
export function buildDays(database: Database, monitors: number): Promise<RollupResult> {
  return build(database, DAYS, monitors)
}

function build(database: Database, task: RollupTask, monitors: number): Promise<RollupResult> {
  return database.transaction(undefined, async (tx) => {
    const [progress] = await tx.query<Progress>(task.lock)
    if (progress === undefined) return IDLE
    const [built] = await tx.query<Outcome>(task.build, [
      progress.period,
      progress.afterNo,
      monitors,
    ])
    if (built === undefined) throw new Error('A build has an outcome')
    if (built.monitors < monitors) await tx.query(FINISH, [task.task, task.hours])
    else await tx.query(ADVANCE, [task.task, built.lastNo])
    return { idle: false, rows: built.rows }
  })
}

// Stops both tasks: one of their batches that began earlier would overwrite what is built here.
const LOCK_TASKS = sql`
  select task from upkeep_progress where task in ('HOURS', 'DAYS') order by task for update skip locked`
const CLAIM_LATE = sql`
  delete from late_hours where (monitor_no, hour) in (
    select monitor_no, hour from late_hours order by monitor_no, hour limit $1 for update skip locked)
  returning monitor_no as "monitorNo", hour`

// The current day is built after it ends. Deleted monitors have nothing to roll up.
const REBUILD_HOURS = sql`
  with batch as materialized (
         select u.monitor_no, u.hour from unnest($1::bigint[], $2::timestamptz[]) as u (monitor_no, hour)
           join monitors m on m.no = u.monitor_no),
       built as (${hoursFrom('RECORDED')} returning 1)
  select count(*) as rows from built`
const REBUILD_DAYS = sql`
  with batch as materialized (
         select distinct u.monitor_no, date_trunc('day', u.hour, 'UTC') as day
           from unnest($1::bigint[], $2::timestamptz[]) as u (monitor_no, hour)
           join monitors m on m.no = u.monitor_no
          where u.hour < date_trunc('day', now(), 'UTC')),
       built as (${daysFrom('RECORDED')} returning 1)
  select count(*) as rows from built`

/** Rebuilds up to `limit` hours that received late results, and their days. */
export function rebuildLate(database: Database, limit: number): Promise<RollupResult> {
  return database.transaction(undefined, async (tx) => {
    if ((await tx.query(LOCK_TASKS)).length < 2) return IDLE
    const late = await tx.query<{ monitorNo: number; hour: Date }>(CLAIM_LATE, [limit])
    if (late.length === 0) return IDLE
    const marks = [late.map(({ monitorNo }) => monitorNo), late.map(({ hour }) => hour)]
    const rows =
      (await rebuild(tx, REBUILD_HOURS, marks)) + (await rebuild(tx, REBUILD_DAYS, marks))
    return { idle: false, rows }
  })
}

async function rebuild(tx: Tx, statement: Statement, marks: unknown[]): Promise<number> {
  const [built] = await tx.query<{ rows: number }>(statement, marks)
  return built?.rows ?? 0
}

const LAG = sql`
  select extract(epoch from now() - period) as seconds from upkeep_progress where task = 'HOURS'`

/** Age of the oldest hour that is not built. Its build starts at 1 h 10 min. */
export async function rollupLagSeconds(db: Db): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(LAG)
  return Number(row?.seconds ?? 0)
}
