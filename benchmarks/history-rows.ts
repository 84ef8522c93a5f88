// Fills one organization with monitors and months of history in bulk. It writes what the engine would have written:
// states, spans, incidents with evidence, roll-ups, results, deliveries.
import type pg from 'pg'
import { writeHistory } from '../tools/history/whole-sets.ts'
import { sealHeartbeats } from './history-heartbeats.ts'
import { SENDING_STEPS } from './history-sending-rows.ts'
import type { HistorySize, Step } from './history-step.ts'

const monitors: Step = {
  name: 'monitors',
  text: `
  with made as (
    insert into monitors (
      id, org_id, name, type, url, host, port, method, expected_status, follow_redirects, verify_ssl, keyword,
      keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds,
      timeout_seconds, grace_seconds, degraded_threshold_ms, degraded_threshold_mode, degraded_samples, created_at,
      updated_at, expected_period_seconds, heartbeat_hash, heartbeat_token)
    select pg_temp.id_at(now() - $3::integer * interval '1 day', 'mon' || $1::uuid || n), $1::uuid,
           (array['Checkout', 'Search', 'Sign-in', 'Store', 'Payments', 'Tenant', 'Edge', 'Queue'])[1 + n % 8]
             || ' ' || lpad(n::text, 4, '0'), kind.type,
           case when kind.type in ('HTTP', 'KEYWORD') then 'https://host-' || n || '.example.com/health'
                when kind.type in ('DNS', 'SSL', 'DOMAIN') then 'host-' || n || '.example.com' end,
           case when kind.type in ('PORT', 'PING') then 'host-' || n || '.example.com' end,
           case when kind.type = 'PORT' then 5432 end,
           'GET', '{200,201,202,203,204,205,206,301,302,307,308}', true, true,
           case when kind.type = 'KEYWORD' then 'ok' end, 'EXISTS', 'A', true, 14, 60, 30, 60,
           case when n % 3 = 0 then 500 end, 'P95', 20, now() - $3::integer * interval '1 day', now() - interval '1 day',
           case when kind.type = 'CRON' then 3600 end,
           case when kind.type = 'CRON' then sha256(convert_to($1::uuid || '.' || n, 'UTF8')) end,
           case when kind.type = 'CRON' then '\\x00'::bytea end
      from generate_series(1, $2::integer) n,
           lateral (select (array['HTTP', 'HTTP', 'HTTP', 'HTTP', 'HTTP', 'KEYWORD', 'PORT', 'PING', 'DNS', 'SSL',
                                  'CRON', 'DOMAIN'])[1 + n % 12] as type) kind
    returning no, id, org_id, type
  ), states as (
    insert into monitor_states (monitor_no, org_id, shard, state, next_due_at, last_checked_at,
                                last_status_changed_at, last_response_ms, cert_expires_at, domain_expires_at,
                                heartbeat)
    select no, org_id, no % 256, now_is.state,
           case when now_is.state <> 'PAUSED' then now() + interval '1 hour' + no % 60 * interval '1 second' end,
           now(), now() - (5 + no % 600) * interval '1 minute', case when type <> 'CRON' then 40 + no % 400 end,
           case when type in ('HTTP', 'SSL', 'KEYWORD') then now() + (5 + no % 80) * interval '1 day' end,
           case when type = 'DOMAIN' then now() + (5 + no % 300) * interval '1 day' end,
           case when type = 'CRON' then json_build_object('startedAt', now() - interval '40 minutes', 'lastPing',
             json_build_object('at', now() - interval '40 minutes', 'passed', true), 'runs', json_build_array(),
             'missedAt', null) end
      from made, lateral (select case when no % 417 = 0 then 'DOWN' when no % 161 = 0 then 'DEGRADED'
                                      when no % 61 = 0 then 'PAUSED' else 'UP' end as state) now_is
  )
  insert into organization_usage (org_id, monitors) values ($1::uuid, $2::integer)
  on conflict (org_id) do update set monitors = organization_usage.monitors + excluded.monitors`,
  values: ({ monitors: count, days }, orgId) => [orgId, count, days],
}

