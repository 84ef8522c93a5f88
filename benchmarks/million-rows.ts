// Fills a database with many organizations and monitors in bulk, with a few statements. The organizations have no
// encryption keys: nobody asks for their secrets.
import type pg from 'pg'
import { toPublicId } from '../src/domain/values/id.ts'
import { createKey } from '../src/operator/organizations/keys.ts'
import { parseMasterKeys } from '../src/platform/crypto/encryption.ts'
import { Database } from '../src/store/core/db.ts'
import { OrganizationSecrets } from '../src/store/core/organization-secrets.ts'
import type { Environment } from '../tools/stack.ts'

type Size = { monitors: number; organizations: number; incidents: number }

const BIG_ORGANIZATIONS = 5
const BIG_SHARE = 0.012

// Ids like the product's: they sort by creation time, the rest looks random.
const FUNCTIONS = `
  create function bench_id(kind text, n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(md5(kind || n), 1, 3)
            || '8' || substr(md5(kind || n), 4, 15))::uuid $$`

const ORGANIZATIONS = `
  insert into organizations (id, name, plan, private_targets, created_at)
  select bench_id('org', n), 'Organization ' || n, 'UNLIMITED', false, now() - interval '90 days'
    from generate_series(1, $1::integer) n`
const SUBSCRIPTIONS = `
  insert into subscriptions (org_id, status)
  select bench_id('org', n), 'ACTIVE' from generate_series(1, $1::integer) n`
const API_KEYS = `
  insert into api_keys (id, org_id, name, access, hash, last4)
  select bench_id('key', n), bench_id('org', n), 'Key ' || n, 'FULL', sha256(('k' || n)::bytea), 'abcd'
    from generate_series(1, $1::integer) n`

// The first organizations have many monitors each; the others share the rest evenly.
const MONITORS = `
  insert into monitors (
    id, org_id, name, type, url, host, port, method, expected_status, follow_redirects, verify_ssl,
    keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds,
    timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples, created_at, updated_at)
  select bench_id('mon', n),
         bench_id('org', case when n <= big.total then (n - 1) / big.each + 1
                              else big.count + 1 + (n - big.total) % ($2::integer - big.count) end),
         'Monitor ' || n, case n % 5 when 0 then 'PORT' else 'HTTP' end,
         case when n % 5 <> 0 then 'https://host-' || n || '.example.com/health' end,
         case when n % 5 = 0 then 'host-' || n || '.example.com' end, case when n % 5 = 0 then 443 end,
         'GET', '{200,201,202,203,204,205,206,301,302,307,308}', true, true, 'EXISTS', 'A', true, 2,
         60, 30, 60, 'LAST', 3,
         now() - interval '90 days' + n * interval '1 second', now() - interval '1 day'
    from generate_series(1, $1::integer) n,
         (select $3::integer as count, $4::integer as each, $3::integer * $4::integer as total) big`
const STATES = `
  insert into monitor_states (
    monitor_no, org_id, shard, state, next_due_at, last_checked_at, last_status_changed_at,
    last_response_ms, cert_expires_at)
  select m.no, m.org_id, m.no % 256, case when m.no % 100 = 0 then 'DOWN' else 'UP' end,
         now() + (m.no % 60) * interval '1 second', now(), now() - interval '1 day', 100 + m.no % 400,
         now() + interval '60 days'
    from monitors m
  on conflict do nothing`
const SPANS = `
  insert into state_spans (monitor_no, started_at, state)
  select monitor_no, now() - interval '1 day', state from monitor_states
  on conflict do nothing`
const USAGE = `
  insert into organization_usage (org_id, monitors)
  select o.id, (select count(*) from monitors m where m.org_id = o.id) from organizations o
  on conflict (org_id) do nothing`

const INCIDENTS = `
  insert into incidents (id, org_id, monitor_id, started_at, resolved_at, cause, cause_code, resolution)
  select bench_id('inc', n), m.org_id, m.id, at, at + interval '5 minutes',
         'Timed out after 30 s.', 'TIMEOUT', 'RECOVERED'
    from generate_series(1, $1::integer) n
    join monitors m on m.id = bench_id('mon', 1 + (n::bigint * 7) % $2::bigint),
 lateral (select now() - interval '60 days' + n * interval '5 seconds' as at) t`
