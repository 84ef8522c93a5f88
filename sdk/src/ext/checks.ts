// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { DnsRecordType } from '../api/monitors.ts'
import type { Call } from '../client/call.ts'
import type { WriteOptions } from '../client/options.ts'
import type {
  DegradedThresholdMode,
  HttpMethod,
  KeywordMatch,
  MonitorType,
} from '../event-shapes.ts'
import type { CheckResult } from './shared.ts'

export type CheckInput = {
  /** What is monitored, and which of the other fields apply. */
  type: MonitorType
  /** Address to monitor. HTTP and KEYWORD: an http(s) URL. DNS, SSL and DOMAIN: a hostname or URL. */
  url?: string | null
  /** Hostname or IP address that PING and PORT check. */
  host?: string | null
  /** TCP port that PORT connects to. */
  port?: number | null
  /** HTTP method of the request. Default: `GET`. */
  method?: HttpMethod
  /** HTTP status codes that count as up. Default: `[200, 201, 202, 203, 204, 205, 206, 301, 302, 307, 308]`. */
  expectedStatus?: number[]
  /** HTTP headers sent with the request, by name. */
  requestHeaders?: Record<string, string> | null
  /** Body sent with POST, PUT, PATCH and DELETE. */
  requestBody?: string | null
  /** Follow up to 10 redirects and judge the last response; otherwise judge the first. Default: `true`. */
  followRedirects?: boolean
  /** Fail when the certificate is not trusted or is for another name. Default: `true`. */
  verifySsl?: boolean
  /** Text that KEYWORD searches for in the response. Case-sensitive. */
  keyword?: string | null
  /** Up when the keyword is there (EXISTS) or when it is not (NOT_EXISTS). Default: `EXISTS`. */
  keywordMatch?: KeywordMatch
  /** Record type that DNS asks for. Default: `A`. */
  dnsRecordType?: DnsRecordType
  /** Values that must be in the DNS answer, separated by commas or new lines. */
  dnsExpected?: string | null
  /** Alert when the DNS answer has a value not seen in the last 7 days. Default: `true`. */
  dnsAlertOnChange?: boolean
  /** Days before expiry of a certificate or domain at which to warn. Default: `2`. */
  sslExpiryThresholdDays?: number
  /** Seconds from one check to the next. Default: `300`. */
  intervalSeconds?: number
  /** Seconds one check may take: name lookup, connection, TLS and response. Default: `30`. */
  timeoutSeconds?: number
  /** CRON: seconds between two pings. Null means `intervalSeconds`. */
  expectedPeriodSec?: number | null
  /** CRON: seconds a ping may be late before the monitor is down. Default: `60`. */
  graceSeconds?: number
  /** Responses slower than this count as slow. Null turns DEGRADED off. */
  degradedThresholdMs?: number | null
  /** LAST: each of the last samples is slow. P95: their 95th percentile is. Default: `LAST`. */
  degradedThresholdMode?: DegradedThresholdMode
  /** How many of the latest response times are judged. Default: `3`. */
  degradedSamples?: number
  /** Region to check from. Left out, the home region of the organization. */
  region?: string
}

export type Checks = {
  /** Check something without saving it. */
  run(input: CheckInput, options?: WriteOptions): Call<CheckResult>
}
