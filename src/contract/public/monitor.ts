// A monitor as it is read, created and changed. Bounds and defaults are fixed for version 1.
import type { Static } from 'typebox'
import {
  DEGRADED_MODES,
  DNS_RECORD_TYPES,
  HTTP_METHODS,
  KEYWORD_MATCHES,
  MONITOR_STATES,
  MONITOR_TYPES,
} from '../../domain/monitors/monitor.ts'
import { closed, id, input, nullable, oneOf, patch, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

const DEFAULT_EXPECTED_STATUS = [200, 201, 202, 203, 204, 205, 206, 301, 302, 307, 308]

// One sentence per field, shared by reading and writing.
const ABOUT = {
  name: 'Name people see.',
  type: 'What is monitored, and which of the other fields apply.',
  url: 'Address to monitor. HTTP and KEYWORD: an http(s) URL. DNS, SSL and DOMAIN: a hostname or URL.',
  host: 'Hostname or IP address that PING and PORT check.',
  port: 'TCP port that PORT connects to.',
  method: 'HTTP method of the request.',
  expectedStatus: 'HTTP status codes that count as up.',
  requestHeaders: 'HTTP headers sent with the request, by name.',
  requestBody: 'Body sent with POST, PUT, PATCH and DELETE.',
  followRedirects:
    'Follow up to 10 redirects and judge the last response; otherwise judge the first.',
  verifySsl: 'Fail when the certificate is not trusted or is for another name.',
  keyword: 'Text that KEYWORD searches for in the response. Case-sensitive.',
  keywordMatch: 'Up when the keyword is there (EXISTS) or when it is not (NOT_EXISTS).',
  dnsRecordType: 'Record type that DNS asks for.',
  dnsExpected: 'Values that must be in the DNS answer, separated by commas or new lines.',
  dnsAlertOnChange: 'Alert when the DNS answer has a value not seen in the last 7 days.',
  sslExpiryThresholdDays: 'Days before expiry of a certificate or domain at which to warn.',
  intervalSeconds: 'Seconds from one check to the next.',
  timeoutSeconds: 'Seconds one check may take: name lookup, connection, TLS and response.',
  expectedPeriodSec: 'CRON: seconds between two pings. Null means `intervalSeconds`.',
  graceSeconds: 'CRON: seconds a ping may be late before the monitor is down.',
  degradedThresholdMs: 'Responses slower than this count as slow. Null turns DEGRADED off.',
  degradedThresholdMode: 'LAST: each of the last samples is slow. P95: their 95th percentile is.',
  degradedSamples: 'How many of the latest response times are judged.',
}

/** Every response with a monitor has exactly these 33 fields. The set is closed in version 1. */
export const MonitorBody = closed({
  id: id('Id of the monitor.'),
  name: Type.String({ description: ABOUT.name }),
  type: oneOf(MONITOR_TYPES, { description: ABOUT.type }),
  state: oneOf(MONITOR_STATES, {
    description: 'PENDING waits for its first check. DEGRADED is up, but slow or soon to expire.',
  }),
  url: nullable(Type.String({ description: ABOUT.url })),
  host: nullable(Type.String({ description: ABOUT.host })),
  port: nullable(Type.Integer({ description: ABOUT.port })),
  method: oneOf(HTTP_METHODS, { description: ABOUT.method }),
  expectedStatus: Type.Array(Type.Integer(), { description: ABOUT.expectedStatus }),
  requestHeaders: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: ABOUT.requestHeaders,
  }),
  requestBody: nullable(Type.String({ description: ABOUT.requestBody })),
  followRedirects: Type.Boolean({ description: ABOUT.followRedirects }),
  verifySsl: Type.Boolean({ description: ABOUT.verifySsl }),
  keyword: nullable(Type.String({ description: ABOUT.keyword })),
  keywordMatch: oneOf(KEYWORD_MATCHES, { description: ABOUT.keywordMatch }),
  dnsRecordType: nullable(Type.String({ description: ABOUT.dnsRecordType })),
  dnsExpected: nullable(Type.String({ description: ABOUT.dnsExpected })),
  dnsAlertOnChange: Type.Boolean({ description: ABOUT.dnsAlertOnChange }),
  sslExpiryThresholdDays: Type.Integer({ description: ABOUT.sslExpiryThresholdDays }),
  intervalSeconds: Type.Integer({ description: ABOUT.intervalSeconds }),
  timeoutSeconds: Type.Integer({ description: ABOUT.timeoutSeconds }),
  expectedPeriodSec: nullable(Type.Integer({ description: ABOUT.expectedPeriodSec })),
  graceSeconds: Type.Integer({ description: ABOUT.graceSeconds }),
  degradedThresholdMs: nullable(Type.Integer({ description: ABOUT.degradedThresholdMs })),
  degradedThresholdMode: oneOf(DEGRADED_MODES, { description: ABOUT.degradedThresholdMode }),
  degradedSamples: Type.Integer({ description: ABOUT.degradedSamples }),
  heartbeatUrl: nullable(Type.String({ description: 'Address your job pings. Only for CRON.' })),
  lastCheckedAt: nullable(timestamp('End of the last check, or the last ping of a CRON monitor.')),
  lastStatusChangedAt: nullable(timestamp('When `state` last changed. Null until it did.')),
  lastResponseMs: nullable(
    Type.Integer({ description: 'Milliseconds the last check took. Null without a response.' }),
  ),
  certExpiresAt: nullable(timestamp('End of validity of the certificate seen last.')),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When its settings last changed. Checks do not touch it.'),
})
export type MonitorBody = Static<typeof MonitorBody>

