// The schemas that have a name in openapi.json. Found by identity, so each is written there once.
import type { TSchema } from 'typebox'
import { ErrorDetail, ErrorEnvelope } from './errors.ts'
import { EventIncident } from './events.ts'
import * as incident from './incident.ts'
import { IncidentAcknowledge, IncidentList } from './incidents.ts'
import * as window from './maintenance-window.ts'
import { MaintenanceWindowList } from './maintenance-windows.ts'
import { Monitor, MonitorCreate, MonitorUpdate } from './monitor.ts'
import { MonitorList } from './monitors.ts'
import { Deleted, EmptyBody, Pagination } from './schema.ts'
import * as statusIncident from './status-incident.ts'
import { StatusIncidentList } from './status-incidents.ts'
import * as statusPage from './status-page.ts'
import { StatusPageList } from './status-pages.ts'
import { WebhookDeliveryList } from './webhook-deliveries.ts'
import * as delivery from './webhook-delivery.ts'
import * as endpoint from './webhook-endpoint.ts'
import { WebhookEndpointList } from './webhook-endpoints.ts'

const NAMED: Readonly<Record<string, TSchema>> = {
  Error: ErrorEnvelope,
  ErrorDetail,
  Pagination,
  Deleted,
  EmptyBody,

  Monitor,
  MonitorCreate,
  MonitorUpdate,
  MonitorList,

  Incident: incident.Incident,
  IncidentDetail: incident.IncidentDetail,
  IncidentMonitor: incident.IncidentMonitor,
  IncidentTimelineEntry: incident.IncidentTimelineEntry,
  IncidentAcknowledge,
  IncidentList,
  Actor: incident.Actor,
  CheckEvidence: incident.CheckEvidence,
  CheckAttempt: incident.CheckAttempt,
  CheckTimings: incident.CheckTimings,

  StatusPage: statusPage.StatusPage,
  StatusPageCreate: statusPage.StatusPageCreate,
  StatusPageUpdate: statusPage.StatusPageUpdate,
  StatusPageSection: statusPage.StatusPageSection,
  StatusPageSectionInput: statusPage.StatusPageSectionInput,
  StatusPageComponent: statusPage.StatusPageComponent,
  StatusPageComponentInput: statusPage.StatusPageComponentInput,
  StatusPageList,

  MaintenanceWindow: window.MaintenanceWindow,
  MaintenanceWindowCreate: window.MaintenanceWindowCreate,
  MaintenanceWindowUpdate: window.MaintenanceWindowUpdate,
  Recurrence: window.Recurrence,
  Occurrence: window.Occurrence,
  MaintenanceWindowList,

  StatusIncident: statusIncident.StatusIncident,
  StatusIncidentCreate: statusIncident.StatusIncidentCreate,
  StatusIncidentUpdate: statusIncident.StatusIncidentUpdate,
  StatusIncidentUpdateCreate: statusIncident.StatusIncidentUpdateCreate,
  StatusIncidentUpdateEntry: statusIncident.StatusIncidentUpdateEntry,
  AffectedComponent: statusIncident.AffectedComponent,
  AffectedComponentInput: statusIncident.AffectedComponentInput,
  StatusIncidentList,

  WebhookEndpoint: endpoint.WebhookEndpoint,
  WebhookEndpointWithSecret: endpoint.WebhookEndpointWithSecret,
  WebhookEndpointCreate: endpoint.WebhookEndpointCreate,
  WebhookEndpointUpdate: endpoint.WebhookEndpointUpdate,
  WebhookEndpointList,

  WebhookDelivery: delivery.WebhookDelivery,
  WebhookDeliveryDetail: delivery.WebhookDeliveryDetail,
  WebhookAttempt: delivery.WebhookAttempt,
  WebhookEvent: delivery.WebhookEvent,
  WebhookDeliveryList,
  EventIncident,
}

const NAMES = new Map<object, string>(Object.entries(NAMED).map(([name, schema]) => [schema, name]))

export const findSchemaName = (schema: object): string | undefined => NAMES.get(schema)
