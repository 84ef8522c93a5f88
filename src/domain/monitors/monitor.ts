// A monitor: its settings, its current status, and how the API shows it.
import {
  choice,
  type Fields,
  integer,
  listOf,
  optional,
  orNull,
  pickFields,
  required,
  text,
  textByName,
  type ValuesOf,
  withDefault,
  withoutFields,
  yesOrNo,
} from '../fields/field.ts'
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

const DEFAULT_EXPECTED_STATUS = [200, 201, 202, 203, 204, 205, 206, 301, 302, 307, 308]

/** Everything a user can set, named as in the API. Bounds and defaults are fixed for version 1. */
export const MONITOR_SETTINGS = {
  name: required(text({ minLength: 1, maxLength: 120 }), {
    about: 'Name people see.',
    example: 'Checkout',
  }),
  type: required(choice(MONITOR_TYPES), {
    about: 'What is monitored, and which of the other fields apply.',
    example: 'HTTP',
  }),
  url: optional(text({ maxLength: 2048 }), {
    about:
      'Address to monitor. HTTP and KEYWORD: an http(s) URL. DNS, SSL and DOMAIN: a hostname or URL.',
    example: 'https://shop.example.com/checkout/health',
  }),
  host: optional(text({ maxLength: 255 }), {
    about: 'Hostname or IP address that PING and PORT check.',
    example: null,
  }),
  port: optional(integer({ minimum: 1, maximum: 65_535 }), {
    about: 'TCP port that PORT connects to.',
    example: null,
  }),
  method: withDefault(choice(HTTP_METHODS), 'GET', {
    about: 'HTTP method of the request.',
    example: 'GET',
  }),
  expectedStatus: withDefault(
    listOf(integer({ minimum: 100, maximum: 599 }), { minItems: 1, maxItems: 100 }),
    DEFAULT_EXPECTED_STATUS,
    { about: 'HTTP status codes that count as up.', example: [200] },
  ),
  requestHeaders: withDefault(orNull(textByName), null, {
    about: 'HTTP headers sent with the request, by name.',
    example: { 'X-Probe': 'upvane' },
    sealed: 'JSON',
  }),
  requestBody: withDefault(orNull(text({ maxLength: 100_000 })), null, {
    about: 'Body sent with POST, PUT, PATCH and DELETE.',
    example: null,
    sealed: 'TEXT',
  }),
  followRedirects: withDefault(yesOrNo, true, {
    about: 'Follow up to 10 redirects and judge the last response; otherwise judge the first.',
    example: true,
  }),
  verifySsl: withDefault(yesOrNo, true, {
    about: 'Fail when the certificate is not trusted or is for another name.',
    example: true,
  }),
  keyword: optional(text({ maxLength: 500 }), {
    about: 'Text that KEYWORD searches for in the response. Case-sensitive.',
    example: null,
  }),
  keywordMatch: withDefault(choice(KEYWORD_MATCHES), 'EXISTS', {
    about: 'Up when the keyword is there (EXISTS) or when it is not (NOT_EXISTS).',
    example: 'EXISTS',
  }),
  dnsRecordType: withDefault(choice(DNS_RECORD_TYPES), 'A', {
    about: 'Record type that DNS asks for.',
    example: 'A',
    shown: { type: ['string', 'null'] },
  }),
  dnsExpected: optional(text({ maxLength: 2000 }), {
    about: 'Values that must be in the DNS answer, separated by commas or new lines.',
    example: null,
  }),
  dnsAlertOnChange: withDefault(yesOrNo, true, {
    about: 'Alert when the DNS answer has a value not seen in the last 7 days.',
    example: true,
  }),
  sslExpiryThresholdDays: withDefault(integer({ minimum: 1, maximum: 365 }), 2, {
    about: 'Days before expiry of a certificate or domain at which to warn.',
    example: 14,
  }),
  intervalSeconds: withDefault(integer({ minimum: 30, maximum: 86_400 }), 300, {
    about: 'Seconds from one check to the next.',
    example: 60,
  }),
  timeoutSeconds: withDefault(integer({ minimum: 1, maximum: 60 }), 30, {
    about: 'Seconds one check may take: name lookup, connection, TLS and response.',
    example: 10,
  }),
  expectedPeriodSec: optional(integer({ minimum: 60, maximum: 2_592_000 }), {
    about: 'CRON: seconds between two pings. Null means `intervalSeconds`.',
    example: null,
    column: 'expected_period_seconds',
  }),
  graceSeconds: withDefault(integer({ minimum: 0, maximum: 86_400 }), 60, {
    about: 'CRON: seconds a ping may be late before the monitor is down.',
    example: 60,
  }),
  degradedThresholdMs: optional(integer({ minimum: 1, maximum: 60_000 }), {
    about: 'Responses slower than this count as slow. Null turns DEGRADED off.',
    example: 800,
  }),
  degradedThresholdMode: withDefault(choice(DEGRADED_MODES), 'LAST', {
    about: 'LAST: each of the last samples is slow. P95: their 95th percentile is.',
    example: 'P95',
  }),
  degradedSamples: withDefault(integer({ minimum: 1, maximum: 100 }), 3, {
    about: 'How many of the latest response times are judged.',
    example: 20,
  }),
} as const satisfies Fields

export type MonitorSettings = {
  -readonly [F in keyof typeof MONITOR_SETTINGS]: ValuesOf<typeof MONITOR_SETTINGS>[F]
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

const OTHER_SETTINGS = withoutFields(MONITOR_SETTINGS, ['name', 'type'])

/** The 33 fields of the API, in the order of the API. */
export function toApiMonitor(monitor: Monitor, baseUrl: string) {
  return {
    id: toPublicId('mon', monitor.uuid),
    name: monitor.name,
    type: monitor.type,
    state: monitor.state,
    ...pickFields(OTHER_SETTINGS, monitor),
    heartbeatUrl: heartbeatUrl(monitor, baseUrl),
    lastCheckedAt: monitor.lastCheckedAt,
    lastStatusChangedAt: monitor.lastStatusChangedAt,
    lastResponseMs: monitor.lastResponseMs,
    certExpiresAt: monitor.certExpiresAt,
    createdAt: monitor.createdAt,
    updatedAt: monitor.updatedAt,
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
