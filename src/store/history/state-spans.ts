import type { MonitorState } from '../../domain/monitors/monitor.ts'
import { type Db, sql } from '../core/db.ts'
import type { TenantTx } from '../core/tenants.ts'

const END = sql`
  update state_spans set ended_at = greatest($2, started_at) where monitor_no = $1 and ended_at is null`
// Two changes at the same instant leave one span, with the later state.
const BEGIN = sql`
  insert into state_spans (monitor_no, state, started_at) values ($1, $2, $3)
  on conflict (monitor_no, started_at) do update set state = excluded.state, ended_at = null`
const DELETE = sql`delete from state_spans where monitor_no = $1`

/** Ends the open span, if any, and starts one in `state`. */
export async function beginSpan(
  tx: TenantTx,
  monitorNo: number,
  state: MonitorState,
): Promise<void> {
  await tx.query(END, [monitorNo, tx.now])
  await tx.query(BEGIN, [monitorNo, state, tx.now])
}

export async function deleteSpans(tx: TenantTx, monitorNo: number): Promise<void> {
  await tx.query(DELETE, [monitorNo])
}

const END_MANY = sql`
  update state_spans s set ended_at = greatest(u.at, s.started_at)
    from unnest($1::bigint[], $2::timestamptz[]) as u (monitor_no, at)
   where s.monitor_no = u.monitor_no and s.ended_at is null`
// A span starts where the previous one ended, even if the failure began before that.
const BEGIN_MANY = sql`
  insert into state_spans (monitor_no, state, started_at)
  select u.monitor_no, u.state, greatest(u.at, (select max(ended_at) from state_spans p where p.monitor_no = u.monitor_no))
    from unnest($1::bigint[], $2::timestamptz[], $3::text[]) as u (monitor_no, at, state)
  on conflict (monitor_no, started_at) do update set state = excluded.state, ended_at = null`

export type SpanRow = { monitorNo: number; state: MonitorState; at: Date }

/** Records one state change for each monitor. */
export async function beginSpans(tx: Db, rows: readonly SpanRow[]): Promise<void> {
  if (rows.length === 0) return
  const numbers = rows.map((row) => row.monitorNo)
  const instants = rows.map((row) => row.at)
  await tx.query(END_MANY, [numbers, instants])
  await tx.query(BEGIN_MANY, [numbers, instants, rows.map((row) => row.state)])
}
