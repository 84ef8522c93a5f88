// The schemas that have a name in openapi.json. Found by identity, so each is written there once. What a client sends
// ends in Input or Patch; what it receives has the plain name.
import type { TSchema } from 'typebox'
import { Deleted, EmptyBody, Pagination } from '../schema.ts'
import { ErrorDetail, ErrorEnvelope } from './errors.ts'
import { AnyEvent, EVENT_SCHEMAS, EventIncident } from './events.ts'
import * as incident from './incident.ts'
import { IncidentAcknowledge, IncidentList } from './incidents.ts'
import * as window from './maintenance-window.ts'
import { MaintenanceWindowList } from './maintenance-windows.ts'
import { MonitorBody, MonitorCreate, MonitorUpdate } from './monitor.ts'
import { MonitorList } from './monitors.ts'
import * as statusIncident from './status-incident.ts'
import { StatusIncidentList } from './status-incidents.ts'
import * as statusPage from './status-page.ts'
import { StatusPageList } from './status-pages.ts'
import { WebhookDeliveryList } from './webhook-deliveries.ts'
import * as delivery from './webhook-delivery.ts'
import * as endpoint from './webhook-endpoint.ts'
import { WebhookEndpointList } from './webhook-endpoints.ts'

export const PUBLIC_SCHEMAS: Readonly<Record<string, TSchema>> = {
  ApiErrorBody: ErrorEnvelope,
  ErrorDetail,
  Pagination,
  Deleted,
  EmptyBody,

  Monitor: MonitorBody,
  MonitorInput: MonitorCreate,
  MonitorPatch: MonitorUpdate,
  MonitorList,

  Incident: incident.IncidentBody,
  IncidentDetail: incident.IncidentDetailBody,
  IncidentMonitor: incident.IncidentMonitor,
  IncidentTimelineEntry: incident.IncidentTimelineEntry,
  IncidentAcknowledgeInput: IncidentAcknowledge,
  IncidentList,
  Actor: incident.Actor,
  CheckEvidence: incident.CheckEvidence,
  CheckAttempt: incident.CheckAttempt,
  CheckTimings: incident.CheckTimings,

  StatusPage: statusPage.StatusPageBody,
  StatusPageInput: statusPage.StatusPageCreate,
  StatusPagePatch: statusPage.StatusPageUpdate,
  StatusPageSection: statusPage.StatusPageSection,
  StatusPageSectionInput: statusPage.StatusPageSectionInput,
  StatusPageComponent: statusPage.StatusPageComponent,
  StatusPageComponentInput: statusPage.StatusPageComponentInput,
  StatusPageList,

  MaintenanceWindow: window.MaintenanceWindowBody,
  MaintenanceWindowInput: window.MaintenanceWindowCreate,
  MaintenanceWindowPatch: window.MaintenanceWindowUpdate,
  Recurrence: window.Recurrence,
  RecurrenceInput: window.RecurrenceInput,
  Occurrence: window.Occurrence,
  MaintenanceWindowList,

  StatusIncident: statusIncident.StatusIncidentBody,
  StatusIncidentInput: statusIncident.StatusIncidentCreate,
  StatusIncidentPatch: statusIncident.StatusIncidentUpdate,
  StatusIncidentUpdateInput: statusIncident.StatusIncidentUpdateCreate,
  StatusIncidentUpdate: statusIncident.StatusIncidentUpdateEntry,
  AffectedComponent: statusIncident.AffectedComponent,
  AffectedComponentInput: statusIncident.AffectedComponentInput,
  StatusIncidentList,

  WebhookEndpoint: endpoint.WebhookEndpointBody,
  WebhookEndpointWithSecret: endpoint.WebhookEndpointWithSecret,
  WebhookEndpointInput: endpoint.WebhookEndpointCreate,
  WebhookEndpointPatch: endpoint.WebhookEndpointUpdate,
  WebhookEndpointList,

  WebhookDelivery: delivery.WebhookDelivery,
  WebhookDeliveryDetail: delivery.WebhookDeliveryDetail,
  WebhookAttempt: delivery.WebhookAttempt,
  WebhookEvent: delivery.WebhookEvent,
  WebhookDeliveryList,
  EventIncident,
  ...Object.fromEntries([...EVENT_SCHEMAS].map(([name, { schema }]) => [name, schema])),
}

/** Where the document says more than the service validates. */
const DOCUMENTED_AS = new Map<object, TSchema>([[delivery.WebhookEvent, AnyEvent]])

export const documentedAs = (schema: object): object => DOCUMENTED_AS.get(schema) ?? schema

/** Finds the names of the schemas of one document. */
export class SchemaNames {
  readonly #names: ReadonlyMap<object, string>
  // A copy made by `nullable` keeps the same properties object.
  readonly #byProperties: ReadonlyMap<object | undefined, TSchema>

  constructor(named: Readonly<Record<string, TSchema>>) {
    this.#names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]))
    this.#byProperties = new Map(
      Object.values(named).map((schema) => [
        (schema as { properties?: object }).properties,
        schema,
      ]),
    )
  }

  find(schema: object): string | undefined {
    return this.#names.get(schema)
  }

  /** The named schema that this one was copied from. */
  findOriginal({ properties }: { properties?: object }): TSchema | undefined {
    return properties && this.#byProperties.get(properties)
  }
}
