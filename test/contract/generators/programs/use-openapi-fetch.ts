// All 37 operations with openapi-typescript and openapi-fetch, at their default settings.
import createClient from 'openapi-fetch'
import { inMinutes, record, report, setting, until } from './record'
import type { components, paths } from './schema'

type Schemas = components['schemas']

const api = createClient<paths>({
  baseUrl: setting('BASE_URL'),
  headers: { 'X-API-Key': setting('API_KEY') },
})

async function useMonitors(): Promise<Schemas['Monitor']> {
  const job = record(
    'createMonitor',
    await api.POST('/api/v1/monitors', { body: { name: 'Job', type: 'CRON' } }),
  )
  // @ts-expect-error a monitor needs a type
  const incomplete: Schemas['MonitorInput'] = { name: 'Job' }
  const refused = await api.POST('/api/v1/monitors', { body: incomplete })
  const code: Schemas['ErrorCode'] | undefined = refused.error?.error.code
  if (code !== 'validation_error') throw new Error(`refused with ${code}`)

  const shop = record(
    'createMonitor',
    await api.POST('/api/v1/monitors', {
      body: { name: 'Shop', type: 'HTTP', url: setting('TARGET'), intervalSeconds: 3600 },
      params: { header: { 'Idempotency-Key': 'openapi-fetch' } },
    }),
  )
  const params = { path: { monitorId: shop.id } }
  record('getMonitor', await api.GET('/api/v1/monitors/{monitorId}', { params }))
  const body: Schemas['MonitorPatch'] = { name: 'Shop (EU)', timeoutSeconds: 5 }
  record('updateMonitor', await api.PATCH('/api/v1/monitors/{monitorId}', { params, body }))
  const empty = { params, body: {} }
  record('pauseMonitor', await api.POST('/api/v1/monitors/{monitorId}/pause', empty))
  record('resumeMonitor', await api.POST('/api/v1/monitors/{monitorId}/resume', empty))
  record('checkMonitor', await api.POST('/api/v1/monitors/{monitorId}/check', empty))
  // As an array, which this client sends as a repeated parameter.
  const query = { type: ['HTTP', 'CRON'] satisfies Schemas['MonitorType'][], limit: 50 }
  const page = record('listMonitors', await api.GET('/api/v1/monitors', { params: { query } }))
  if (page.pagination.total < 2) throw new Error('The filter does not find both')
  const gone = { params: { path: { monitorId: job.id } } }
  record('deleteMonitor', await api.DELETE('/api/v1/monitors/{monitorId}', gone))
  return shop
}

async function useIncidents(monitorId: string): Promise<void> {
  const query = { monitorId, status: ['ONGOING' as const] }
  const { data } = record(
    'listIncidents',
    await api.GET('/api/v1/incidents', { params: { query } }),
  )
  const [incident] = data
  if (incident === undefined) throw new Error('The failing check opened no incident')
  const params = { path: { incidentId: incident.id } }
  const detail = record('getIncident', await api.GET('/api/v1/incidents/{incidentId}', { params }))
  const cause: Schemas['CauseCode'] = detail.causeCode
  if (cause !== 'UNEXPECTED_STATUS') throw new Error(`The cause is ${cause}`)
  record(
    'acknowledgeIncident',
    await api.POST('/api/v1/incidents/{incidentId}/acknowledge', {
      params,
      body: { note: 'Seen' },
    }),
  )
}

async function useStatusPages(monitorId: string): Promise<string> {
  const page = record(
    'createStatusPage',
    await api.POST('/api/v1/status-pages', { body: { name: 'Status', monitorIds: [monitorId] } }),
  )
  const params = { path: { statusPageId: page.id } }
  record('listStatusPages', await api.GET('/api/v1/status-pages'))
  record('getStatusPage', await api.GET('/api/v1/status-pages/{statusPageId}', { params }))
  record(
    'updateStatusPage',
    await api.PATCH('/api/v1/status-pages/{statusPageId}', { params, body: { theme: 'DARK' } }),
  )
  return page.id
}

