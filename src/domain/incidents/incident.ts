// A detected outage: how the API shows it, and how it ends.
import type { MonitorType } from '../monitors/monitor.ts'
import type { ChangeResolution } from '../monitors/monitor-state.ts'
import { toPublicId } from '../values/id.ts'

/** Every way a check can fail. Results store the index of their code, so append new codes at the end. */
export const CAUSE_CODES = [
  'TIMEOUT',
  'DNS_ERROR',
  'CONNECTION_REFUSED',
  'CONNECTION_RESET',
  'CONNECTION_FAILED',
  'TLS_ERROR',
  'CERT_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'CERT_NAME_MISMATCH',
  'UNEXPECTED_STATUS',
  'TOO_MANY_REDIRECTS',
  'KEYWORD_MISSING',
  'KEYWORD_PRESENT',
  'PING_NO_REPLY',
  'DNS_NO_RECORDS',
  'DNS_MISMATCH',
  'DOMAIN_EXPIRED',
  'HEARTBEAT_MISSED',
  'HEARTBEAT_FAILED',
  'TARGET_NOT_ALLOWED',
  'INVALID_RESPONSE',
  'DOMAIN_NOT_REGISTERED',
] as const
export type CauseCode = (typeof CAUSE_CODES)[number]

export type Resolution = 'RECOVERED' | Exclude<ChangeResolution, 'MONITOR_DELETED'>

export type Incident = {
  uuid: string
  monitor: { uuid: string; name: string; type: MonitorType }
  startedAt: Date
  resolvedAt: Date | null
  cause: string
  causeCode: CauseCode
  /** MONITOR_DELETED appears only in events: the incident is deleted with its monitor. */
  resolution: 'RECOVERED' | ChangeResolution | null
  acknowledgedAt: Date | null
}

/** The seven fields of a list item. */
export function toApiIncident(incident: Incident) {
  return {
    id: toPublicId('inc', incident.uuid),
    monitor: {
      id: toPublicId('mon', incident.monitor.uuid),
      name: incident.monitor.name,
      type: incident.monitor.type,
    },
    startedAt: incident.startedAt,
    resolvedAt: incident.resolvedAt,
    durationSec: durationSec(incident),
    cause: incident.cause,
    acknowledged: incident.acknowledgedAt !== null,
  }
}

function durationSec({ startedAt, resolvedAt }: Incident): number | null {
  if (resolvedAt === null) return null
  return Math.max(0, Math.floor((resolvedAt.getTime() - startedAt.getTime()) / 1000))
}

/** An incident never ends before it began, even if the clocks of a check and a person disagree. */
export function resolveIncident(
  incident: Incident,
  resolution: Exclude<Incident['resolution'], null>,
  at: Date,
): Incident & { resolvedAt: Date } {
  const resolvedAt = at < incident.startedAt ? incident.startedAt : at
  return { ...incident, resolution, resolvedAt }
}

const RESOLVED_BECAUSE: Record<Resolution, string> = {
  RECOVERED: 'The monitor recovered.',
  MONITOR_PAUSED: 'The monitor was paused.',
  MONITOR_CHANGED: 'The type of the monitor was changed.',
}
export const resolvedMessage = (resolution: Resolution): string => RESOLVED_BECAUSE[resolution]
