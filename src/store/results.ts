// The raw history: one lean row per slot. Words become small numbers here and nowhere else.
import type { ResultKind } from '../domain/landing.ts'
import type { Fate } from '../domain/monitor-state.ts'
import type { Verdict } from '../domain/verdict.ts'
import { type Db, sql } from './db.ts'

export const KIND_CODE: Record<ResultKind, number> = {
  SCHEDULED: 0,
  REQUESTED: 1,
  PING: 2,
  DEADLINE: 3,
}
export const VERDICT_CODE: Record<Verdict | 'SUPERSEDED', number> = {
  PASSED: 0,
  SLOW: 1,
  FAILED: 2,
  INCONCLUSIVE: 3,
  SUPERSEDED: 4,
}

export type ResultRow = {
  monitorNo: number
  slot: Date
  kind: ResultKind
  verdict: Verdict
  fate: Fate
  responseMs: number | null
  statusCode: number | null
  regionNo: number | null
}

// A slot that was already recorded stays as it is: re-running it must not tell the story twice. Nor is a
// void result kept whose slot the change that made it void has written off.
const SUPERSEDED = { text: String(VERDICT_CODE.SUPERSEDED) }
const INSERT = sql`
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region)
  select u.* from unnest($1::bigint[], $2::timestamptz[], $3::smallint[], $4::smallint[], $5::integer[],
                         $6::smallint[], $7::smallint[])
      as u (monitor_no, slot, kind, verdict, response_ms, status_code, region)
   where u.verdict <> ${SUPERSEDED} or not exists (
     select from missed m where m.monitor_no = u.monitor_no and u.slot between m.from_slot and m.to_slot)
  on conflict (monitor_no, slot) do nothing`

export async function insertResults(tx: Db, rows: readonly ResultRow[]): Promise<void> {
  const column = <V>(value: (row: ResultRow) => V) => rows.map(value)
  await tx.query(INSERT, [
    column((row) => row.monitorNo),
    column((row) => row.slot),
    column((row) => KIND_CODE[row.kind]),
    column((row) => VERDICT_CODE[row.fate === 'SUPERSEDED' ? 'SUPERSEDED' : row.verdict]),
    column((row) => row.responseMs),
    column((row) => row.statusCode),
    column((row) => row.regionNo),
  ])
}

export type MissedReason = 'ENGINE_DOWN' | 'OVERLAP' | 'ORG_CAP' | 'NO_PROBE' | 'SUBSCRIPTION'
export type MissedRow = {
  monitorNo: number
  fromSlot: Date
  toSlot: Date
  count: number
  reason: MissedReason
}

const INSERT_MISSED = sql`
  insert into missed (monitor_no, from_slot, to_slot, count, reason)
  select * from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::integer[], $5::text[])
  on conflict (monitor_no, from_slot) do nothing`

export async function insertMissed(tx: Db, rows: readonly MissedRow[]): Promise<void> {
  if (rows.length === 0) return
  const column = <V>(value: (row: MissedRow) => V) => rows.map(value)
  await tx.query(INSERT_MISSED, [
    column((row) => row.monitorNo),
    column((row) => row.fromSlot),
    column((row) => row.toSlot),
    column((row) => row.count),
    column((row) => row.reason),
  ])
}

const REGION = sql`
  with made as (insert into regions (name) values ($1) on conflict (name) do nothing returning no)
  select no from made union all select no from regions where name = $1 limit 1`

/** The small number a region has in the history. */
export async function regionNo(db: Db, name: string): Promise<number> {
  for (;;) {
    const [row] = await db.query<{ no: number }>(REGION, [name])
    // Two processes may meet a new region at once; the second sees it at its next look.
    if (row !== undefined) return row.no
  }
}