async function useMaintenanceWindows(monitorId: string): Promise<void> {
  const recurrence: Schemas['RecurrenceInput'] = { frequency: 'DAILY' }
  const body: Schemas['MaintenanceWindowInput'] = {
    name: 'Upgrade',
    startsAt: inMinutes(60),
    endsAt: inMinutes(90),
    monitorIds: [monitorId],
    recurrence,
  }
  const made = record(
    'createMaintenanceWindow',
    await api.POST('/api/v1/maintenance-windows', { body }),
  )
  const path = '/api/v1/maintenance-windows/{maintenanceId}'
  const params = { path: { maintenanceId: made.id } }
  record('listMaintenanceWindows', await api.GET('/api/v1/maintenance-windows'))
  record('getMaintenanceWindow', await api.GET(path, { params }))
  const change = { params, body: { recurrence: null } }
  record('updateMaintenanceWindow', await api.PATCH(path, change))
  record('deleteMaintenanceWindow', await api.DELETE(path, { params }))
}

async function useStatusIncidents(statusPageId: string): Promise<void> {
  const path = '/api/v1/status-incidents/{statusIncidentId}'
  const body = { title: 'Payments fail', statusPageIds: [statusPageId], message: 'We are on it.' }
  const incident = record(
    'createStatusIncident',
    await api.POST('/api/v1/status-incidents', { body }),
  )
  const params = { path: { statusIncidentId: incident.id } }
  record('listStatusIncidents', await api.GET('/api/v1/status-incidents'))
  record('getStatusIncident', await api.GET(path, { params }))
  const patch: Schemas['StatusIncidentPatch'] = { impact: 'CRITICAL' }
  record('updateStatusIncident', await api.PATCH(path, { params, body: patch }))
  const updated = record(
    'createStatusIncidentUpdate',
    await api.POST(`${path}/updates`, { params, body: { message: 'Fixed.', status: 'RESOLVED' } }),
  )
  const newest: Schemas['StatusIncidentUpdate'] | undefined = updated.updates[0]
  if (newest?.message !== 'Fixed.') throw new Error('The new update is not the first')
  record('deleteStatusIncident', await api.DELETE(path, { params }))
}

async function useWebhooks(): Promise<void> {
  const path = '/api/v1/webhook-endpoints/{endpointId}'
  const { id, secret } = record(
    'createWebhookEndpoint',
    await api.POST('/api/v1/webhook-endpoints', { body: { url: setting('RECEIVER') } }),
  )
  const params = { path: { endpointId: id } }
  record('listWebhookEndpoints', await api.GET('/api/v1/webhook-endpoints'))
  record('getWebhookEndpoint', await api.GET(path, { params }))
  const body: Schemas['WebhookEndpointPatch'] = { eventTypes: ['incident.opened'] }
  record('updateWebhookEndpoint', await api.PATCH(path, { params, body }))
  const rotated = record(
    'rotateWebhookEndpointSecret',
    await api.POST(`${path}/rotate-secret`, { params }),
  )
  if (rotated.secret === secret) throw new Error('The secret did not change')
  const sent = record('testWebhookEndpoint', await api.POST(`${path}/test`, { params }))
  await useDeliveries(id, sent.id)
  record('deleteWebhookEndpoint', await api.DELETE(path, { params }))
}

async function useDeliveries(endpointId: string, deliveryId: string): Promise<void> {
  const path = '/api/v1/webhook-deliveries/{deliveryId}'
  const query = { endpointId, eventType: ['webhook.test' as const] }
  record(
    'listWebhookDeliveries',
    await api.GET('/api/v1/webhook-deliveries', { params: { query } }),
  )
  const params = { path: { deliveryId } }
  const { payload } = record('getWebhookDelivery', await api.GET(path, { params }))
  // The type of the event decides the type of its data.
  if (payload.type !== 'webhook.test' || payload.data.endpointId !== endpointId)
    throw new Error('The payload is not the test event')
  record('retryWebhookDelivery', await api.POST(`${path}/retry`, { params }))
  // Deleting the endpoint cancels what has not been delivered yet.
  await until(async () => (await api.GET(path, { params })).data?.status === 'SUCCEEDED')
}

/** Only compiled: what a receiver does with an event. */
export function describeEvent(event: Schemas['WebhookEvent']): string {
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
  const { id } = await useMonitors()
  await useIncidents(id)
  const statusPageId = await useStatusPages(id)
  await useMaintenanceWindows(id)
  await useStatusIncidents(statusPageId)
  await useWebhooks()
  const params = { path: { statusPageId } }
  record('deleteStatusPage', await api.DELETE('/api/v1/status-pages/{statusPageId}', { params }))
  report()
}

void main()