// A monitor has 2 to 9 bad periods, one in each equal part of the time; every second one is an outage.
const spans: Step = {
  name: 'spans',
  text: `
  with own as (
    select m.no, s.state, s.last_status_changed_at as since, 2 + m.no % 8 as parts, now() - $2::integer * interval '1 day' as born
      from monitors m join monitor_states s on s.monitor_no = m.no where m.org_id = $1::uuid
  ), bad as (
    select o.no, part, at.started, at.started + (1 + pg_temp.chance('len' || o.no || '.' || part) ^ 4 * 240)
             * interval '1 minute' as ended, case part % 2 when 0 then 'DOWN' else 'DEGRADED' end as state
      from own o, generate_series(0, o.parts - 1) part,
           lateral (select o.born + (part + 0.1 + 0.7 * pg_temp.chance('at' || o.no || '.' || part)) / o.parts
                             * ($2::integer - 1) * interval '1 day' as started) at
  ), ends as (
    select no, max(ended) as ended from bad group by no
  ), made as (
    select no, started, ended, state from bad
    union all
    select b.no, coalesce(lag(b.ended) over (partition by b.no order by b.part), o.born), b.started, 'UP'
      from bad b join own o on o.no = b.no
    union all
    select o.no, e.ended, case when o.state = 'UP' then null else o.since end, 'UP' from own o join ends e on e.no = o.no
    union all
    select no, since, null, state from own where state <> 'UP'
  )
  insert into state_spans (monitor_no, started_at, ended_at, state) select * from made`,
  values: ({ days }, orgId) => [orgId, days],
}

const incidents: Step = {
  name: 'incidents',
  text: `
  with down as (
    select m.org_id, m.id as monitor_id, m.no, s.started_at, s.ended_at, s.monitor_no || '.' || s.started_at as salt
      from monitors m join state_spans s on s.monitor_no = m.no where m.org_id = $1::uuid and s.state = 'DOWN'
  ), made as (
    insert into incidents (id, org_id, monitor_id, started_at, resolved_at, cause, cause_code, resolution,
                           acknowledged_at, acknowledged_by_type, acknowledged_by_id, acknowledged_by_name)
    select pg_temp.id_at(started_at, 'inc' || salt), org_id, monitor_id, started_at, ended_at,
           (array['Timed out after 30 s', 'HTTP 503, expected 200-206', 'Connection refused'])[1 + no % 3],
           (array['TIMEOUT', 'UNEXPECTED_STATUS', 'CONNECTION_REFUSED'])[1 + no % 3],
           case when ended_at is not null then 'RECOVERED' end,
           case when taken then started_at + interval '90 seconds' end, case when taken then 'USER' end,
           case when taken then org_id end, case when taken then 'Ana' end
      from down, lateral (select no % 2 = 0 and ended_at > started_at + interval '2 minutes' as taken) t
    returning *
  ), evidence as (
    insert into incident_evidence (id, org_id, incident_id, part, checked_at, evidence)
    select pg_temp.id_at(i.started_at, part || i.id), i.org_id, i.id, part, at.at, json_build_object(
             'checkId', 'chk_01m7e4f440e1n80038aztfqn39', 'checkedAt', text.text, 'location', 'eu-central',
             'outcome', case part when 'RESOLVED' then 'OK' else 'FAILED' end,
             'causeCode', case part when 'RESOLVED' then null else i.cause_code end,
             'cause', case part when 'RESOLVED' then null else i.cause end, 'responseMs', 84, 'httpStatus', 503,
             'resolvedIp', '203.0.113.24', 'timings', json_build_object('dnsMs', 3, 'connectMs', 12, 'tlsMs', 24,
             'firstByteMs', 45), 'certExpiresAt', null, 'dnsAnswers', null, 'bodyExcerpt', repeat('upstream error ', 20),
             'attempts', json_build_array(json_build_object('number', 1, 'startedAt', text.text, 'outcome', 'FAILED',
             'causeCode', i.cause_code, 'responseMs', 84, 'httpStatus', 503)))
      from made i, unnest(array['OPENED', 'LAST_FAILURE', 'RESOLVED']) part,
           lateral (select case part when 'OPENED' then i.started_at else coalesce(i.resolved_at, now()) end as at) at,
           lateral (select to_char(at.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as text) text
     where part <> 'RESOLVED' or i.resolved_at is not null
  )
  insert into incident_timeline (id, org_id, incident_id, type, at, message)
  select pg_temp.id_at(line.at, line.type || i.id), i.org_id, i.id, line.type, line.at, i.cause
    from made i, lateral (values ('OPENED', i.started_at), ('ACKNOWLEDGED', i.acknowledged_at),
                                 ('RESOLVED', i.resolved_at)) line (type, at)
   where line.at is not null`,
  values: (_size, orgId) => [orgId],
}

