import type { MonitorState } from '../domain/monitor.ts'
import { sql } from './db.ts'
import type { TenantTx } from './tenants.ts'

const END = sql`
  update state_spans set ended_at = greatest($2, started_at) where monitor_no = $1 and ended_at is null`
// Two changes at one instant leave one span: the later state.
const BEGIN = sql`
  insert into state_spans (monitor_no, state, started_at) values ($1, $2, $3)
  on conflict (monitor_no, started_at) do update set state = excluded.state, ended_at = null`
const DELETE = sql`delete from state_spans where monitor_no = $1`

/** Ends the span that is open, if any, and begins one in `state`. */
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
