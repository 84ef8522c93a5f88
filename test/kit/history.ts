// Inserts history that the engine would need weeks to record.
import type { Database } from './database.ts'
import { toUuid } from './ids.ts'

const no = `(select no from monitors where id = $1)`

type SeedSpan = { state: string; from: Date; to: Date | null }

/** Replaces the monitor's spans. */
export async function seedSpans(db: Database, monitorId: string, spans: readonly SeedSpan[]) {
  const id = toUuid(monitorId)
  await db.run(`delete from state_spans where monitor_no = ${no}`, [id])
  for (const { state, from, to } of spans)
    await db.run(
      `insert into state_spans (monitor_no, state, started_at, ended_at) values (${no}, $2, $3, $4)`,
      [id, state, from, to],
    )
}

type SeedHour = { hour: Date; ok: number; failed?: number; p50: number; p95: number }

export async function seedHour(db: Database, monitorId: string, seed: SeedHour): Promise<void> {
  const { hour, ok, failed = 0, p50, p95 } = seed
  await db.run(
    `insert into result_hours (monitor_no, hour, ok, failed, inconclusive, p50_ms, p95_ms, max_ms)
     values (${no}, $2, $3, $4, 0, $5, $6, $6 * 2)`,
    [toUuid(monitorId), hour, ok, failed, p50, p95],
  )
}

/** A whole UTC day. */
export async function seedDay(
  db: Database,
  monitorId: string,
  seed: { daysAgo: number; p95: number },
) {
  await db.run(
    `insert into result_days (monitor_no, day, ok, failed, inconclusive, p50_ms, p95_ms, max_ms)
     values (${no}, (now() at time zone 'UTC')::date - $2::integer, 1440, 0, 0, $3, $3, $3)`,
    [toUuid(monitorId), seed.daysAgo, seed.p95],
  )
}

type SeedResult = {
  at: Date
  /** The codes of the results table: 0 passed, 2 failed, 3 inconclusive. */
  verdict?: 0 | 1 | 2 | 3 | 4
  responseMs?: number | null
  statusCode?: number | null
}

/** Results of scheduled checks; their day must have a partition (yesterday or later). */
export async function seedResults(db: Database, monitorId: string, seeds: readonly SeedResult[]) {
  for (const { at, verdict = 0, responseMs = 20, statusCode = 200 } of seeds)
    await db.run(
      `insert into results (monitor_no, slot, kind, verdict, response_ms, status_code)
       values (${no}, $2, 0, $3, $4, $5)`,
      [toUuid(monitorId), at, verdict, responseMs, statusCode],
    )
}

export async function seedWindowSpan(
  db: Database,
  monitorId: string,
  windowId: string,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  await db.run(
    `insert into maintenance_spans (monitor_no, window_id, started_at, ended_at) values (${no}, $2, $3, $4)`,
    [toUuid(monitorId), toUuid(windowId), from, to],
  )
}
