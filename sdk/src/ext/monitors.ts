// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { CheckEvidence, CheckTimings } from '../api/incidents.ts'
import type { DnsRecordType } from '../api/monitors.ts'
import type { Deleted } from '../api/shared.ts'
import type { Call } from '../client/call.ts'
import type { CursorList } from '../client/cursor-list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type {
  CauseCode,
  DegradedThresholdMode,
  EventIncidentResolution,
  HttpMethod,
  KeywordMatch,
  MonitorState,
  MonitorType,
} from '../event-shapes.ts'
import type {
  CheckResult,
  ChosenRegions,
  PingAliasAddress,
  RegionSetting,
  RegionSettingInput,
} from './shared.ts'

export type Management = {
  /** Name of the source that manages it. */
  source: string
  /** Its place in the source, such as `monitors.checkout`. */
  address: string
}

export type MonitorCheck = {
  /** When the check was due. Together with the monitor, it identifies the check. */
  at: string
  /** What caused the check. */
  kind: 'SCHEDULED' | 'REQUESTED' | 'PING' | 'DEADLINE'
  /** How it ended. */
  outcome: 'PASSED' | 'SLOW' | 'FAILED' | 'INCONCLUSIVE' | 'SUPERSEDED'
  /** Milliseconds to the response. */
  responseMs: number | null
  /** HTTP status of the response. */
  httpStatus: number | null
  /** Region it ran from. Null if it passed in several at once. */
  region: string | null
  /** Kind of failure. */
  causeCode: CauseCode | null
  /** Where the time went, where it was measured. */
  timings: CheckTimings | null
  /** What each region found. Null unless the check ran in several at once. */
  regions: RegionCheck[] | null
  /** The incident that a failure belongs to. */
  incidentId: string | null
}

export type MonitorCheckInput = {
  /** Region to check from. Left out, the home region of the organization. */
  region?: string
}

export type MonitorDetail = {
  /** Id of the monitor. */
  id: string
  /** Name people see. */
  name: string
  /** What is monitored, and which of the other fields apply. */
  type: MonitorType
  /** PENDING waits for its first check. DEGRADED is up, but slow or soon to expire. */
  state: MonitorState
  /** Address to monitor. HTTP and KEYWORD: an http(s) URL. DNS, SSL and DOMAIN: a hostname or URL. */
  url: string | null
  /** Hostname or IP address that PING and PORT check. */
  host: string | null
  /** TCP port that PORT connects to. */
  port: number | null
  /** HTTP method of the request. */
  method: HttpMethod
  /** HTTP status codes that count as up. */
  expectedStatus: number[]
  /** HTTP headers sent with the request, by name. */
  requestHeaders: Record<string, unknown> | null
  /** Body sent with POST, PUT, PATCH and DELETE. */
  requestBody: string | null
  /** Follow up to 10 redirects and judge the last response; otherwise judge the first. */
  followRedirects: boolean
  /** Fail when the certificate is not trusted or is for another name. */
  verifySsl: boolean
  /** Text that KEYWORD searches for in the response. Case-sensitive. */
  keyword: string | null
  /** Up when the keyword is there (EXISTS) or when it is not (NOT_EXISTS). */
  keywordMatch: KeywordMatch
  /** Record type that DNS asks for. */
  dnsRecordType: string | null
  /** Values that must be in the DNS answer, separated by commas or new lines. */
  dnsExpected: string | null
  /** Alert when the DNS answer has a value not seen in the last 7 days. */
  dnsAlertOnChange: boolean
  /** Days before expiry of a certificate or domain at which to warn. */
  sslExpiryThresholdDays: number
  /** Seconds from one check to the next. */
  intervalSeconds: number
  /** Seconds one check may take: name lookup, connection, TLS and response. */
  timeoutSeconds: number
  /** CRON: seconds between two pings. Null means `intervalSeconds`. */
  expectedPeriodSec: number | null
  /** CRON: seconds a ping may be late before the monitor is down. */
  graceSeconds: number
  /** Responses slower than this count as slow. Null turns DEGRADED off. */
  degradedThresholdMs: number | null
  /** LAST: each of the last samples is slow. P95: their 95th percentile is. */
  degradedThresholdMode: DegradedThresholdMode
  /** How many of the latest response times are judged. */
  degradedSamples: number
  /** Address your job pings. Only for CRON. */
  heartbeatUrl: string | null
  /** End of the last check, or the last ping of a CRON monitor. */
  lastCheckedAt: string | null
  /** When `state` last changed. Null until it did. */
  lastStatusChangedAt: string | null
  /** Milliseconds the last check took. Null without a response. */
  lastResponseMs: number | null
  /** End of validity of the certificate seen last. */
  certExpiresAt: string | null
  /** When it was created. */
  createdAt: string
  /** When its settings last changed. Checks do not touch it. */
  updatedAt: string
  /** Its tags, by name. */
  tags: MonitorTag[]
  /** Contacts that are alerted about it. */
  alertContactIds: string[]
  /** The configuration file that manages it. */
  managedBy: Management | null
  /** The regions that were chosen for this monitor. Null if it follows a tag, the organization or the rules. */
  regions: ChosenRegions | null
}