const figures = (unit: string) => `
  60 * ${unit} - failed.count, failed.count, 0, p.p50, p.p50 * 2, p.p50 * 6
    from (select no, row_number() over (order by no) <= $3::integer as dense
            from monitors where org_id = $1::uuid) m,
         generate_series(0, case when m.dense then $2::integer else $4::integer end - 1) n,
         lateral (select 20 + m.no % 300 + (m.no * n) % 40 as p50) p,
         lateral (select case when (m.no + n) % 97 = 0 then 5 else 0 end as count) failed`
const hours: Step = {
  name: 'hours',
  text: `
  insert into result_hours (monitor_no, hour, ok, failed, inconclusive, p50_ms, p95_ms, max_ms)
  select m.no, date_trunc('hour', now(), 'UTC') - (n + 1) * interval '1 hour', ${figures('1')}`,
  values: ({ days, denseMonitors, sparseHourDays }, orgId) => [
    orgId,
    days * 24,
    denseMonitors,
    sparseHourDays * 24,
  ],
}
const days: Step = {
  name: 'days',
  text: `
  insert into result_days (monitor_no, day, ok, failed, inconclusive, p50_ms, p95_ms, max_ms)
  select m.no, (now() at time zone 'UTC')::date - (n + 1), ${figures('24')}`,
  values: ({ days: count, denseMonitors }, orgId) => [orgId, count, denseMonitors, count],
}

const results: Step = {
  name: 'results',
  text: `
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
  select m.no, slot.at, case m.type when 'CRON' then 2 else 0 end, case when m.no % 50 = (n / 60) % 50 then 2 else 0 end, 20 + (m.no * n) % 400, 200,
         1 + n % 3, 3 | (11 << 8) | (24 << 16)
    from (select no, type, case when row_number() over (order by no) <= $3::integer then 1 else $4::integer end as every
            from monitors where org_id = $1::uuid) m,
         generate_series(0, $2::integer * 1440 - 1, m.every) n,
         lateral (select date_trunc('minute', now()) - n * interval '1 minute' + m.no % 60 * interval '1 second' as at) slot
   order by slot.at`,
  values: ({ rawDays, denseMonitors, sparseMinutes }, orgId) => [
    orgId,
    rawDays,
    denseMonitors,
    sparseMinutes,
  ],
}

// Every result of a CRON monitor is a ping from its job.
const calls: Step = {
  name: 'heartbeat calls',
  text: `
  insert into heartbeat_calls (monitor_no, at, signal, body)
  select r.monitor_no, r.slot, case r.verdict when 2 then 'FAIL' else 'SUCCESS' end, 'Backup of 1,204 tables, 31 s'
    from monitors m join results r on r.monitor_no = m.no where m.org_id = $1::uuid and m.type = 'CRON'`,
  values: (_size, orgId) => [orgId],
}

const PARTITION_DAYS = 31
const STEPS = [monitors, spans, incidents, hours, days, results, calls, ...SENDING_STEPS]

/** The organization, and the installation's keys. */
type Owner = { orgId: string; masterKeys: string }

/** Runs as the database's superuser. Updates statistics at the end, and reports how long each step took. */
export async function fillHistory(
  client: pg.Client,
  { orgId, masterKeys }: Owner,
  size: HistorySize,
  tell: (step: string, seconds: number) => void = () => {},
): Promise<void> {
  await writeHistory(client, PARTITION_DAYS, async () => {
    for (const { name, text, values } of STEPS) {
      const startedMs = performance.now()
      await client.query(text, values(size, orgId))
      tell(name, (performance.now() - startedMs) / 1000)
    }
    await sealHeartbeats(client, orgId, masterKeys)
  })
}
