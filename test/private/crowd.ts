// Many monitors at once, which are never checked.
import type { Database } from '../kit/database.ts'

export async function addMonitors(db: Database, orgUuid: string, count: number): Promise<void> {
  await db.run(
    `with made as (
       insert into monitors (id, org_id, name, type, url, method, expected_status, follow_redirects, verify_ssl,
         keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days, interval_seconds,
         timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples)
       select new_uuid(), $1, 'Site', 'HTTP', 'https://example.com/', 'GET', '{200}', true, true, 'EXISTS', 'A',
              true, 14, 60, 10, 300, 'LAST', 5
         from generate_series(1, $2) returning no),
       counted as (update organization_usage set monitors = monitors + $2 where org_id = $1)
     insert into monitor_states (monitor_no, org_id, shard, state) select no, $1, 0, 'PENDING' from made`,
    [orgUuid, count],
  )
}
