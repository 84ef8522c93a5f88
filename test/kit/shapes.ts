// The exact shapes of version 1: every promised field, of its type, and no other.
import assert from 'node:assert/strict'
import {
  type Check,
  exactly,
  flag,
  id,
  listOf,
  oneOf,
  orNull,
  type Shape,
  stringMap,
  text,
  time,
  whole,
} from './exact.ts'
import { assertStatusIncident, assertStatusPage } from './status-shapes.ts'
import {
  assertDelivery,
  assertDeliveryDetail,
  assertEndpoint,
  assertEndpointWithSecret,
} from './webhook-shapes.ts'
import { assertWindow } from './window-shapes.ts'

export type Monitor = {
  id: string
  name: string
  type: string
  state: string
  url: string | null
  host: string | null
  port: number | null
  method: string
  expectedStatus: number[]
  requestHeaders: Record<string, string> | null
  requestBody: string | null
  followRedirects: boolean
  verifySsl: boolean
  keyword: string | null
  keywordMatch: string
  dnsRecordType: string | null
  dnsExpected: string | null
  dnsAlertOnChange: boolean
  sslExpiryThresholdDays: number
  intervalSeconds: number
  timeoutSeconds: number
  expectedPeriodSec: number | null
  graceSeconds: number
  degradedThresholdMs: number | null
  degradedThresholdMode: string
  degradedSamples: number
  heartbeatUrl: string | null
  lastCheckedAt: string | null
  lastStatusChangedAt: string | null
  lastResponseMs: number | null
  certExpiresAt: string | null
  createdAt: string
  updatedAt: string
}

export type Incident = {
  id: string
  monitor: { id: string; name: string; type: string }
  startedAt: string
  resolvedAt: string | null
  durationSec: number | null
  cause: string | null
  acknowledged: boolean
}

type TimelineLine = { id: string; type: string; at: string; message: string }
export type IncidentDetail = Incident & {
  causeCode: string
  resolution: string | null
  acknowledgedAt: string | null
  acknowledgedBy: { type: string; id: string; name: string } | null
  acknowledgeNote: string | null
  openedBy: Record<string, unknown>
  lastFailure: Record<string, unknown>
  resolvedBy: Record<string, unknown> | null
  timeline: TimelineLine[]
  statusIncidentIds: string[]
}

const monitorType = oneOf('HTTP', 'KEYWORD', 'PING', 'PORT', 'CRON', 'DNS', 'SSL', 'DOMAIN')
const monitorShape: Shape = {
  id: id('mon'),
  name: text,
  type: monitorType,
  state: oneOf('PENDING', 'UP', 'DEGRADED', 'DOWN', 'PAUSED'),
  url: orNull(text),
  host: orNull(text),
  port: orNull(whole),
  method: oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  expectedStatus: listOf(whole),
  requestHeaders: orNull(stringMap),
  requestBody: orNull(text),
  followRedirects: flag,
  verifySsl: flag,
  keyword: orNull(text),
  keywordMatch: oneOf('EXISTS', 'NOT_EXISTS'),
  dnsRecordType: orNull(oneOf('A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS')),
  dnsExpected: orNull(text),
  dnsAlertOnChange: flag,
  sslExpiryThresholdDays: whole,
  intervalSeconds: whole,
  timeoutSeconds: whole,
  expectedPeriodSec: orNull(whole),
  graceSeconds: whole,
  degradedThresholdMs: orNull(whole),
  degradedThresholdMode: oneOf('LAST', 'P95'),
  degradedSamples: whole,
  heartbeatUrl: orNull(text),
  lastCheckedAt: orNull(time),
  lastStatusChangedAt: orNull(time),
  lastResponseMs: orNull(whole),
  certExpiresAt: orNull(time),
  createdAt: time,
  updatedAt: time,
}
const MONITOR_FIELDS = Object.keys(monitorShape) as (keyof Monitor)[]

/** Exactly the 33 fields; a heartbeat URL for CRON and for no other type. */
export function assertMonitor(value: unknown, at = 'monitor'): asserts value is Monitor {
  assert.equal(MONITOR_FIELDS.length, 33)
  exactly(monitorShape)(value, at)
  const { type, heartbeatUrl } = value as Monitor
  assert.equal(heartbeatUrl !== null, type === 'CRON', `${at}.heartbeatUrl of ${type}`)
}

