// The state rows of monitors, in batches: locked in one order, read whole, written back in one statement.
import type { DnsBaseline } from '../domain/dns-baseline.ts'
import type { Known } from '../domain/landing.ts'
import { type Db, sql } from './db.ts'
import { type StoredClock, toClock } from './monitor-row.ts'

/** A monitor as the engine knows it: what decides, and whose it is. */
export type EngineMonitor = Known & {
  no: number
  uuid: string
  orgId: string
  /** Not faster than the plan allows. */
  intervalSeconds: number
  expectedPeriodSec: number | null
  graceSeconds: number
}

const LOCK = sql`
  select monitor_no from monitor_states
   where monitor_no = any ($1::bigint[]) order by monitor_no for no key update`

// Its own statement: only a snapshot taken after the locks sees what was committed while we waited.
const READ = sql`
  select m.no, m.id as uuid, m.org_id as "orgId", m.type,
         m.dns_alert_on_change as "dnsAlertOnChange",
         m.ssl_expiry_threshold_days as "sslExpiryThresholdDays",
         m.degraded_threshold_ms as "degradedThresholdMs",
         m.degraded_threshold_mode as "degradedThresholdMode",
         m.degraded_samples as "degradedSamples", greatest(m.interval_seconds, coalesce(
           (o.limit_overrides ->> 'fastestIntervalSeconds')::integer, p.fastest_interval_seconds)
         ) as "intervalSeconds",
         m.expected_period_seconds as "expectedPeriodSec", m.grace_seconds as "graceSeconds",
         s.state, s.epoch, s.next_due_at as "nextDueAt", s.last_slot as "lastSlot",
         s.last_checked_at as "lastCheckedAt", s.last_status_changed_at as "lastStatusChangedAt",
         s.last_response_ms as "lastResponseMs", s.cert_expires_at as "certExpiresAt",
         s.samples as "samplesMs", s.dns_baseline as "dnsBaseline",
         s.expiry_told_for as "expiryToldFor", s.heartbeat,
         i.id as "incidentUuid", coalesce(i.last_cause_code, i.cause_code) as "lastCauseCode",
         coalesce(i.last_line_at, i.started_at) as "lastLineAt",
         w.spans as "windowSpans"
    from monitor_states s
    join monitors m on m.no = s.monitor_no
    join organizations o on o.id = m.org_id
    join plans p on p.name = o.plan
    left join incidents i on i.monitor_id = m.id and i.resolved_at is null
    left join lateral (
      select json_agg(json_build_array(started_at, ended_at)) as spans
        from maintenance_spans
       where monitor_no = s.monitor_no and (ended_at is null or ended_at > $2)) w on true
   where s.monitor_no = any ($1::bigint[])`

type Row = Omit<EngineMonitor, 'incident' | 'maintenance' | 'heartbeat'> & {
  heartbeat: StoredClock | null
  incidentUuid: string | null
  lastCauseCode: NonNullable<Known['incident']>['lastCauseCode']
  lastLineAt: Date
  windowSpans: [string, string | null][] | null
}

/** Locks the rows and reads them as they then are. A monitor that is gone is missing from the answer. */
export async function lockStandings(
  tx: Db,
  monitorNos: readonly number[],
  windowsSince: Date,
): Promise<Map<number, EngineMonitor>> {
  await tx.query(LOCK, [monitorNos])
  const rows = await tx.query<Row>(READ, [monitorNos, windowsSince])
  return new Map(rows.map((row) => [row.no, toEngineMonitor(row)]))
}

function toEngineMonitor(row: Row): EngineMonitor {
  const { incidentUuid, lastCauseCode, lastLineAt, windowSpans, heartbeat, ...rest } = row
  return {
    ...rest,
    heartbeat: heartbeat && toClock(heartbeat),
    incident: incidentUuid === null ? null : { uuid: incidentUuid, lastCauseCode, lastLineAt },
    maintenance: (windowSpans ?? []).map(([from, to]) => ({
      from: new Date(from),
      to: to === null ? null : new Date(to),
    })),
  }
}

const WRITE = sql`
  update monitor_states s
     set state = u.state, next_due_at = u.next_due_at, last_slot = u.last_slot,
         last_checked_at = u.last_checked_at, last_status_changed_at = u.last_status_changed_at,
         last_response_ms = u.last_response_ms, cert_expires_at = u.cert_expires_at,
         samples = u.samples::integer[], dns_baseline = u.dns_baseline::jsonb,
         expiry_told_for = u.expiry_told_for, heartbeat = u.heartbeat::jsonb
    from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[],
                $6::timestamptz[], $7::integer[], $8::timestamptz[], $9::text[], $10::text[],
                $11::timestamptz[], $12::text[])
      as u (monitor_no, state, next_due_at, last_slot, last_checked_at, last_status_changed_at,
            last_response_ms, cert_expires_at, samples, dns_baseline, expiry_told_for, heartbeat)
   where s.monitor_no = u.monitor_no`

/** Each monitor at most once: of two rows for one target PostgreSQL would apply only one. */
export async function writeStandings(tx: Db, monitors: readonly EngineMonitor[]): Promise<void> {
  const column = <V>(value: (monitor: EngineMonitor) => V) => monitors.map(value)
  const json = (value: DnsBaseline | EngineMonitor['heartbeat']) =>
    value === null ? null : JSON.stringify(value)
  await tx.query(WRITE, [
    column((m) => m.no),
    column((m) => m.state),
    column((m) => m.nextDueAt),
    column((m) => m.lastSlot),
    column((m) => m.lastCheckedAt),
    column((m) => m.lastStatusChangedAt),
    column((m) => m.lastResponseMs),
    column((m) => m.certExpiresAt),
    column((m) => `{${m.samplesMs.join(',')}}`),
    column((m) => json(m.dnsBaseline)),
    column((m) => m.expiryToldFor),
    column((m) => json(m.heartbeat)),
  ])
}
