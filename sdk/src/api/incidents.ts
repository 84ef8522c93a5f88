// Made from openapi.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'
import type { CauseCode, IncidentMonitor } from '../event-shapes.ts'

export type Actor = {
  /** An API key or a person. */
  type: ActorType
  /** Id of the key or the person. */
  id: string
  /** Name of the key or the person. */
  name: string
}

export type ActorType = 'API_KEY' | 'USER'

export type CheckAttempt = {
  /** 1 is the first attempt, 2 the one that confirms it. */
  number: number
  /** When the attempt began. */
  startedAt: string
  /** How the attempt ended. */
  outcome: CheckOutcome
  /** Kind of failure. Null when it was OK. */
  causeCode: CauseCode | null
  /** Milliseconds until the response. */
  responseMs: number | null
  /** HTTP status of the response. */
  httpStatus: number | null
}

export type CheckEvidence = {
  /** Id of the check. */
  checkId: string
  /** End of the check. */
  checkedAt: string
  /** Region the check ran from. */
  location: string
  /** Result of the check. */
  outcome: CheckOutcome
  /** Kind of failure. Null when it was OK. */
  causeCode: CauseCode | null
  /** What failed, for people. */
  cause: string | null
  /** Milliseconds until the response. */
  responseMs: number | null
  /** HTTP status of the response. */
  httpStatus: number | null
  /** IP address the name resolved to. */
  resolvedIp: string | null
  /** Where the time went. */
  timings: CheckTimings | null
  /** End of validity of the certificate that was seen. */
  certExpiresAt: string | null
  /** Records of the DNS answer. */
  dnsAnswers: string[] | null
  /** First kilobyte of the response, as text. */
  bodyExcerpt: string | null
  /** Every attempt of the check, in order. */
  attempts: CheckAttempt[]
}

export type CheckOutcome = 'OK' | 'FAILED'

export type CheckTimings = {
  /** Milliseconds for the name lookup. */
  dnsMs: number | null
  /** Milliseconds for the TCP connection. */
  connectMs: number | null
  /** Milliseconds for the TLS handshake. */
  tlsMs: number | null
  /** Milliseconds for the wait for the first byte. */
  firstByteMs: number | null
}

export type Incident = {
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
}

export type IncidentAcknowledgeInput = {
  /** A note for your team. */
  note?: string | null
}

export type IncidentDetail = {
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
  resolution: IncidentResolution | null
  /** When it was acknowledged. */
  acknowledgedAt: string | null
  /** Who acknowledged it. */
  acknowledgedBy: Actor | null
  /** Note left with the acknowledgement. */
  acknowledgeNote: string | null
  /** The check that opened it. */
  openedBy: CheckEvidence
  /** The latest check that failed. */
  lastFailure: CheckEvidence
  /** The check that found it up again. */
  resolvedBy: CheckEvidence | null
  /** What happened, oldest first. */
  timeline: IncidentTimelineEntry[]
  /** Published incidents linked to this one. */
  statusIncidentIds: string[]
}

export type IncidentResolution = 'RECOVERED' | 'MONITOR_PAUSED' | 'MONITOR_CHANGED'

export type IncidentStatus = 'ONGOING' | 'RESOLVED'

export type IncidentTimelineEntry = {
  /** Id of the entry. */
  id: string
  /** What happened. */
  type: IncidentTimelineType
  /** When it happened. */
  at: string
  /** What happened, for people. */
  message: string
}

export type IncidentTimelineType =
  | 'OPENED'
  | 'STILL_FAILING'
  | 'CAUSE_CHANGED'
  | 'ACKNOWLEDGED'
  | 'ALERT_SENT'
  | 'ALERT_FAILED'
  | 'RESOLVED'

export type IncidentsQuery = {
  /** Only incidents of this monitor. */
  monitorId?: string
  /** Only ongoing or only resolved incidents. */
  status?: IncidentStatus | readonly IncidentStatus[]
  /** Only incidents that were, or were not, acknowledged. */
  acknowledged?: boolean
  /** Only incidents that started at this time or later. */
  startedAfter?: string | Date
  /** Only incidents that started before this time. */
  startedBefore?: string | Date
}

export type Incidents = {
  /** List incidents. */
  list(query?: IncidentsQuery, options?: CallOptions): List<Incident>
  /** Get an incident. */
  get(id: string, options?: CallOptions): Call<IncidentDetail>
  /** Acknowledge an incident. */
  acknowledge(
    id: string,
    input?: IncidentAcknowledgeInput,
    options?: WriteOptions,
  ): Call<IncidentDetail>
}
