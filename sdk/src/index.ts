// The package's public API. Anything not exported here may change.
export type {
  AffectedComponent,
  AffectedComponentState,
  CauseCode,
  DegradedThresholdMode,
  EventIncident,
  EventIncidentResolution,
  HttpMethod,
  IncidentMonitor,
  KeywordMatch,
  MaintenanceWindow,
  MaintenanceWindowStatus,
  Monitor,
  MonitorState,
  MonitorType,
  Occurrence,
  Recurrence,
  RecurrenceFrequency,
  StatusIncident,
  StatusIncidentImpact,
  StatusIncidentStatus,
  StatusIncidentUpdate,
  Weekday,
} from './event-shapes.ts'
export {
  EVENT_TYPES,
  type EventData,
  type EventOf,
  type EventType,
  type WebhookEvent,
} from './events.ts'
export type { HeaderSource, RawBody, WebhookHeaders } from './request.ts'
export { type SignWebhookOptions, signWebhook } from './sign-webhook.ts'
export { WebhookVerificationError, type WebhookVerificationReason } from './verification-error.ts'
export { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts'
