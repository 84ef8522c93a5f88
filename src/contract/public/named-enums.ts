// The enums that have a name in openapi.json, so that a generated client has one type for each.
import { DELIVERY_STATUSES } from '../../domain/events/delivery.ts'
import { EVENT_TYPES } from '../../domain/events/event.ts'
import { EVERY_EVENT } from '../../domain/events/webhook.ts'
import { DISABLED_REASONS } from '../../domain/events/webhook-endpoint.ts'
import { CAUSE_CODES } from '../../domain/incidents/incident.ts'
import { WEEKDAYS } from '../../domain/maintenance/maintenance.ts'
import {
  DEGRADED_MODES,
  DNS_RECORD_TYPES,
  HTTP_METHODS,
  KEYWORD_MATCHES,
  MONITOR_STATES,
  MONITOR_TYPES,
} from '../../domain/monitors/monitor.ts'
import { AFFECTED_STATES, COMPONENT_STATES } from '../../domain/status-pages/page-state.ts'
import { IMPACTS, STATUS_INCIDENT_STATUSES } from '../../domain/status-pages/status-incident.ts'
import { CUSTOM_DOMAIN_STATES, THEMES } from '../../domain/status-pages/status-page.ts'
import { LOCALES } from '../../domain/values/locale.ts'
import { ERROR_CODES } from './errors.ts'
import { EVENT_RESOLUTIONS } from './events.ts'
import { ACTOR_TYPES, CHECK_OUTCOMES, RESOLUTIONS, TIMELINE_TYPES } from './incident.ts'
import { INCIDENT_STATUSES } from './incidents.ts'
import { FREQUENCIES, WINDOW_STATUSES } from './maintenance-window.ts'
import * as delivery from './webhook-delivery.ts'

export const NAMED_ENUMS: Readonly<Record<string, readonly string[]>> = {
  ErrorCode: ERROR_CODES,

  MonitorType: MONITOR_TYPES,
  MonitorState: MONITOR_STATES,
  HttpMethod: HTTP_METHODS,
  KeywordMatch: KEYWORD_MATCHES,
  DnsRecordType: DNS_RECORD_TYPES,
  DegradedThresholdMode: DEGRADED_MODES,

  CauseCode: CAUSE_CODES,
  CheckOutcome: CHECK_OUTCOMES,
  ActorType: ACTOR_TYPES,
  IncidentStatus: INCIDENT_STATUSES,
  IncidentResolution: RESOLUTIONS,
  IncidentTimelineType: TIMELINE_TYPES,
  EventIncidentResolution: EVENT_RESOLUTIONS,

  ComponentState: COMPONENT_STATES,
  AffectedComponentState: AFFECTED_STATES,
  CustomDomainStatus: CUSTOM_DOMAIN_STATES,
  StatusPageTheme: THEMES,
  StatusPageLocale: LOCALES,

  MaintenanceWindowStatus: WINDOW_STATUSES,
  RecurrenceFrequency: FREQUENCIES,
  Weekday: WEEKDAYS,

  StatusIncidentStatus: STATUS_INCIDENT_STATUSES,
  StatusIncidentImpact: IMPACTS,

  WebhookEventType: EVENT_TYPES,
  WebhookEventFilter: [...EVENT_TYPES, EVERY_EVENT],
  WebhookDisabledReason: DISABLED_REASONS,
  WebhookDeliveryStatus: DELIVERY_STATUSES,
  WebhookAttemptTrigger: delivery.ATTEMPT_TRIGGERS,
  WebhookAttemptOutcome: delivery.ATTEMPT_OUTCOMES,
  WebhookAttemptErrorCode: delivery.ATTEMPT_ERROR_CODES,
}

const NAMES = new Map(Object.entries(NAMED_ENUMS).map(([name, values]) => [keyOf(values), name]))

/** The name of the enum with these values. Null, which a field may add, is ignored. */
export const findEnumName = (values: readonly unknown[]): string | undefined =>
  NAMES.get(keyOf(values.filter((value) => value !== null)))

function keyOf(values: readonly unknown[]): string {
  return JSON.stringify(values)
}
