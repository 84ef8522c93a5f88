// Maps a monitor to its two rows, in monitors and monitor_states.
import type { HeartbeatClock } from '../../domain/monitors/heartbeat-clock.ts'
import type { Monitor, MonitorSettings } from '../../domain/monitors/monitor.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import { sql } from '../core/db.ts'
import type { Cipher, SecretLocation } from '../core/organization-secrets.ts'
import type { Tenant } from '../core/tenants.ts'

export const monitorColumns = sql`
  m.no, m.id as uuid, m.name, m.type, m.url, m.host, m.port, m.method,
  m.expected_status as "expectedStatus", m.request_headers as "requestHeaders",
  m.request_body as "requestBody", m.follow_redirects as "followRedirects",
  m.verify_ssl as "verifySsl", m.keyword, m.keyword_match as "keywordMatch",
  m.dns_record_type as "dnsRecordType", m.dns_expected as "dnsExpected",
  m.dns_alert_on_change as "dnsAlertOnChange",
  m.ssl_expiry_threshold_days as "sslExpiryThresholdDays", m.interval_seconds as "intervalSeconds",
  m.timeout_seconds as "timeoutSeconds", m.expected_period_seconds as "expectedPeriodSec",
  m.grace_seconds as "graceSeconds", m.degraded_threshold_ms as "degradedThresholdMs",
  m.degraded_threshold_mode as "degradedThresholdMode", m.degraded_samples as "degradedSamples",
  m.heartbeat_token as "heartbeatToken", m.created_at as "createdAt", m.updated_at as "updatedAt",
  s.state, s.epoch, s.next_due_at as "nextDueAt", s.last_checked_at as "lastCheckedAt",
  s.last_status_changed_at as "lastStatusChangedAt", s.last_response_ms as "lastResponseMs",
  s.cert_expires_at as "certExpiresAt", s.heartbeat`

type Secret = 'requestHeaders' | 'requestBody' | 'heartbeatToken'
/** A monitor whose secrets are still encrypted. */
export type MonitorRecord = Omit<Monitor, Secret | 'heartbeat'> &
  Record<Secret, Buffer | null> & { heartbeat: StoredClock | null }

export async function toMonitor(tenant: Tenant, row: MonitorRecord): Promise<Monitor> {
  if (isPlain(row)) return row
  const heartbeat = row.heartbeat && toClock(row.heartbeat)
  const { requestHeaders, requestBody, heartbeatToken } = row
  if (requestHeaders === null && requestBody === null && heartbeatToken === null)
    return { ...row, requestHeaders, requestBody, heartbeatToken, heartbeat }

  const unseal = unsealer(await tenant.cipher(), row.uuid)
  const headers = unseal('request_headers', requestHeaders)
  return {
    ...row,
    heartbeat,
    requestHeaders: headers === null ? null : JSON.parse(headers),
    requestBody: unseal('request_body', requestBody),
    heartbeatToken: unseal('heartbeat_token', heartbeatToken),
  }
}

/** Most monitors have no secret and no heartbeat. Their row is the monitor, which avoids a costly copy. */
function isPlain(row: MonitorRecord | Monitor): row is Monitor {
  const { requestHeaders, requestBody, heartbeatToken, heartbeat } = row
  return (
    requestHeaders === null && requestBody === null && heartbeatToken === null && heartbeat === null
  )
}

/** A heartbeat's clock as stored in JSON: instants are text. */
export type StoredClock = {
  startedAt: string
  lastPing: { at: string; passed: boolean } | null
  runs: readonly { rid: string | null; startedAt: string; lostMs?: number }[]
  missedAt: string | null
  lostMs?: number
}

export function toClock(stored: StoredClock): HeartbeatClock {
  const { startedAt, lastPing, runs, missedAt, lostMs } = stored
  return {
    startedAt: new Date(startedAt),
    lastPing: lastPing && { ...lastPing, at: new Date(lastPing.at) },
    runs: runs.map((run) => ({ ...run, startedAt: new Date(run.startedAt) })),
    missedAt: missedAt === null ? null : new Date(missedAt),
    ...(lostMs !== undefined && { lostMs }),
  }
}

type Writable = MonitorSettings & { uuid: string; heartbeatToken: string | null }

/** The values of heartbeat_hash to degraded_samples, in the order in which both statements list them. */
export async function settingsValues(tenant: Tenant, monitor: Writable): Promise<unknown[]> {
  const { requestHeaders, requestBody, heartbeatToken } = monitor
  const secret = requestHeaders !== null || requestBody !== null || heartbeatToken !== null
  const cipher = secret ? await tenant.cipher() : undefined
  const seal = (column: string, plain: string | null) =>
    plain === null || cipher === undefined
      ? null
      : cipher.seal(secretLocation(monitor.uuid, column), plain)
  return [
    // Heartbeat URLs are looked up by this hash; the token itself is stored encrypted.
    heartbeatToken === null ? null : hashToken(heartbeatToken),
    seal('heartbeat_token', heartbeatToken),
    monitor.name,
    monitor.type,
    monitor.url,
    monitor.host,
    monitor.port,
    monitor.method,
    monitor.expectedStatus,
    seal('request_headers', requestHeaders === null ? null : JSON.stringify(requestHeaders)),
    seal('request_body', requestBody),
    monitor.followRedirects,
    monitor.verifySsl,
    monitor.keyword,
    monitor.keywordMatch,
    monitor.dnsRecordType,
    monitor.dnsExpected,
    monitor.dnsAlertOnChange,
    monitor.sslExpiryThresholdDays,
    monitor.intervalSeconds,
    monitor.timeoutSeconds,
    monitor.expectedPeriodSec,
    monitor.graceSeconds,
    monitor.degradedThresholdMs,
    monitor.degradedThresholdMode,
    monitor.degradedSamples,
  ]
}

function unsealer(cipher: Cipher, uuid: string) {
  return (column: string, value: Buffer | null): string | null =>
    value === null ? null : cipher.unseal(secretLocation(uuid, column), value)
}

const secretLocation = (uuid: string, column: string): SecretLocation => ({
  table: 'monitors',
  row: uuid,
  column,
})
