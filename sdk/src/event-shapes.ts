// Made from openapi.json by sdk/make-events.ts. Edit the contract and make it again, not this file.

export type AffectedComponent = {
  /** Id of a component on one of the pages. */
  componentId: string
  /** State visitors see for it. */
  state: AffectedComponentState
}

export type AffectedComponentState = 'OPERATIONAL' | 'DEGRADED' | 'PARTIAL_OUTAGE' | 'MAJOR_OUTAGE'

export type CauseCode =
  | 'TIMEOUT'
  | 'DNS_ERROR'
  | 'CONNECTION_REFUSED'
  | 'CONNECTION_RESET'
  | 'CONNECTION_FAILED'
  | 'TLS_ERROR'
  | 'CERT_EXPIRED'
  | 'CERT_NOT_YET_VALID'
  | 'CERT_UNTRUSTED'
  | 'CERT_NAME_MISMATCH'
  | 'UNEXPECTED_STATUS'
  | 'TOO_MANY_REDIRECTS'
  | 'KEYWORD_MISSING'
  | 'KEYWORD_PRESENT'
  | 'PING_NO_REPLY'
  | 'DNS_NO_RECORDS'
  | 'DNS_MISMATCH'
  | 'DOMAIN_EXPIRED'
  | 'HEARTBEAT_MISSED'
  | 'HEARTBEAT_FAILED'
  | 'TARGET_NOT_ALLOWED'
  | 'INVALID_RESPONSE'
  | 'DOMAIN_NOT_REGISTERED'

export type DegradedThresholdMode = 'LAST' | 'P95'

export type EventIncident = {
  /** Id of the incident. */
  id: string
  /** The monitor that failed. */
  monitor: IncidentMonitor
  /** Start of the first failed attempt. */
  startedAt: string
  /** When it ended. Null while it is ongoing. */
  resolvedAt: string | null
  /** Whole seconds it lasted. Null while it is ongoing. */
  durationSec: number | null
  /** What failed first, for people. */
  cause: string | null
  /** Whether it was acknowledged. */
  acknowledged: boolean
  /** Kind of the first failure. */
  causeCode: CauseCode
  /** Why it ended. Null while it is ongoing. */
  resolution: EventIncidentResolution | null
}

export type EventIncidentResolution =
  | 'RECOVERED'
  | 'MONITOR_PAUSED'
  | 'MONITOR_CHANGED'
  | 'MONITOR_DELETED'

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type IncidentMonitor = {
  /** Id of the monitor. */
  id: string
  /** Its current name. */
  name: string
  /** Its current type. */
  type: MonitorType
}

export type KeywordMatch = 'EXISTS' | 'NOT_EXISTS'

export type MaintenanceWindow = {
  /** Id of the window. */
  id: string
  /** Name of the window. */
  name: string
  /** What is done, for visitors of status pages. */
  description: string | null
  /** ACTIVE inside an occurrence. */
  status: MaintenanceWindowStatus
  /** Start of the window; of its first occurrence when it repeats. */
  startsAt: string
  /** End of the window; of its first occurrence when it repeats. */
  endsAt: string
  /** IANA time zone whose wall clock the recurrence follows. */
  timezone: string
  /** How it repeats. Null for a window that happens once. */
  recurrence: Recurrence | null
  /** Whether it covers every monitor, including ones created later. */
  allMonitors: boolean
  /** Monitors it covers, each once. Kept, but without effect, while `allMonitors` is true. */
  monitorIds: string[]
  /** Status pages that show it. Empty: every page with a covered monitor. */
  statusPageIds: string[]
  /** Whether status pages show it. */
  showOnStatusPages: boolean
  /** Whether subscribers of the pages are notified. */
  notifySubscribers: boolean
  /** The occurrence that is active now. */
  currentOccurrence: Occurrence | null
  /** The next occurrence that has not begun. */
  nextOccurrence: Occurrence | null
  /** The next five, soonest first. */
  upcomingOccurrences: Occurrence[]
  /** When it was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
}

export type MaintenanceWindowStatus = 'SCHEDULED' | 'ACTIVE' | 'COMPLETED'

export type Monitor = {
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
}

export type MonitorState = 'PENDING' | 'UP' | 'DEGRADED' | 'DOWN' | 'PAUSED'

export type MonitorType = 'HTTP' | 'KEYWORD' | 'PING' | 'PORT' | 'CRON' | 'DNS' | 'SSL' | 'DOMAIN'

export type Occurrence = {
  /** Start of the occurrence. */
  startsAt: string
  /** End of the occurrence. */
  endsAt: string
}

export type Recurrence = {
  /** How often it repeats. */
  frequency: RecurrenceFrequency
  /** Every how many days, weeks or months. */
  interval: number
  /** WEEKLY only: days on which it happens. Left out: the day of `startsAt`. */
  daysOfWeek: Weekday[] | null
  /** MONTHLY only: 1 to 31, or -1 for the last day. A month without that day is skipped. */
  dayOfMonth: number | null
  /** No occurrence starts at or after this. Null: it repeats without end. */
  endsAt: string | null
}

export type RecurrenceFrequency = 'DAILY' | 'WEEKLY' | 'MONTHLY'

export type StatusIncident = {
  /** Id of the published incident. */
  id: string
  /** Headline of the incident. */
  title: string
  /** Stage of the incident. */
  status: StatusIncidentStatus
  /** How severe it is for visitors. */
  impact: StatusIncidentImpact
  /** Status pages that show it. */
  statusPageIds: string[]
  /** What visitors see for each affected component. */
  components: AffectedComponent[]
  /** Detected incident it belongs to. */
  incidentId: string | null
  /** When it began. */
  startedAt: string
  /** When it was resolved. Null until then. */
  resolvedAt: string | null
  /** Updates, newest first. In events: the newest 20. */
  updates: StatusIncidentUpdate[]
  /** When it was published. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
}

export type StatusIncidentImpact = 'NONE' | 'MINOR' | 'MAJOR' | 'CRITICAL'

export type StatusIncidentStatus = 'INVESTIGATING' | 'IDENTIFIED' | 'MONITORING' | 'RESOLVED'

export type StatusIncidentUpdate = {
  /** Id of the update. */
  id: string
  /** Status from this update on. */
  status: StatusIncidentStatus
  /** What visitors read. A subset of Markdown. May be empty. */
  message: string
  /** What visitors see for each affected component. */
  components: AffectedComponent[]
  /** Whether subscribers were notified. */
  notifiedSubscribers: boolean
  /** When it was posted. */
  createdAt: string
}

export type Weekday =
  | 'MONDAY'
  | 'TUESDAY'
  | 'WEDNESDAY'
  | 'THURSDAY'
  | 'FRIDAY'
  | 'SATURDAY'
  | 'SUNDAY'
