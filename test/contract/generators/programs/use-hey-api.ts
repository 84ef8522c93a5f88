// All 37 operations with @hey-api/openapi-ts at its default settings, and the `auth` function it needs.
import * as api from './client'
import { client } from './client/client.gen'
import { inMinutes, record, report, setting, until } from './record'

const key = setting('API_KEY')
// The description offers two headers for the key; without the condition the client sends both.
client.setConfig({
  baseUrl: setting('BASE_URL'),
  auth: (scheme) => (scheme.scheme === 'bearer' ? key : undefined),
})

async function useMonitors(): Promise<api.Monitor> {
  const job = record(
    'createMonitor',
    await api.createMonitor({ body: { name: 'Job', type: 'CRON' } }),
  )
  // @ts-expect-error a monitor needs a type
  const incomplete: api.MonitorInput = { name: 'Job' }
  const refused = await api.createMonitor({ body: incomplete })
  const code: api.ErrorCode | undefined = refused.error?.error.code
  if (code !== 'validation_error') throw new Error(`refused with ${code}`)

  const body: api.MonitorInput = {
    name: 'Shop',
    type: 'HTTP',
    url: setting('TARGET'),
    intervalSeconds: 3600,
  }
  const headers = { 'Idempotency-Key': 'hey-api' }
  const shop = record('createMonitor', await api.createMonitor({ body, headers }))
  const path = { monitorId: shop.id }
  record('getMonitor', await api.getMonitor({ path }))
  const patch: api.MonitorPatch = { name: 'Shop (EU)', timeoutSeconds: 5 }
  record('updateMonitor', await api.updateMonitor({ path, body: patch }))
  record('pauseMonitor', await api.pauseMonitor({ path, body: {} }))
  record('resumeMonitor', await api.resumeMonitor({ path, body: {} }))
  record('checkMonitor', await api.checkMonitor({ path, body: {} }))
  const query = { type: ['HTTP', 'CRON'] satisfies api.MonitorType[], limit: 50 }
  const page = record('listMonitors', await api.listMonitors({ query }))
  if (page.pagination.total < 2) throw new Error('The filter does not find both')
  record('deleteMonitor', await api.deleteMonitor({ path: { monitorId: job.id } }))
  return shop
}

async function useIncidents(monitorId: string): Promise<void> {
  const query = { monitorId, status: ['ONGOING' as const] }
  const { data } = record('listIncidents', await api.listIncidents({ query }))
  const [incident] = data
  if (incident === undefined) throw new Error('The failing check opened no incident')
  const path = { incidentId: incident.id }
  const detail = record('getIncident', await api.getIncident({ path }))
  const cause: api.CauseCode = detail.causeCode
  if (cause !== 'UNEXPECTED_STATUS') throw new Error(`The cause is ${cause}`)
  const body: api.IncidentAcknowledgeInput = { note: 'Seen' }
  record('acknowledgeIncident', await api.acknowledgeIncident({ path, body }))
}

async function useStatusPages(monitorId: string): Promise<string> {
  const body: api.StatusPageInput = { name: 'Status', monitorIds: [monitorId] }
  const page = record('createStatusPage', await api.createStatusPage({ body }))
  const path = { statusPageId: page.id }
  record('listStatusPages', await api.listStatusPages())
  record('getStatusPage', await api.getStatusPage({ path }))
  record('updateStatusPage', await api.updateStatusPage({ path, body: { theme: 'DARK' } }))
  return page.id
}

async function useMaintenanceWindows(monitorId: string): Promise<void> {
  const recurrence: api.RecurrenceInput = { frequency: 'DAILY' }
  const body: api.MaintenanceWindowInput = {
    name: 'Upgrade',
    startsAt: inMinutes(60),
    endsAt: inMinutes(90),
    monitorIds: [monitorId],
    recurrence,
  }
  const made = record('createMaintenanceWindow', await api.createMaintenanceWindow({ body }))
  const path = { maintenanceId: made.id }
  record('listMaintenanceWindows', await api.listMaintenanceWindows())
  record('getMaintenanceWindow', await api.getMaintenanceWindow({ path }))
  const patch: api.MaintenanceWindowPatch = { recurrence: null }
  record('updateMaintenanceWindow', await api.updateMaintenanceWindow({ path, body: patch }))
  record('deleteMaintenanceWindow', await api.deleteMaintenanceWindow({ path }))
}

