// Thousands of monitors with a history, faster than the API would create them.
import type { Database } from './database.ts'
import { toUuid } from './ids.ts'

// One created every 26 minutes of 90 days, each with an outage of up to an hour a week.
const FILL = `
  with made as (
    insert into monitors (
      id, org_id, name, type, url, method, expected_status, follow_redirects, verify_ssl, keyword_match,
      dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds, timeout_seconds,
      grace_seconds, degraded_threshold_mode, degraded_samples)
    select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - ($2::integer - n) * 1555200::bigint), 12, '0')
             || '7' || lpad(to_hex(n % 1000), 3, '0') || '8000' || substr(md5(n::text), 1, 12))::uuid,
           $1::uuid, (array['Checkout', 'Search', 'Sign-in', 'Store'])[1 + n % 4] || ' ' || n, 'HTTP',
           'https://host-' || n || '.example.com/health', 'GET', '{200}', true, true, 'EXISTS', 'A', true, 14, 60,
           30, 60, 'LAST', 3
      from generate_series(1, $2::integer) n
    returning no, org_id
  ), states as (
    insert into monitor_states (monitor_no, org_id, shard, state, last_checked_at, last_response_ms, cert_expires_at)
    select no, org_id, no % 256, 'UP', now() - no % 60 * interval '1 second', 40 + no * 7919 % 900,
           now() + no * 104729 % 7000000 * interval '1 second' from made
  )
  insert into state_spans (monitor_no, started_at, ended_at, state)
  select no, at.started, case when week > 0 or part = 0 then at.ended end, at.state
    from made, generate_series(0, 3) week, generate_series(0, 1) part,
         lateral (select now() - week * interval '7 days' - interval '1 hour' as down) d,
         lateral (select case part when 0 then d.down else d.down + no % 59 * interval '1 minute' + interval '1 minute' end as started,
                         case part when 0 then d.down + no % 59 * interval '1 minute' + interval '1 minute' else d.down + interval '7 days' end as ended,
                         case part when 0 then 'DOWN' else 'UP' end as state) at`

export async function fillMonitors(db: Database, orgId: string, count: number): Promise<void> {
  await db.run(FILL, [toUuid(orgId), count])
  await db.run('analyze monitors, monitor_states, state_spans')
}
