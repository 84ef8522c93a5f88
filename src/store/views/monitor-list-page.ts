// Finds which of the organization's monitors are on a page of the list. monitor-list.ts reads what is shown of them.
import {
  LISTED_STATES,
  type ListedState,
  type MonitorSort,
} from '../../domain/monitors/list-order.ts'
import type { MonitorType } from '../../domain/monitors/monitor.ts'
import { type Statement, sql } from '../core/db.ts'
import { escapeLike } from '../core/escape-like.ts'
import type { Tenant } from '../core/tenants.ts'
import { stateSince } from '../monitors/state-since.ts'

export type MonitorListFilter = {
  type?: readonly MonitorType[] | undefined
  state?: readonly ListedState[] | undefined
  /** Monitors that have all of these, each named once. */
  tag?: readonly string[] | undefined
  q?: string | undefined
  sort: MonitorSort
  reversed: boolean
}
type ListPage = { limit: number; offset: number }

const CONDITIONS = {
  type: { of: 'monitor', by: 'm.type = any (?::text[])' },
  // One concatenated text: separate `ilike` conditions would each lowercase their column and the pattern for every row.
  q: {
    of: 'monitor',
    by: `(lower(concat_ws(e'\\n', m.name, m.url, m.host || coalesce(':' || m.port, ''))) like (select lower(?::text))
          or m.id in (select a.monitor_id from monitor_tags a join tags t on t.org_id = a.org_id and t.id = a.tag_id
                       where t.org_id = $1 and t.key like (select lower(?::text))))`,
  },
  tag: {
    of: 'monitor',
    by: `m.id in (select a.monitor_id from monitor_tags a where a.org_id = $1 and a.tag_id = any (?::uuid[])
                   group by a.monitor_id having count(*) = cardinality(?::uuid[]))`,
  },
  state: { of: 'state', by: 'h.state = any (?::text[])' },
} as const
type Name = keyof typeof CONDITIONS
const NAMES = Object.keys(CONDITIONS) as Name[]
const FIRST_CONDITION = 4

const badness = `array_position(array['${LISTED_STATES.join("', '")}'], h.state)`

// As `listedState` says.
const listedState = sql`
  case when m.type in ('SSL', 'DOMAIN') and (s.state = 'DEGRADED' or s.state = 'UP'
             and case m.type when 'SSL' then s.cert_expires_at else s.domain_expires_at end
                 <= now() + m.ssl_expiry_threshold_days * interval '1 day')
       then 'EXPIRING' else s.state end`

// Time in incidents over the last 30 days: close to the downtime that uptime counts, and computed for all monitors at
// once. Monitors that were never measured come last.
const downTime = sql`
  left join (
    select i.monitor_id,
           sum(date_part('epoch', coalesce(i.resolved_at, now()) - greatest(i.started_at, now() - interval '30 days'))) as seconds
      from incidents i
     where i.org_id = $1 and (i.resolved_at is null or i.resolved_at > now() - interval '30 days')
     group by 1) down on down.monitor_id = h.id`

// For sorting thousands, the last full day is enough: one row per monitor instead of 24. One walk along the index reads
// all of them at half the cost of single lookups.
const dayP95 = sql`
  left join (
    select distinct on (r.monitor_no) r.monitor_no, r.p95_ms as ms from result_days r
     where r.monitor_no = any (array(select no from hits))
       and r.day >= (now() at time zone 'UTC')::date - 2
     order by r.monitor_no, r.day desc) p95 on p95.monitor_no = h.no`

const nothing = { text: '' }
const ORDERS: Record<MonitorSort, { join: { text: string }; by: string; direction: string }> = {
  state: { join: nothing, by: badness, direction: 'asc' },
  name: { join: nothing, by: 'lower(h.name)', direction: 'asc' },
  uptime: { join: downTime, by: 'coalesce(down.seconds, 0)', direction: 'desc' },
  p95: { join: dayP95, by: 'coalesce(p95.ms, -1)', direction: 'desc' },
  changed: { join: nothing, by: 'h.changed_at', direction: 'desc' },
}
// Whoever opens the list wants to see what just broke.
const NEWEST_DOWN = `case when h.state = 'DOWN' then h.changed_at end`
const NO_TIME = 'null::timestamptz'
const REVERSE: Record<string, string> = { asc: 'desc', desc: 'asc' }

function pageStatement({ sort, reversed }: MonitorListFilter, asked: readonly Name[]): Statement {
  const { join, by, direction } = ORDERS[sort]
  const way = reversed ? REVERSE[direction] : direction
  const newest = reversed ? 'asc nulls first' : 'desc nulls last'
  const order = { text: `first ${way}, newest ${newest}, second ${reversed ? 'desc' : 'asc'}, no` }
  const conditions = (of: 'monitor' | 'state', before: string) => ({
    text: asked
      .map((name, index) => ({ ...CONDITIONS[name], place: `$${FIRST_CONDITION + index}` }))
      .filter((condition) => condition.of === of)
      .map((condition) => `${before} ${condition.by.replaceAll('?', condition.place)}`)
      .join(' '),
  })
  return sql`
    with hits as materialized (
      select m.no, m.id, m.name, ${listedState} as state, coalesce(${stateSince({ text: 's' })}, m.created_at) as changed_at
        from monitors m join monitor_states s on s.monitor_no = m.no
       where m.org_id = $1 and s.org_id = $1 ${conditions('monitor', 'and')}
    ), page as (
      select h.no, ${{ text: by }} as first, ${{ text: sort === 'state' ? NEWEST_DOWN : NO_TIME }} as newest,
             lower(h.name) as second
        from hits h ${join} ${conditions('state', 'where')}
       order by ${order} limit $2 offset $3
    ), counts as (
      select coalesce(json_object_agg(c.state, c.count), '{}') as counts
        from (select state, count(*) as count from hits group by state) c
    )
    select now() as at, counts.counts, page.no
      from counts left join page on true order by ${order}`
}

const statements = new Map<string, Statement>()

/** The statement contains only the requested filters: "or $4 is null" would hide the row count from the planner. */
function statementFor(filter: MonitorListFilter, asked: readonly Name[]): Statement {
  const key = [filter.sort, filter.reversed, ...asked].join(' ')
  const statement = statements.get(key) ?? pageStatement(filter, asked)
  statements.set(key, statement)
  return statement
}

export type StateCounts = Partial<Record<ListedState, number>>
type MonitorListPage = { at: Date; counts: StateCounts; nos: number[] }

/** The monitors on the page, in order, and the count of each state, regardless of the `state` filter. */
export async function findMonitorListPage(
  tenant: Tenant,
  filter: MonitorListFilter,
  { limit, offset }: ListPage,
): Promise<MonitorListPage> {
  const asked = NAMES.filter((name) => filter[name] !== undefined)
  const values = asked.map((name) =>
    name === 'q' ? `%${escapeLike(filter.q ?? '')}%` : filter[name],
  )
  type Row = { at: Date; counts: StateCounts; no: number | null }
  const rows = await tenant.query<Row>(statementFor(filter, asked), [
    tenant.orgId,
    limit,
    offset,
    ...values,
  ])
  const [first] = rows
  if (first === undefined) throw new Error('Counts have always one row')
  return { at: first.at, counts: first.counts, nos: rows.flatMap(({ no }) => no ?? []) }
}