/** Each property of the create body, with bounds and defaults. The update body is derived from it. */
const writable = {
  name: Type.String({ minLength: 1, maxLength: 120, description: ABOUT.name }),
  type: oneOf(MONITOR_TYPES, { description: ABOUT.type }),
  url: Type.Optional(nullable(Type.String({ maxLength: 2048, description: ABOUT.url }))),
  host: Type.Optional(nullable(Type.String({ maxLength: 255, description: ABOUT.host }))),
  port: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 65_535, description: ABOUT.port })),
  ),
  method: oneOf(HTTP_METHODS, { default: 'GET', description: ABOUT.method }),
  expectedStatus: Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), {
    minItems: 1,
    maxItems: 100,
    default: DEFAULT_EXPECTED_STATUS,
    description: ABOUT.expectedStatus,
  }),
  requestHeaders: Type.Unsafe<Record<string, string> | null>({
    type: ['object', 'null'],
    additionalProperties: { type: 'string' },
    default: null,
    description: ABOUT.requestHeaders,
  }),
  requestBody: nullable(
    Type.String({ maxLength: 100_000, default: null, description: ABOUT.requestBody }),
  ),
  followRedirects: Type.Boolean({ default: true, description: ABOUT.followRedirects }),
  verifySsl: Type.Boolean({ default: true, description: ABOUT.verifySsl }),
  keyword: Type.Optional(nullable(Type.String({ maxLength: 500, description: ABOUT.keyword }))),
  keywordMatch: oneOf(KEYWORD_MATCHES, { default: 'EXISTS', description: ABOUT.keywordMatch }),
  dnsRecordType: oneOf(DNS_RECORD_TYPES, { default: 'A', description: ABOUT.dnsRecordType }),
  dnsExpected: Type.Optional(
    nullable(Type.String({ maxLength: 2000, description: ABOUT.dnsExpected })),
  ),
  dnsAlertOnChange: Type.Boolean({ default: true, description: ABOUT.dnsAlertOnChange }),
  sslExpiryThresholdDays: Type.Integer({
    minimum: 1,
    maximum: 365,
    default: 2,
    description: ABOUT.sslExpiryThresholdDays,
  }),
  intervalSeconds: Type.Integer({
    minimum: 30,
    maximum: 86_400,
    default: 300,
    description: ABOUT.intervalSeconds,
  }),
  timeoutSeconds: Type.Integer({
    minimum: 1,
    maximum: 60,
    default: 30,
    description: ABOUT.timeoutSeconds,
  }),
  expectedPeriodSec: Type.Optional(
    nullable(
      Type.Integer({ minimum: 60, maximum: 2_592_000, description: ABOUT.expectedPeriodSec }),
    ),
  ),
  graceSeconds: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 60,
    description: ABOUT.graceSeconds,
  }),
  degradedThresholdMs: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 60_000, description: ABOUT.degradedThresholdMs })),
  ),
  degradedThresholdMode: oneOf(DEGRADED_MODES, {
    default: 'LAST',
    description: ABOUT.degradedThresholdMode,
  }),
  degradedSamples: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 3,
    description: ABOUT.degradedSamples,
  }),
}

export const MonitorCreate = input(writable)
export type MonitorCreate = Static<typeof MonitorCreate>

export const MonitorUpdate = patch(writable)
export type MonitorUpdate = Static<typeof MonitorUpdate>

export const MONITOR_EXAMPLE: MonitorBody = {
  id: 'mon_01m7e3dhx0e008000mxrf1bnxa',
  name: 'Checkout',
  type: 'HTTP',
  state: 'UP',
  url: 'https://shop.example.com/checkout/health',
  host: null,
  port: null,
  method: 'GET',
  expectedStatus: [200],
  requestHeaders: { 'X-Probe': 'upvane' },
  requestBody: null,
  followRedirects: true,
  verifySsl: true,
  keyword: null,
  keywordMatch: 'EXISTS',
  dnsRecordType: 'A',
  dnsExpected: null,
  dnsAlertOnChange: true,
  sslExpiryThresholdDays: 14,
  intervalSeconds: 60,
  timeoutSeconds: 10,
  expectedPeriodSec: null,
  graceSeconds: 60,
  degradedThresholdMs: 800,
  degradedThresholdMode: 'P95',
  degradedSamples: 20,
  heartbeatUrl: null,
  lastCheckedAt: '2026-11-14T22:39:00.000Z',
  lastStatusChangedAt: '2026-11-02T04:17:31.212Z',
  lastResponseMs: 184,
  certExpiresAt: '2027-01-30T23:59:59.000Z',
  createdAt: '2026-09-01T08:00:00.000Z',
  updatedAt: '2026-10-12T15:20:44.903Z',
}