const EVIDENCE = `
  insert into incident_evidence (id, org_id, incident_id, part, checked_at, evidence)
  select bench_id(part, n), i.org_id, i.id, part, i.started_at, json_build_object(
           'checkId', 'chk_01m7e4f440e1n80038aztfqn39', 'checkedAt', at, 'location', 'eu-central',
           'outcome', 'FAILED', 'causeCode', i.cause_code, 'cause', i.cause, 'responseMs', null, 'httpStatus', null,
           'resolvedIp', '203.0.113.24', 'timings', null, 'certExpiresAt', null, 'dnsAnswers', null,
           'bodyExcerpt', null, 'attempts', json_build_array(json_build_object('number', 1, 'startedAt', at,
           'outcome', 'FAILED', 'causeCode', i.cause_code, 'responseMs', null, 'httpStatus', null)))
    from generate_series(1, $1::integer) n
    join incidents i on i.id = bench_id('inc', n),
         unnest(array['OPENED', 'RESOLVED']) part,
 lateral (select to_char(i.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at) t
   where part = 'OPENED' or n % 10 = 0`
const TIMELINE = `
  insert into incident_timeline (id, org_id, incident_id, type, at, message)
  select bench_id('line' || type, n), i.org_id, i.id, type, i.started_at, 'Seen by two regions.'
    from generate_series(1, $1::integer) n
    join incidents i on i.id = bench_id('inc', n), unnest(array['OPENED', 'RESOLVED']) type`

/** Returns the number of monitors that each of the big organizations has. */
export async function fillRows(client: pg.Client, size: Size): Promise<number> {
  const { monitors, organizations, incidents } = size
  const bigSize = Math.ceil(monitors * BIG_SHARE)
  // Consistent by construction, so foreign keys need not be checked a million times.
  await client.query('set session_replication_role = replica')
  await client.query(`set work_mem = '256MB'; set maintenance_work_mem = '256MB'`)
  await client.query(FUNCTIONS)
  for (const text of [ORGANIZATIONS, SUBSCRIPTIONS, API_KEYS])
    await client.query(text, [organizations])
  await client.query(MONITORS, [monitors, organizations, BIG_ORGANIZATIONS, bigSize])
  // For the joins below; the product does not need such an index.
  await client.query('create index bench_monitors_by_id on monitors (id)')
  // The copied database remembers that it was empty, and joins would be planned for that.
  await client.query('analyze organizations, monitors')
  await client.query(STATES)
  await client.query('analyze monitor_states')
  for (const text of [SPANS, USAGE]) await client.query(text)
  await client.query(INCIDENTS, [incidents, monitors])
  await client.query('analyze incidents')
  for (const text of [EVIDENCE, TIMELINE]) await client.query(text, [incidents])
  await client.query('drop index bench_monitors_by_id')
  await client.query('reset session_replication_role')
  await client.query('vacuum analyze')
  return bigSize
}

/** Makes one of the organizations with many monitors usable, with an encryption key. Returns its API key. */
export async function openBigOrganization(
  client: pg.Client,
  { DATABASE_URL: url = '', MASTER_KEYS = '' }: Environment,
): Promise<string> {
  const masterKeys = parseMasterKeys(MASTER_KEYS)
  if (typeof masterKeys === 'string') throw new Error(masterKeys)
  const { rows } = await client.query<{ uuid: string }>(`select bench_id('org', 1) as uuid`)
  const uuid = rows[0]?.uuid ?? ''
  const database = new Database({ url, role: 'upvane_engine', connections: 1 }, () => {})
  await new OrganizationSecrets(masterKeys).create(database, uuid)
  const { key } = await createKey(database, { org: toPublicId('org', uuid), name: 'Load' })
  await database.close()
  return key
}

export async function sizesOf(client: pg.Client): Promise<[string, string, string][]> {
  const { rows } = await client.query<{ name: string; rows: string; size: string }>(`
    select c.relname as name, c.reltuples::bigint::text as rows,
           pg_size_pretty(pg_total_relation_size(c.oid)) as size
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples > 1000
     order by pg_total_relation_size(c.oid) desc`)
  return rows.map(({ name, rows: count, size }) => [name, count, size])
}