export type MonitorDetailInput = {
  /** Name people see. */
  name: string
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
  /** Contacts that are alerted about it. Left out: all contacts of the organization. Empty: none. */
  contactIds?: string[]
  /** Its tags, by id or by name. A name that is not a tag yet becomes one. Default: `[]`. */
  tags?: string[]
  /** Whether it starts as PAUSED: it is not checked until it is resumed. Default: `false`. */
  paused?: boolean
  /** Where it is checked. Null: where its tags, the organization or the rules say. */
  regions?: RegionSettingInput | null
}

export type MonitorReplay = {
  /** Id of the monitor. */
  monitorId: string
  /** Start of the period: the first check that is still stored. */
  from: string
  /** End of the period. */
  to: string
  /** How many results were replayed. */
  checks: number
  /** The settings that were replayed. */
  settings: ReplaySettings
  /** With the settings of the monitor. */
  current: ReplayTotals
  /** With the settings that were replayed. */
  replayed: ReplayTotals
  /** Recorded and replayed ones, newest first, at most 200. */
  incidents: ReplayedIncident[]
  /** What would have been sent, newest first, at most 200. */
  alerts: ReplayedAlert[]
  /** False if there was too much for one replay, and only the latest was replayed. */
  complete: boolean
}

export type MonitorTag = {
  /** Id of the tag. */
  id: string
  /** Name for people. */
  name: string
}

export type MonitorTags = {
  /** The tags of the monitor, by name. */
  tags: MonitorTag[]
}

export type MonitorUptime = {
  /** Id of the monitor. */
  monitorId: string
  /** The end of all windows. */
  at: string
  /** One figure for each window. */
  windows: UptimeFigure[]
}

export type PingAlias = {
  /** Id of a CRON monitor. */
  monitorId: string
  /** The old token: of a push monitor in Uptime Kuma, or of a check in Healthchecks (its UUID, or ping key and slug with a slash between). */
  token: string
}

export type PingAliasInput = {
  /** Each token once. A token that exists already leads to the monitor given here. A monitor may have 5. */
  aliases: PingAlias[]
}

export type RegionCheck = {
  /** Name of the region. */
  region: string
  /** INCONCLUSIVE: it gave no answer, through no fault of the target. */
  outcome: 'PASSED' | 'FAILED' | 'INCONCLUSIVE'
  /** Milliseconds to the response. */
  responseMs: number | null
  /** HTTP status of the response. */
  httpStatus: number | null
  /** Kind of failure. */
  causeCode: CauseCode | null
}

export type ReplaySettings = {
  /** Responses slower than this count as slow. Null: none do. */
  degradedThresholdMs: number | null
  /** How slow responses are judged. */
  degradedThresholdMode: DegradedThresholdMode
  /** How many response times are judged. */
  degradedSamples: number
  /** Statuses that count as up. Null: as they were judged at the time. */
  expectedStatus: number[] | null
  /** Delay of first alerts. Null: the delay of each contact. */
  delayMinutes: number | null
}

export type ReplayTotals = {
  /** How many incidents. */
  incidents: number
  /** Seconds of all incidents, within the period. */
  downSeconds: number
  /** How often it became DEGRADED. */
  degradations: number
  /** How many messages to all contacts together. */
  alerts: number
}

export type ReplayedAlert = {
  /** When it would have been sent. */
  at: string
  /** Id of the contact. */
  contactId: string
  /** Name of the contact. */
  contactName: string
  /** DOWN, DEGRADED, REMINDER, RECOVERED, … */
  kind: string
}

export type ReplayedIncident = {
  /** Compared with what was recorded: SAME, CHANGED (ends differently), NEW, or GONE (it would not have been). */
  change: 'SAME' | 'CHANGED' | 'NEW' | 'GONE'
  /** Id of the recorded incident. Null if NEW. */
  incidentId: string | null
  /** When it began. For NEW, the time of the check. */
  startedAt: string
  /** When it ended. Null if it is open. */
  resolvedAt: string | null
  /** How it ended. */
  resolution: EventIncidentResolution | null
  /** How the first check failed. */
  causeCode: CauseCode
}

export type ResponseTimeSeries = {
  /** Start of the first step. */
  from: string
  /** End of the series. */
  to: string
  /** Length of each step. */
  stepSeconds: number
  /** Oldest first. Empty steps are left out. */
  data: ResponseTimes[]
}

