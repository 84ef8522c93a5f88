// The raw history: one compact row per slot. Only this file maps names to small numbers.
import type { ResultKind } from '../../domain/incidents/apply-result.ts'
import type { EvidenceTimings } from '../../domain/incidents/evidence.ts'
import type { CauseCode } from '../../domain/incidents/incident.ts'
import type { Fate } from '../../domain/monitors/monitor-state.ts'
import type { MissedRange } from '../../domain/monitors/schedule.ts'
import type { Verdict } from '../../domain/monitors/verdict.ts'
import { insertMany } from '../core/columns.ts'
import { type Db, isDeadlock, sql, type Tx } from '../core/db.ts'
import { isUniqueViolation } from '../core/unique-violation.ts'
import { type BatchColumn, bigints, instants, integers, smallints } from '../wire/batch-values.ts'
import { CopyFormat } from '../wire/copy-format.ts'
import { lockPacking, mergeLate, mergeOf, repackLate } from './late-results.ts'
import { packDetail } from './result-detail.ts'

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

const DAY_MS = 86_400_000
// The trigger marks results for an hour that ended at least five minutes ago.
const MAYBE_LATE_MS = 5 * 60_000
// Days are packed from the second midnight after them. An hour is for transactions that take long.
const MAYBE_PACKED_MS = 23 * 3_600_000
const FIELDS = 8
const MAX_ROW_BYTES = 2 + FIELDS * 4 + 32

export type ResultRow = {
  monitorNo: number
  slot: Date
  kind: ResultKind
  verdict: Verdict
  fate: Fate
  responseMs: number | null
  statusCode: number | null
  regionNo: number | null
  causeCode: CauseCode | null
  timings: EvidenceTimings | null
}

const columns = sql`monitor_no, slot, kind, verdict, response_ms, status_code, region, detail`
const insert = sql`
  insert into results (${columns})
  select u.* from unnest($1::bigint[], $2::timestamptz[], $3::smallint[], $4::smallint[], $5::integer[],
                         $6::smallint[], $7::smallint[], $8::integer[])
      as u (${columns})`

// A recorded slot keeps its result, so that a repeated run does not record it twice. A superseded result is dropped if
// the change that superseded it already wrote its slot off.
const SUPERSEDED = { text: String(VERDICT_CODE.SUPERSEDED) }
const isWanted = sql`
  (u.verdict <> ${SUPERSEDED} or not exists (
     select from missed m where m.monitor_no = u.monitor_no and u.slot between m.from_slot and m.to_slot))`
const INSERT = sql`
  ${insert} where ${isWanted}
  on conflict (monitor_no, slot) do nothing`

export async function insertResults(tx: Tx, rows: readonly ResultRow[]): Promise<void> {
  if (rows.length === 0) return
  if (isMaybePacked(tx, rows)) await insertLate(tx, rows)
  else await tx.query(INSERT, toValues(rows))
}

// Rows of packed days go to their packs.
const INSERT_UNPACKED = sql`
  with added as (
    ${insert} where ${isWanted}
        and not exists (select from packed_days d where d.day = (u.slot at time zone 'UTC')::date)
    on conflict (monitor_no, slot) do nothing
    returning 1)
  select count(*) as count from added`
const MERGE = mergeOf(isWanted)

function isMaybePacked({ now }: Tx, rows: readonly ResultRow[]): boolean {
  const oldestMs = now.getTime() - MAYBE_PACKED_MS
  return rows.some(({ slot }) => slot.getTime() < oldestMs)
}

/** Returns how many were not recorded before. */
async function insertLate(tx: Tx, rows: readonly ResultRow[]): Promise<number> {
  const values = toValues(rows)
  const packing = await lockPacking(tx)
  const [added] = await tx.query<{ count: number }>(INSERT_UNPACKED, values)
  await repackLate(tx, packing, values)
  const days = new Set(rows.map(({ slot }) => toDay(slot) * DAY_MS))
  const midnights = [...days].map((ms) => new Date(ms))
  return (added?.count ?? 0) + (await mergeLate(tx, MERGE, midnights, values))
}

