// Made from openapi.json by sdk/make-events.ts. Edit the contract and make it again, not this file.
import type {
  EventIncident,
  MaintenanceWindow,
  Monitor,
  MonitorState,
  Occurrence,
  StatusIncident,
  StatusIncidentUpdate,
} from './event-shapes.ts'

/** What each event carries, by its type. */
export type EventData = {
  /** A detected incident opened. */
  'incident.opened': {
    incident: EventIncident
    monitor: Monitor
  }
  /** An incident was first acknowledged. */
  'incident.acknowledged': {
    incident: EventIncident
    monitor: Monitor
  }
  /** An incident was resolved. */
  'incident.resolved': {
    incident: EventIncident
    monitor: Monitor
  }
  /** An incident was published. */
  'status_incident.published': {
    statusIncident: StatusIncident
  }
  /** A published incident was updated or edited. */
  'status_incident.updated': {
    statusIncident: StatusIncident
    /** The update that was posted, if one was. */
    update: StatusIncidentUpdate | null
  }
  /** A published incident was resolved. */
  'status_incident.resolved': {
    statusIncident: StatusIncident
    /** The update that was posted, if one was. */
    update: StatusIncidentUpdate | null
  }
  /** A monitor was created. */
  'monitor.created': {
    monitor: Monitor
  }
  /** A monitor was updated. */
  'monitor.updated': {
    monitor: Monitor
    /** Names of the fields that changed. */
    changedFields: string[]
  }
  /** A monitor was deleted. */
  'monitor.deleted': {
    monitor: Monitor
  }
  /** A monitor was paused. */
  'monitor.paused': {
    monitor: Monitor
  }
  /** A monitor was resumed. */
  'monitor.resumed': {
    monitor: Monitor
  }
  /** A check found a monitor up. */
  'monitor.up': {
    monitor: Monitor
    /** State before. */
    previousState: MonitorState
  }
  /** A check found a monitor degraded. */
  'monitor.degraded': {
    monitor: Monitor
    /** State before. */
    previousState: MonitorState
  }
  /** A check found a monitor down. */
  'monitor.down': {
    monitor: Monitor
    /** State before. */
    previousState: MonitorState
  }
  /** A certificate expires soon. */
  'monitor.ssl_expiring': {
    monitor: Monitor
    /** When it expires. */
    expiresAt: string
    /** Whole days until then. */
    daysLeft: number
  }
  /** A domain expires soon. */
  'monitor.domain_expiring': {
    monitor: Monitor
    /** When it expires. */
    expiresAt: string
    /** Whole days until then. */
    daysLeft: number
  }
  /** A DNS answer changed. */
  'monitor.dns_changed': {
    monitor: Monitor
    /** Records known so far. */
    before: string[]
    /** Records of the new answer. */
    after: string[]
  }
  /** A window was scheduled. */
  'maintenance.scheduled': {
    maintenanceWindow: MaintenanceWindow
    /** The occurrence it is about. */
    occurrence: Occurrence | null
  }
  /** A window began. */
  'maintenance.started': {
    maintenanceWindow: MaintenanceWindow
    /** The occurrence it is about. */
    occurrence: Occurrence | null
  }
  /** A window ended. */
  'maintenance.ended': {
    maintenanceWindow: MaintenanceWindow
    /** The occurrence it is about. */
    occurrence: Occurrence | null
  }
  /** A window was canceled. */
  'maintenance.canceled': {
    maintenanceWindow: MaintenanceWindow
    /** The occurrence it is about. */
    occurrence: Occurrence | null
  }
  /** A test event. */
  'webhook.test': {
    /** A text. */
    message: string
    /** Endpoint under test. */
    endpointId: string
  }
}

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
] as const satisfies readonly (keyof EventData)[]

export type EventType = (typeof EVENT_TYPES)[number]

export type EventOf<Type extends EventType> = {
  /** Id of the event, the same as the `webhook-id` header. Deduplicate by it. */
  id: string
  /** When it happened. */
  timestamp: string
  /** Version of the API whose shapes `data` has. */
  apiVersion: 'v1'
  /** Id of the organization. */
  organizationId: string
  type: Type
  data: EventData[Type]
}

/** One of all events: `switch (event.type)` narrows the shape of `event.data`. */
export type WebhookEvent = { [Type in EventType]: EventOf<Type> }[EventType]
