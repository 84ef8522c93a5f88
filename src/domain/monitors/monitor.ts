// A monitor: its settings, its current status, and how the API shows it.
import { toPublicId } from '../values/id.ts'
import type { HeartbeatClock } from './heartbeat-clock.ts'

export const MONITOR_TYPES = [
  'HTTP',
  'KEYWORD',
  'PING',
  'PORT',
  'CRON',
  'DNS',
  'SSL',
  'DOMAIN',
] as const
export const MONITOR_STATES = ['PENDING', 'UP', 'DEGRADED', 'DOWN', 'PAUSED'] as const
export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const KEYWORD_MATCHES = ['EXISTS', 'NOT_EXISTS'] as const
export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'] as const
export const DEGRADED_MODES = ['LAST', 'P95'] as const

export type MonitorType = (typeof MONITOR_TYPES)[number]
export type MonitorState = (typeof MONITOR_STATES)[number]
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number]

type TargetField = 'url' | 'host' | 'port' | 'keyword'

export const REQUIRED_FIELDS: Record<MonitorType, readonly TargetField[]> = {
  HTTP: ['url'],
  KEYWORD: ['url', 'keyword'],
  PING: ['host'],
  PORT: ['host', 'port'],
  CRON: [],
  DNS: ['url'],
  SSL: ['url'],
  DOMAIN: ['url'],
}

/** Everything a user can set, named as in the API. */
export type MonitorSettings = {
  name: string
  type: MonitorType
  url: string | null
  host: string | null
  port: number | null
  method: (typeof HTTP_METHODS)[number]
  expectedStatus: number[]
  requestHeaders: Record<string, string> | null
  requestBody: string | null
  followRedirects: boolean
  verifySsl: boolean
  keyword: string | null
  keywordMatch: (typeof KEYWORD_MATCHES)[number]
  dnsRecordType: DnsRecordType
  dnsExpected: string | null
  dnsAlertOnChange: boolean
  sslExpiryThresholdDays: number
  intervalSeconds: number
  timeoutSeconds: number
  expectedPeriodSec: number | null
  graceSeconds: number
  degradedThresholdMs: number | null
  degradedThresholdMode: (typeof DEGRADED_MODES)[number]
  degradedSamples: number
}

/** The result of checks and user actions so far. */
export type MonitorStatus = {
  state: MonitorState
  epoch: number
  nextDueAt: Date | null
  lastCheckedAt: Date | null
  lastStatusChangedAt: Date | null
  lastResponseMs: number | null
  certExpiresAt: Date | null
  /** Null unless the monitor is CRON. */
  heartbeat: HeartbeatClock | null
}

export type Monitor = MonitorSettings &
  MonitorStatus & {
    /** Key of its rows in the history tables; never shown. */
    no: number
    uuid: string
    heartbeatToken: string | null
    createdAt: Date
    updatedAt: Date
  }

/** The 33 fields of the API, in the order of the API. */
export function toApiMonitor(monitor: Monitor, baseUrl: string) {
  return {
    id: toPublicId('mon', monitor.uuid),
    name: monitor.name,
    type: monitor.type,
    state: monitor.state,
    url: monitor.url,
    host: monitor.host,
    port: monitor.port,
    method: monitor.method,
    expectedStatus: monitor.expectedStatus,
    requestHeaders: monitor.requestHeaders,
    requestBody: monitor.requestBody,
    followRedirects: monitor.followRedirects,
    verifySsl: monitor.verifySsl,
    keyword: monitor.keyword,
    keywordMatch: monitor.keywordMatch,
    dnsRecordType: monitor.dnsRecordType,
    dnsExpected: monitor.dnsExpected,
    dnsAlertOnChange: monitor.dnsAlertOnChange,
    sslExpiryThresholdDays: monitor.sslExpiryThresholdDays,
    intervalSeconds: monitor.intervalSeconds,
    timeoutSeconds: monitor.timeoutSeconds,
    expectedPeriodSec: monitor.expectedPeriodSec,
    graceSeconds: monitor.graceSeconds,
    degradedThresholdMs: monitor.degradedThresholdMs,
    degradedThresholdMode: monitor.degradedThresholdMode,
    degradedSamples: monitor.degradedSamples,
    heartbeatUrl: heartbeatUrl(monitor, baseUrl),
    lastCheckedAt: isoTime(monitor.lastCheckedAt),
    lastStatusChangedAt: isoTime(monitor.lastStatusChangedAt),
    lastResponseMs: monitor.lastResponseMs,
    certExpiresAt: isoTime(monitor.certExpiresAt),
    createdAt: monitor.createdAt.toISOString(),
    updatedAt: monitor.updatedAt.toISOString(),
  }
}
export type ApiMonitor = ReturnType<typeof toApiMonitor>

/** Removes anything that could be a credential: header names stay, their values do not. */
export function withoutSecrets(shown: ApiMonitor): ApiMonitor {
  const { requestHeaders } = shown
  const names = requestHeaders && Object.keys(requestHeaders)
  return {
    ...shown,
    requestHeaders: names && Object.fromEntries(names.map((name) => [name, '***'])),
    requestBody: null,
    heartbeatUrl: null,
  }
}

// The token survives a change of type, but its URL works only while the monitor is CRON.
function heartbeatUrl({ type, heartbeatToken }: Monitor, baseUrl: string): string | null {
  return type === 'CRON' && heartbeatToken !== null ? `${baseUrl}/hb/${heartbeatToken}` : null
}

export function isoTime(at: Date | null): string | null {
  return at === null ? null : at.toISOString()
}
