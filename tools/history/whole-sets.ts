// Writes history that the engine would need months to produce, directly as the database's superuser and in bulk.
// Randomness is a function of its salt, so two runs produce the same history.
import type pg from 'pg'

// Ids like the product's: their time first, the rest looks random.
const FUNCTIONS = `
  create function pg_temp.id_at(at timestamptz, salt text) returns uuid language sql immutable as $$
    select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(salt), 1, 3)
            || '8' || substr(md5(salt), 4, 15))::uuid $$;
  create function pg_temp.chance(salt text) returns double precision language sql immutable as $$
    select ('x' || substr(md5(salt), 1, 8))::bit(32)::bigint / 4294967296.0 $$;
  create function pg_temp.public_id(prefix text, id uuid) returns text language sql immutable as $$
    select prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
             1 + substr(bits, n * 5 + 1, 5)::bit(5)::integer, 1), '' order by n)
      from (select '00' || ('x' || replace(id::text, '-', ''))::bit(128)::text as bits) b, generate_series(0, 25) n $$`

const PREPARE = `
  alter table results disable trigger mark_late_results;
  insert into regions (name) values ('eu-central'), ('eu-west'), ('us-east') on conflict do nothing`
const PARTITIONS = `
  select ensure_partitions((now() at time zone 'UTC')::date - $1::integer, $1::integer + 9)`
const FINISH = `
  alter table results enable trigger mark_late_results;
  update upkeep_progress set after_monitor_no = 0,
         period = greatest(period, case task when 'HOURS' then date_trunc('hour', now(), 'UTC') - interval '1 hour'
                                             else date_trunc('day', now(), 'UTC') end)`
const TABLES = [
  'monitors, monitor_states, state_spans, incidents, incident_evidence, incident_timeline, result_hours, result_days',
  'results, heartbeat_calls, webhook_endpoints, maintenance_windows, maintenance_spans, events, deliveries, attempts',
  'alert_messages, alert_contacts, monitor_alert_contacts, audit_log',
]

/** Calls `write` with the functions `pg_temp.id_at`, `chance` and `public_id` defined, then updates statistics. */
export async function writeHistory(
  client: pg.Client,
  /** Days of data kept by day: results, events, deliveries. */
  rawDays: number,
  write: () => Promise<void>,
): Promise<void> {
  await client.query(`set timezone to 'UTC'`)
  await client.query(FUNCTIONS)
  await client.query(PREPARE)
  await client.query(PARTITIONS, [rawDays])
  await write()
  await client.query(FINISH)
  for (const tables of TABLES) await client.query(`vacuum analyze ${tables}`)
}

export type Row = Readonly<Record<string, unknown>>

/** Columns missing from the rows get their default. */
export async function writeRows(
  client: pg.Client,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first).join(', ')
  await client.query(
    `insert into ${table} (${columns})
     select ${columns} from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}