export type ResponseTimes = {
  /** Start of the step. */
  at: string
  /** Median response time. Null if no check passed. */
  p50Ms: number | null
  /** 95th percentile of the response times. */
  p95Ms: number | null
  /** Longest response time. */
  maxMs: number | null
  /** Checks that passed. */
  passed: number
  /** Checks that failed. */
  failed: number
  /** Checks without a verdict. */
  inconclusive: number
}

export type UptimeFigure = {
  /** The time up to now that it covers. */
  window: '24h' | '7d' | '30d' | '90d' | '365d'
  /** 0 to 1: up and degraded time of the measured time. Null if none. */
  ratio: number | null
  /** Seconds it was DOWN. */
  downSeconds: number
  /** Seconds that were measured: without pauses, maintenance and gaps. */
  measuredSeconds: number
  /** When measuring began within the window. */
  measuredFrom: string | null
}

export type MonitorsUptimeQuery = {
  /** Only these windows. Left out, all. */
  windows?:
    | '24h'
    | '7d'
    | '30d'
    | '90d'
    | '365d'
    | readonly ('24h' | '7d' | '30d' | '90d' | '365d')[]
}

export type MonitorsResponseTimesQuery = {
  /** Start. Needs `to`. */
  from?: string | Date
  /** End. Needs `from`. */
  to?: string | Date
  /** Length of a step in seconds. Left out, one that suits the range. */
  step?: 60 | 120 | 300 | 600 | 3600 | 86400
  /** Only from this region, if checks run in several at once. These are kept for 7 days. */
  region?: string
}

export type MonitorsChecksQuery = {
  /** Only checks at or after this time. */
  from?: string | Date
  /** Only checks before this time. */
  to?: string | Date
  /** Only checks with these outcomes. */
  outcome?:
    | 'PASSED'
    | 'SLOW'
    | 'FAILED'
    | 'INCONCLUSIVE'
    | 'SUPERSEDED'
    | readonly ('PASSED' | 'SLOW' | 'FAILED' | 'INCONCLUSIVE' | 'SUPERSEDED')[]
}

export type MonitorsReplayQuery = {
  /** Days up to now. */
  days?: number
  /** In its place. 0 turns it off. */
  degradedThresholdMs?: number
  /** In its place. */
  degradedThresholdMode?: DegradedThresholdMode
  /** In its place. */
  degradedSamples?: number
  /** In its place, separated by commas. For HTTP and KEYWORD. */
  expectedStatus?: string | readonly string[]
  /** Delay of first alerts, in place of that of each contact. */
  delayMinutes?: number
}

export type MonitorsQuery = {
  /** Only monitors that have all of these tags, by id or name. */
  tag?: string | readonly string[]
}

export type Monitors = {
  /** Get a monitor's uptime. */
  uptime(id: string, query?: MonitorsUptimeQuery, options?: CallOptions): Call<MonitorUptime>
  /** Get a monitor's response times. */
  responseTimes(
    id: string,
    query?: MonitorsResponseTimesQuery,
    options?: CallOptions,
  ): Call<ResponseTimeSeries>
  /** List a monitor's checks. */
  checks(id: string, query?: MonitorsChecksQuery, options?: CallOptions): CursorList<MonitorCheck>
  /** Check a monitor from a region, without recording it. */
  check(id: string, input: MonitorCheckInput, options?: WriteOptions): Call<CheckResult>
  /** Get the evidence of a check. */
  evidence(monitorId: string, checkId: string, options?: CallOptions): Call<CheckEvidence>
  /** Replay a monitor with other settings. */
  replay(id: string, query?: MonitorsReplayQuery, options?: CallOptions): Call<MonitorReplay>
  /** List monitors with everything attached. */
  list(query?: MonitorsQuery, options?: CallOptions): CursorList<MonitorDetail>
  /** Create a monitor with everything attached. */
  create(input: MonitorDetailInput, options?: WriteOptions): Call<MonitorDetail>
  /** Get the regions of a monitor. */
  regions(id: string, options?: CallOptions): Call<RegionSetting>
  /** Choose the regions of a monitor. */
  putRegions(id: string, input: RegionSettingInput, options?: WriteOptions): Call<RegionSetting>
  /** Remove the setting of a monitor. */
  deleteRegions(id: string, options?: WriteOptions): Call<Deleted>
  /** Add a tag to a monitor. */
  addTag(monitorId: string, tag: string, options?: WriteOptions): Call<MonitorTags>
  /** Remove a tag from a monitor. */
  removeTag(monitorId: string, tag: string, options?: WriteOptions): Call<MonitorTags>
  /** Add ping aliases. */
  addPingAliases(input: PingAliasInput, options?: WriteOptions): Call<PingAliasAddress>
  /** Remove the ping aliases of a monitor. */
  removePingAliases(id: string, options?: WriteOptions): Call<Deleted>
}
