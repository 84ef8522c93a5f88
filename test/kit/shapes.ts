// The shapes of version 1, held exactly: every promised field, of its type, and no other.
import assert from 'node:assert/strict'

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

export type TimelineLine = { id: string; type: string; at: string; message: string }
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

type Check = (value: unknown, at: string) => void
type Shape = Record<string, Check>

const ID = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const text: Check = (value, at) => assert.equal(typeof value, 'string', at)
const flag: Check = (value, at) => assert.equal(typeof value, 'boolean', at)
const whole: Check = (value, at) => assert.ok(Number.isInteger(value), `${at} is ${value}`)
const time: Check = (value, at) => assert.match(String(value), TIME, at)
const orNull =
  (check: Check): Check =>
  (value, at) =>
    value === null ? undefined : check(value, at)
const oneOf =
  (...values: string[]): Check =>
  (value, at) =>
    assert.ok(values.includes(String(value)), `${at} is ${value}, not one of ${values}`)
const id =
  (prefix: string): Check =>
  (value, at) => {
    assert.match(String(value), ID, at)
    assert.ok(String(value).startsWith(`${prefix}_`), `${at} is ${value}`)
  }
const listOf =
  (check: Check): Check =>
  (value, at) => {
    assert.ok(Array.isArray(value), `${at} is not a list`)
    value.forEach((item, index) => check(item, `${at}.${index}`))
  }
const exactly =
  (shape: Shape): Check =>
  (value, at) => {
    assert.ok(typeof value === 'object' && value !== null, `${at} is ${value}, not an object`)
    assert.deepEqual(Object.keys(value).toSorted(), Object.keys(shape).toSorted(), `keys of ${at}`)
    for (const [name, check] of Object.entries(shape))
      check((value as Record<string, unknown>)[name], `${at}.${name}`)
  }
const stringMap: Check = (value, at) => {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), at)
  for (const [name, member] of Object.entries(value)) text(member, `${at}.${name}`)
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
export const MONITOR_FIELDS = Object.keys(monitorShape) as (keyof Monitor)[]

/** Exactly the 33 fields; a heartbeat address for CRON and for no other type. */
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

export function assertIncident(value: unknown, at = 'incident'): asserts value is Incident {
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
  'PING_NO_REPLY', 'DNS_NO_RECORDS', 'DNS_MISMATCH', 'DOMAIN_EXPIRED', 'HEARTBEAT_MISSED',
  'HEARTBEAT_FAILED', 'TARGET_NOT_ALLOWED', 'INVALID_RESPONSE',
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

export function assertIncidentDetail(value: unknown, at = 'incident'): void {
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

export function assertPage(value: unknown, item: Check): void {
  exactly({ data: listOf(item), pagination })(value, 'page')
  const { data, pagination: page } = value as PageOf
  assert.ok(data.length <= page.limit, 'a page is never longer than its limit')
  assert.ok(data.length <= page.total, 'a page is never longer than the total')
}

/** What each operation answers when it succeeds. A new operation gets a row here. */
export const REPLIES: readonly (readonly [string, RegExp, number, Check])[] = [
  ['GET', /^\/api\/v1\/monitors$/, 200, (value) => assertPage(value, assertMonitor)],
  ['POST', /^\/api\/v1\/monitors$/, 201, assertMonitor],
  ['GET', /^\/api\/v1\/monitors\/[^/]+$/, 200, assertMonitor],
  ['PATCH', /^\/api\/v1\/monitors\/[^/]+$/, 200, assertMonitor],
  ['DELETE', /^\/api\/v1\/monitors\/[^/]+$/, 200, exactly({ data: exactly({ id: id('mon') }) })],
  ['POST', /^\/api\/v1\/monitors\/[^/]+\/(pause|resume|check)$/, 200, assertMonitor],
  ['GET', /^\/api\/v1\/incidents$/, 200, (value) => assertPage(value, assertIncident)],
  ['GET', /^\/api\/v1\/incidents\/[^/]+$/, 200, assertIncidentDetail],
  ['POST', /^\/api\/v1\/incidents\/[^/]+\/acknowledge$/, 200, assertIncidentDetail],
]