async function useStatusIncidents(statusPageId: string): Promise<void> {
  const body: api.StatusIncidentInput = {
    title: 'Payments fail',
    statusPageIds: [statusPageId],
    message: 'We are on it.',
  }
  const incident = record('createStatusIncident', await api.createStatusIncident({ body }))
  const path = { statusIncidentId: incident.id }
  record('listStatusIncidents', await api.listStatusIncidents())
  record('getStatusIncident', await api.getStatusIncident({ path }))
  const patch: api.StatusIncidentPatch = { impact: 'CRITICAL' }
  record('updateStatusIncident', await api.updateStatusIncident({ path, body: patch }))
  const update: api.StatusIncidentUpdateInput = { message: 'Fixed.', status: 'RESOLVED' }
  const updated = record(
    'createStatusIncidentUpdate',
    await api.createStatusIncidentUpdate({ path, body: update }),
  )
  const newest: api.StatusIncidentUpdate | undefined = updated.updates[0]
  if (newest?.message !== 'Fixed.') throw new Error('The new update is not the first')
  record('deleteStatusIncident', await api.deleteStatusIncident({ path }))
}

async function useWebhooks(): Promise<void> {
  const url = setting('RECEIVER')
  const { id, secret } = record(
    'createWebhookEndpoint',
    await api.createWebhookEndpoint({ body: { url } }),
  )
  const path = { endpointId: id }
  record('listWebhookEndpoints', await api.listWebhookEndpoints())
  record('getWebhookEndpoint', await api.getWebhookEndpoint({ path }))
  const body: api.WebhookEndpointPatch = { eventTypes: ['incident.opened'] }
  record('updateWebhookEndpoint', await api.updateWebhookEndpoint({ path, body }))
  const rotated = record(
    'rotateWebhookEndpointSecret',
    await api.rotateWebhookEndpointSecret({ path }),
  )
  if (rotated.secret === secret) throw new Error('The secret did not change')
  const sent = record('testWebhookEndpoint', await api.testWebhookEndpoint({ path }))
  await useDeliveries(id, sent.id)
  record('deleteWebhookEndpoint', await api.deleteWebhookEndpoint({ path }))
}

async function useDeliveries(endpointId: string, deliveryId: string): Promise<void> {
  const query = { endpointId, eventType: ['webhook.test' as const] }
  record('listWebhookDeliveries', await api.listWebhookDeliveries({ query }))
  const path = { deliveryId }
  const { payload } = record('getWebhookDelivery', await api.getWebhookDelivery({ path }))
  // The type of the event decides the type of its data.
  if (payload.type !== 'webhook.test' || payload.data.endpointId !== endpointId)
    throw new Error('The payload is not the test event')
  record('retryWebhookDelivery', await api.retryWebhookDelivery({ path }))
  // Deleting the endpoint cancels what has not been delivered yet.
  await until(async () => (await api.getWebhookDelivery({ path })).data?.status === 'SUCCEEDED')
}

/** Only compiled: what a receiver does with an event. */
export function describeEvent(event: api.WebhookEvent): string {
  switch (event.type) {
    case 'monitor.updated':
      return event.data.changedFields.join()
    case 'incident.opened':
      return `${event.data.monitor.name}: ${event.data.incident.causeCode}`
    default:
      return event.id
  }
}

async function main(): Promise<void> {
  // Without the function: both headers, and an answer that says so.
  const both = await api.listMonitors({ auth: key })
  if (both.error?.error.message !== 'Send X-API-Key or Authorization, not both')
    throw new Error(`Both headers are answered with ${JSON.stringify(both.error)}`)
  const { id } = await useMonitors()
  await useIncidents(id)
  const statusPageId = await useStatusPages(id)
  await useMaintenanceWindows(id)
  await useStatusIncidents(statusPageId)
  await useWebhooks()
  record('deleteStatusPage', await api.deleteStatusPage({ path: { statusPageId } }))
  report()
}

void main()