const incidentShape: Shape = {
  id: id('inc'),
  monitor: exactly({ id: id('mon'), name: text, type: monitorType }),
  startedAt: time,
  resolvedAt: orNull(time),
  durationSec: orNull(whole),
  cause: orNull(text),
  acknowledged: flag,
}

function assertIncident(value: unknown, at = 'incident'): asserts value is Incident {
  exactly(incidentShape)(value, at)
  assertDuration(value as Incident, at)
}

function assertDuration({ startedAt, resolvedAt, durationSec }: Incident, at: string): void {
  const seconds = resolvedAt && Math.floor((Date.parse(resolvedAt) - Date.parse(startedAt)) / 1000)
  assert.equal(durationSec, seconds, `${at}.durationSec`)
}

// biome-ignore format: many short values read better side by side
const CAUSES = [
  'TIMEOUT', 'DNS_ERROR', 'CONNECTION_REFUSED', 'CONNECTION_RESET', 'CONNECTION_FAILED',
  'TLS_ERROR', 'CERT_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_UNTRUSTED', 'CERT_NAME_MISMATCH',
  'UNEXPECTED_STATUS', 'TOO_MANY_REDIRECTS', 'KEYWORD_MISSING', 'KEYWORD_PRESENT',
  'PING_NO_REPLY', 'DNS_NO_RECORDS', 'DNS_MISMATCH', 'DOMAIN_EXPIRED',
  'DOMAIN_NOT_REGISTERED', 'HEARTBEAT_MISSED', 'HEARTBEAT_FAILED', 'TARGET_NOT_ALLOWED', 'INVALID_RESPONSE',
]
const causeCode = oneOf(...CAUSES)
const outcome = oneOf('OK', 'FAILED')
const evidence = exactly({
  checkId: id('chk'),
  checkedAt: time,
  location: text,
  outcome,
  causeCode: orNull(causeCode),
  cause: orNull(text),
  responseMs: orNull(whole),
  httpStatus: orNull(whole),
  resolvedIp: orNull(text),
  timings: orNull(
    exactly({
      dnsMs: orNull(whole),
      connectMs: orNull(whole),
      tlsMs: orNull(whole),
      firstByteMs: orNull(whole),
    }),
  ),
  certExpiresAt: orNull(time),
  dnsAnswers: orNull(listOf(text)),
  bodyExcerpt: orNull(text),
  attempts: listOf(
    exactly({
      number: whole,
      startedAt: time,
      outcome,
      causeCode: orNull(causeCode),
      responseMs: orNull(whole),
      httpStatus: orNull(whole),
    }),
  ),
})
// biome-ignore format: many short values read better side by side
const timelineType = oneOf(
  'OPENED', 'STILL_FAILING', 'CAUSE_CHANGED', 'ACKNOWLEDGED', 'ALERT_SENT', 'ALERT_FAILED',
  'RESOLVED',
)
const incidentDetail = exactly({
  ...incidentShape,
  causeCode,
  resolution: orNull(oneOf('RECOVERED', 'MONITOR_PAUSED', 'MONITOR_CHANGED')),
  acknowledgedAt: orNull(time),
  acknowledgedBy: orNull(exactly({ type: oneOf('API_KEY', 'USER'), id: text, name: text })),
  acknowledgeNote: orNull(text),
  openedBy: evidence,
  lastFailure: evidence,
  resolvedBy: orNull(evidence),
  timeline: listOf(exactly({ id: id('itl'), type: timelineType, at: time, message: text })),
  statusIncidentIds: listOf(text),
})

function assertIncidentDetail(value: unknown, at = 'incident'): void {
  incidentDetail(value, at)
  const incident = value as IncidentDetail
  assertDuration(incident, at)
  assert.equal(incident.acknowledged, incident.acknowledgedAt !== null, `${at}.acknowledged`)
  assert.equal(incident.resolvedAt === null, incident.resolution === null, `${at}.resolution`)
  const times = incident.timeline.map((line) => line.at)
  assert.deepEqual(times, times.toSorted(), `${at}.timeline is oldest first`)
}

const pagination = exactly({ limit: whole, offset: whole, total: whole })
type PageOf = { data: unknown[]; pagination: { limit: number; total: number } }

function assertPage(value: unknown, item: Check): void {
  exactly({ data: listOf(item), pagination })(value, 'page')
  const { data, pagination: page } = value as PageOf
  assert.ok(data.length <= page.limit, 'a page is never longer than its limit')
  assert.ok(data.length <= page.total, 'a page is never longer than the total')
}

