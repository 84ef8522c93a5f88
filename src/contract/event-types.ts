// The 22 things a webhook endpoint can subscribe to.

export const EVENT_TYPES = [
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
  'status_incident.published',
  'status_incident.updated',
  'status_incident.resolved',
  'monitor.created',
  'monitor.updated',
  'monitor.deleted',
  'monitor.paused',
  'monitor.resumed',
  'monitor.up',
  'monitor.degraded',
  'monitor.down',
  'monitor.ssl_expiring',
  'monitor.domain_expiring',
  'monitor.dns_changed',
  'maintenance.scheduled',
  'maintenance.started',
  'maintenance.ended',
  'maintenance.canceled',
  'webhook.test',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** A subscription to everything, also to types added later. */
export const EVERY_EVENT = '*'