/** A slot of a packed day is recorded already. */
class AlreadyRecorded extends Error {}

/**
 * Inserts results of slots that are not recorded yet, at half the cost. A recorded slot fails as a collision. Today's
 * rows go straight into their partition, which bypasses the trigger that marks late results, so rows that may be late
 * use the regular insert.
 */
export async function insertNewResults(tx: Tx, rows: readonly ResultRow[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const day = toDay(first.slot)
  const oldestMs = tx.now.getTime() - MAYBE_LATE_MS
  const isOfToday = rows.every(({ slot }) => toDay(slot) === day && slot.getTime() > oldestMs)
  if (isOfToday && tx.copy) return tx.copy(copyInto(day), toCopy(rows))
  if (!isMaybePacked(tx, rows)) await tx.query(insert, toValues(rows))
  else if ((await insertLate(tx, rows)) < rows.length) throw new AlreadyRecorded()
}

const toDay = (at: Date) => Math.floor(at.getTime() / DAY_MS)

function copyInto(day: number): string {
  const name = new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
  return `copy results_${name} (${columns.text}) from stdin (format binary)`
}

function toCopy(rows: readonly ResultRow[]): Buffer {
  const copy = new CopyFormat(rows.length, MAX_ROW_BYTES)
  for (const row of rows) {
    copy.row(FIELDS)
    copy.bigint(row.monitorNo)
    copy.instant(row.slot)
    copy.smallint(KIND_CODE[row.kind])
    copy.smallint(verdictCode(row))
    copy.integer(row.responseMs)
    copy.smallint(row.statusCode)
    copy.smallint(row.regionNo)
    copy.integer(detailOf(row))
  }
  return copy.end()
}

function verdictCode({ fate, verdict }: ResultRow): number {
  return VERDICT_CODE[fate === 'SUPERSEDED' ? 'SUPERSEDED' : verdict]
}

function detailOf(row: ResultRow): number | null {
  return packDetail(verdictCode(row) === VERDICT_CODE.FAILED, row.causeCode, row.timings)
}

/** Another transaction inserted the row first, or this one lost a deadlock. */
export function isCollision(error: unknown): boolean {
  return error instanceof AlreadyRecorded || isDeadlock(error) || isUniqueViolation(error)
}

function toValues(rows: readonly ResultRow[]): BatchColumn[] {
  const column = <V>(value: (row: ResultRow) => V) => rows.map(value)
  return [
    bigints(column((row) => row.monitorNo)),
    instants(column((row) => row.slot)),
    smallints(column((row) => KIND_CODE[row.kind])),
    smallints(column(verdictCode)),
    integers(column((row) => row.responseMs)),
    smallints(column((row) => row.statusCode)),
    smallints(column((row) => row.regionNo)),
    integers(column(detailOf)),
  ]
}

type MissedReason = 'ENGINE_DOWN' | 'OVERLAP' | 'ORG_CAP' | 'NO_PROBE' | 'SUBSCRIPTION'
export type MissedSlots = MissedRange & { reason: MissedReason }
export type MissedRow = MissedSlots & { monitorNo: number }

export const insertMissed = insertMany<MissedRow>(
  'missed',
  {
    monitor_no: ['bigint', ({ monitorNo }) => monitorNo],
    from_slot: ['timestamptz', ({ fromSlot }) => fromSlot],
    to_slot: ['timestamptz', ({ toSlot }) => toSlot],
    count: ['integer', ({ count }) => count],
    reason: ['text', ({ reason }) => reason],
  },
  sql`on conflict (monitor_no, from_slot) do nothing`,
)

const REGION = sql`
  with made as (insert into regions (name) values ($1) on conflict (name) do nothing returning no)
  select no from made union all select no from regions where name = $1 limit 1`

/** The small number of a region in the history. */
export async function regionNo(db: Db, name: string): Promise<number> {
  for (;;) {
    const [row] = await db.query<{ no: number }>(REGION, [name])
    // Two processes may insert a new region at once; the second finds it on its next try.
    if (row !== undefined) return row.no
  }
}