const deleted = (prefix: string) => exactly({ data: exactly({ id: id(prefix) }) })

/** The success response of each operation. A new operation gets a row here. */
export const REPLIES: readonly (readonly [string, RegExp, number, Check])[] = [
  ['GET', /^\/api\/v1\/monitors$/, 200, (value) => assertPage(value, assertMonitor)],
  ['POST', /^\/api\/v1\/monitors$/, 201, assertMonitor],
  ['GET', /^\/api\/v1\/monitors\/[^/]+$/, 200, assertMonitor],
  ['PATCH', /^\/api\/v1\/monitors\/[^/]+$/, 200, assertMonitor],
  ['DELETE', /^\/api\/v1\/monitors\/[^/]+$/, 200, deleted('mon')],
  ['POST', /^\/api\/v1\/monitors\/[^/]+\/(pause|resume|check)$/, 200, assertMonitor],
  ['GET', /^\/api\/v1\/incidents$/, 200, (value) => assertPage(value, assertIncident)],
  ['GET', /^\/api\/v1\/incidents\/[^/]+$/, 200, assertIncidentDetail],
  ['POST', /^\/api\/v1\/incidents\/[^/]+\/acknowledge$/, 200, assertIncidentDetail],
  ['GET', /^\/api\/v1\/maintenance-windows$/, 200, (value) => assertPage(value, assertWindow)],
  ['POST', /^\/api\/v1\/maintenance-windows$/, 201, assertWindow],
  ['GET', /^\/api\/v1\/maintenance-windows\/[^/]+$/, 200, assertWindow],
  ['PATCH', /^\/api\/v1\/maintenance-windows\/[^/]+$/, 200, assertWindow],
  ['DELETE', /^\/api\/v1\/maintenance-windows\/[^/]+$/, 200, deleted('mw')],
  ['GET', /^\/api\/v1\/status-pages$/, 200, (value) => assertPage(value, assertStatusPage)],
  ['POST', /^\/api\/v1\/status-pages$/, 201, assertStatusPage],
  ['GET', /^\/api\/v1\/status-pages\/[^/]+$/, 200, assertStatusPage],
  ['PATCH', /^\/api\/v1\/status-pages\/[^/]+$/, 200, assertStatusPage],
  ['DELETE', /^\/api\/v1\/status-pages\/[^/]+$/, 200, deleted('sp')],
  ['GET', /^\/api\/v1\/status-incidents$/, 200, (value) => assertPage(value, assertStatusIncident)],
  ['POST', /^\/api\/v1\/status-incidents$/, 201, assertStatusIncident],
  ['GET', /^\/api\/v1\/status-incidents\/[^/]+$/, 200, assertStatusIncident],
  ['PATCH', /^\/api\/v1\/status-incidents\/[^/]+$/, 200, assertStatusIncident],
  ['DELETE', /^\/api\/v1\/status-incidents\/[^/]+$/, 200, deleted('sin')],
  ['POST', /^\/api\/v1\/status-incidents\/[^/]+\/updates$/, 201, assertStatusIncident],
  ['GET', /^\/api\/v1\/webhook-endpoints$/, 200, (value) => assertPage(value, assertEndpoint)],
  ['POST', /^\/api\/v1\/webhook-endpoints$/, 201, assertEndpointWithSecret],
  ['GET', /^\/api\/v1\/webhook-endpoints\/[^/]+$/, 200, assertEndpoint],
  ['PATCH', /^\/api\/v1\/webhook-endpoints\/[^/]+$/, 200, assertEndpoint],
  ['DELETE', /^\/api\/v1\/webhook-endpoints\/[^/]+$/, 200, deleted('whe')],
  ['POST', /^\/api\/v1\/webhook-endpoints\/[^/]+\/rotate-secret$/, 200, assertEndpointWithSecret],
  ['POST', /^\/api\/v1\/webhook-endpoints\/[^/]+\/test$/, 200, assertDelivery],
  ['GET', /^\/api\/v1\/webhook-deliveries$/, 200, (value) => assertPage(value, assertDelivery)],
  ['GET', /^\/api\/v1\/webhook-deliveries\/[^/]+$/, 200, assertDeliveryDetail],
  ['POST', /^\/api\/v1\/webhook-deliveries\/[^/]+\/retry$/, 200, assertDeliveryDetail],
]
