// The history from which uptime is computed, for one organization's monitors: the spans of each state, and the time
// that does not count.
import type { MonitorState } from '../../domain/monitors/monitor.ts'
import {
  gapOf,
  type Interval,
  type StateSpan,
  type Uptime,
  uptime,
} from '../../domain/monitors/uptime.ts'
import { sql } from '../core/db.ts'
import { effectiveInterval } from '../core/plan-rules.ts'
import type { Tenant } from '../core/tenants.ts'

/** A tenant, or the engine on behalf of one. */
type Reader = Pick<Tenant, 'orgId' | 'query'>

export type MonitorHistory = {
  spans: StateSpan[]
  /** Maintenance, and slots that the engine missed. */
  outside: Interval[]
  windows: (Interval & { id: string })[]
}

// One statement, so that everything comes from one snapshot. A range of missed slots extends one interval beyond its
// last slot.
const FIND = sql`
  with asked as materialized (
    select m.no, make_interval(secs => ${effectiveInterval}) as every
      from monitors m
      join organizations o on o.id = m.org_id
      join plans p on p.name = o.plan
     where m.org_id = $1 and m.no = any ($2::bigint[])
  )
  select a.no, 'SPAN' as part, s.state as what, s.started_at as "fromAt", s.ended_at as "toAt",
         0 as "intervalSeconds"
    from asked a join state_spans s on s.monitor_no = a.no
   where s.started_at < $4 and (s.ended_at is null or s.ended_at > $3)
  union all
  select a.no, 'WINDOW', w.window_id::text, w.started_at, w.ended_at, 0
    from asked a join maintenance_spans w on w.monitor_no = a.no
   where w.started_at < $4 and (w.ended_at is null or w.ended_at > $3)
  union all
  select a.no, 'MISSED', x.reason, x.from_slot, x.to_slot, extract(epoch from a.every)::integer
    from asked a join missed x on x.monitor_no = a.no
   where x.reason <> 'OVERLAP' and x.from_slot < $4 and x.to_slot + a.every > $3`

type Row = { no: number; fromAt: Date; intervalSeconds: number } & (
  | { part: 'SPAN'; what: MonitorState; toAt: Date | null }
  | { part: 'WINDOW'; what: string; toAt: Date | null }
  | { part: 'MISSED'; what: string; toAt: Date }
)

/**
 * Returns what overlaps `within`, oldest first. A monitor without history, or of another organization, has empty lists.
 */
export async function findHistories(
  tenant: Reader,
  monitorNos: readonly number[],
  within: Interval,
): Promise<Map<number, MonitorHistory>> {
  const histories = new Map<number, MonitorHistory>(
    monitorNos.map((no) => [no, { spans: [], outside: [], windows: [] }]),
  )
  const values = [tenant.orgId, monitorNos, within.from, within.to]
  for (const row of await tenant.query<Row>(FIND, values)) {
    const history = histories.get(row.no)
    if (history !== undefined) add(history, row, within)
  }
  // Sorting many short lists here is faster than one long list in the database.
  for (const { spans, outside } of histories.values()) {
    spans.sort(byStart)
    outside.sort(byStart)
  }
  return histories
}

function add({ spans, outside, windows }: MonitorHistory, row: Row, within: Interval): void {
  const { fromAt: from, toAt: to } = row
  if (row.part === 'SPAN') spans.push({ state: row.what, from, to })
  if (row.part === 'WINDOW') {
    outside.push({ from, to: to ?? within.to })
    windows.push({ from, to: to ?? within.to, id: row.what })
  }
  if (row.part === 'MISSED') {
    const missed = { fromSlot: from, toSlot: row.toAt, reason: row.what }
    const gap = gapOf(missed, row.intervalSeconds)
    if (gap !== undefined) outside.push(gap)
  }
}

function byStart(a: { from: Date }, b: { from: Date }): number {
  return a.from.getTime() - b.from.getTime()
}

/** `within.to` must not be in the future: the open state is assumed to last until then. */
export async function findUptimes(
  tenant: Reader,
  monitorNos: readonly number[],
  within: Interval,
): Promise<Map<number, Uptime>> {
  const histories = await findHistories(tenant, monitorNos, within)
  return new Map(
    [...histories].map(([no, { spans, outside }]) => [no, uptime(spans, outside, within)]),
  )
}

/** The states of one monitor, oldest first. The first may start before `within`. */
export async function findSpans(
  tenant: Tenant,
  monitorNo: number,
  within: Interval,
): Promise<StateSpan[]> {
  return (await findHistories(tenant, [monitorNo], within)).get(monitorNo)?.spans ?? []
}
