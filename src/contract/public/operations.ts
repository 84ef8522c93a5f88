// Every operation of version 1, in the order of the reference.
import type { Operation } from '../operation.ts'
import * as incidents from './incidents.ts'
import * as windows from './maintenance-windows.ts'
import * as monitors from './monitors.ts'
import * as statusIncidents from './status-incidents.ts'
import * as statusPages from './status-pages.ts'
import * as deliveries from './webhook-deliveries.ts'
import * as endpoints from './webhook-endpoints.ts'

const LIST = [
  monitors.listMonitors,
  monitors.createMonitor,
  monitors.getMonitor,
  monitors.updateMonitor,
  monitors.deleteMonitor,
  monitors.pauseMonitor,
  monitors.resumeMonitor,
  monitors.checkMonitor,

  incidents.listIncidents,
  incidents.getIncident,
  incidents.acknowledgeIncident,

  statusPages.listStatusPages,
  statusPages.createStatusPage,
  statusPages.getStatusPage,
  statusPages.updateStatusPage,
  statusPages.deleteStatusPage,

  windows.listMaintenanceWindows,
  windows.createMaintenanceWindow,
  windows.getMaintenanceWindow,
  windows.updateMaintenanceWindow,
  windows.deleteMaintenanceWindow,

  statusIncidents.listStatusIncidents,
  statusIncidents.createStatusIncident,
  statusIncidents.getStatusIncident,
  statusIncidents.updateStatusIncident,
  statusIncidents.deleteStatusIncident,
  statusIncidents.createStatusIncidentUpdate,

  endpoints.listWebhookEndpoints,
  endpoints.createWebhookEndpoint,
  endpoints.getWebhookEndpoint,
  endpoints.updateWebhookEndpoint,
  endpoints.deleteWebhookEndpoint,
  endpoints.rotateWebhookEndpointSecret,
  endpoints.testWebhookEndpoint,

  deliveries.listWebhookDeliveries,
  deliveries.getWebhookDelivery,
  deliveries.retryWebhookDelivery,
] as const

export type PublicOperation = (typeof LIST)[number]
export const OPERATIONS: readonly Operation[] = LIST
