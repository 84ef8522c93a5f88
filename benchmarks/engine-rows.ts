// Creates organizations and monitors for the engine's benchmarks with a few statements, on the same slot grid as the
// product would use.
import type pg from 'pg'

type MonitorSet = {
  /** Seeds the ids: another value creates other monitors. */
  kind: string
  count: number
  type: 'HTTP' | 'PING'
  intervalSeconds: number
  timeoutSeconds: number
  organizations: number
  /** SQL text of the URL or host; may use `n` and `phase` (milliseconds). */
  address: string
}

export const ADDRESSES = 20

/** `https://127.0.0.x:port/at/<phase>/<interval>` lets the target calculate how late a check is. */
export function slotAddress(scheme: 'http' | 'https', port: number, intervalSeconds: number) {
  const path = `/' || phase || '/${intervalSeconds * 1000}'`
  return `'${scheme}://127.0.0.' || 1 + n % ${ADDRESSES} || ':${port}/at${path}`
}

/** As in src/domain/monitors/schedule.ts: the last 48 bits of the id, modulo the interval. */
const PHASE = `(('x' || right(replace(id::text, '-', ''), 12))::bit(48)::bigint % ($1::integer * 1000))`

const FUNCTIONS = `
  create or replace function bench_id(kind text, n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(kind || n), 1, 3)
            || '8' || substr(md5(kind || n), 4, 15))::uuid $$`
const ORGANIZATIONS = `
  insert into organizations (id, name, plan, private_targets)
  select bench_id($1, n), $1 || ' ' || n, 'UNLIMITED', true from generate_series(1, $2::integer) n`
const SUBSCRIPTIONS = `
  insert into subscriptions (org_id, status)
  select bench_id($1, n), 'ACTIVE' from generate_series(1, $2::integer) n`

export async function insertMonitors(client: pg.Client, set: MonitorSet): Promise<void> {
  const { kind, count, type, intervalSeconds, timeoutSeconds, organizations, address } = set
  await client.query(FUNCTIONS)
  await client.query(ORGANIZATIONS, [kind, organizations])
  await client.query(SUBSCRIPTIONS, [kind, organizations])
  const monitors = `
    insert into monitors (
      id, org_id, name, type, url, host, method, expected_status, follow_redirects, verify_ssl,
      keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days,
      interval_seconds, timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples)
    select id, bench_id($2, 1 + n % $4), $2 || ' ' || n, $5,
           case when $5 = 'HTTP' then ${address} end, case when $5 = 'PING' then ${address} end,
           'GET', '{200}', true, false, 'EXISTS', 'A', true, 2, $1, $6, 60, 'LAST', 3
      from (select n, bench_id($2 || ' monitor', n) as id from generate_series(1, $3::integer) n) i,
           lateral (select ${PHASE} as phase) p`
  const values = [intervalSeconds, kind, count, organizations, type, timeoutSeconds]
  await client.query(monitors, values)
  await client.query(`
    insert into monitor_states (
      monitor_no, org_id, shard, state, last_status_changed_at, last_checked_at, last_slot,
      last_response_ms, samples)
    select no, org_id, ('x' || right(id::text, 2))::bit(8)::integer, 'UP', now(), now(),
           now() - interval '1 day', 12, '{11,13,12}'
      from monitors m where not exists (select from monitor_states s where s.monitor_no = m.no)`)
  await client.query(`
    insert into state_spans (monitor_no, started_at, state)
    select monitor_no, now(), state from monitor_states on conflict do nothing`)
  await client.query('vacuum analyze')
}

/** Makes every monitor due at its first slot this many seconds ahead, as if the engine had never stopped. If a
 * scheduler is running, notifies it. */
export async function settleSchedule(
  client: pg.Client,
  aheadSeconds: number,
  isRunning = false,
): Promise<void> {
  await client.query(
    `update monitor_states s set due_unread = $2, room = default, next_due_at = to_timestamp((phase + step
              * ceil((extract(epoch from now()) * 1000 + $1::integer * 1000 - phase) / step)) / 1000.0)
       from (select no, m.interval_seconds * 1000 as step, (('x' || right(replace(id::text, '-', ''), 12))
               ::bit(48)::bigint % (m.interval_seconds * 1000)) as phase from monitors m) g
      where g.no = s.monitor_no`,
    [aheadSeconds, isRunning],
  )
  await client.query('vacuum analyze monitor_states')
}

export type Tally = { due: number; done: number; passed: number; missed: number }

/** Of the slots in a period: how many there were, how many have a result, how many were written off. */
export async function tallySlots(client: pg.Client, from: Date, to: Date): Promise<Tally> {
  const { rows } = await client.query<Tally>(
    `with grid as (
       select m.interval_seconds * 1000 as step, (('x' || right(replace(id::text, '-', ''), 12))
              ::bit(48)::bigint % (m.interval_seconds * 1000)) as phase from monitors m)
     select (select sum(ceil(($2::bigint - phase)::numeric / step) - ceil(($1::bigint - phase)::numeric / step))
               from grid)::integer as due,
            count(*)::integer as done, count(*) filter (where verdict = 0)::integer as passed,
            coalesce((select sum(count) from missed
              where from_slot < to_timestamp($2 / 1000.0) and to_slot >= to_timestamp($1 / 1000.0)), 0)::integer
              as missed
       from results where slot >= to_timestamp($1 / 1000.0) and slot < to_timestamp($2 / 1000.0)`,
    [from.getTime(), to.getTime()],
  )
  const [tally] = rows
  if (tally === undefined) throw new Error('no tally')
  return tally
}
