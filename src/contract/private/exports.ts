// Lists as files for a spreadsheet. They are streamed as they are read, so their length does not matter.
import { input } from '../schema.ts'
import { Type } from '../type.ts'
import { AUDIT_FILTERS } from './audit-log.ts'
import { CHECK_FILTERS } from './check-screens.ts'
import { INCIDENT_FILTERS } from './incident-screens.ts'
import { MONITOR_FILTERS } from './monitor-screens.ts'
import { privateOperation } from './operation.ts'

const PATH = '/exports'
/** The response is `text/csv`; its first line names the columns. */
const csv = (columns: readonly string[]) => ({ status: 200, body: Type.String(), columns }) as const

export const exportMonitors = privateOperation({
  id: 'exportMonitors',
  method: 'GET',
  path: `${PATH}/monitors.csv`,
  who: 'READ_ONLY',
  query: input(MONITOR_FILTERS),
  reply: csv([
    'id',
    'name',
    'type',
    'target',
    'state',
    'since',
    'cause',
    'uptime30d',
    'p95Ms',
    'lastResponseMs',
    'lastCheckedAt',
    'nextCheckAt',
    'expiresAt',
    'lastHeartbeatAt',
    'everySeconds',
    'keyword',
    'tags',
  ]),
})

export const exportChecks = privateOperation({
  id: 'exportChecks',
  method: 'GET',
  path: `${PATH}/monitors/{monitorId}/checks.csv`,
  who: 'READ_ONLY',
  params: Type.Object({ monitorId: Type.String() }),
  query: input(CHECK_FILTERS),
  reply: csv([
    'at',
    'kind',
    'verdict',
    'responseMs',
    'httpStatus',
    'region',
    'causeCode',
    'dnsMs',
    'connectMs',
    'tlsMs',
    'firstByteMs',
    'incidentId',
  ]),
})

export const exportIncidents = privateOperation({
  id: 'exportIncidents',
  method: 'GET',
  path: `${PATH}/incidents.csv`,
  who: 'READ_ONLY',
  query: input(INCIDENT_FILTERS),
  reply: csv([
    'id',
    'monitorId',
    'monitor',
    'type',
    'startedAt',
    'resolvedAt',
    'durationSec',
    'causeCode',
    'cause',
    'resolution',
    'acknowledgedAt',
    'acknowledgedBy',
    'note',
  ]),
})

export const exportAuditLog = privateOperation({
  id: 'exportAuditLog',
  method: 'GET',
  path: `${PATH}/audit-log.csv`,
  who: 'ADMIN',
  query: input(AUDIT_FILTERS),
  reply: csv([
    'at',
    'actorType',
    'actor',
    'action',
    'resourceId',
    'resource',
    'count',
    'changes',
    'requestId',
  ]),
})

/** In the order of the file, keyed by the operation that lists each type. */
export const EVERYTHING = {
  getOrganization: 'organization',
  listMembers: 'member',
  listAlertContacts: 'alertContact',
  listMonitors: 'monitor',
  listTags: 'tag',
  listTaggedMonitors: 'monitorTags',
  listEscalationPolicies: 'escalationPolicy',
  listMonitorViews: 'monitorView',
  listMaintenanceWindows: 'maintenanceWindow',
  listStatusPages: 'statusPage',
  listStatusIncidents: 'statusIncident',
  listWebhookEndpoints: 'webhookEndpoint',
  listIncidents: 'incident',
} as const

/** The response has one JSON object per line, `{"type": "monitor", "data": …}`, as the API shows it. */
export const exportEverything = privateOperation({
  id: 'exportEverything',
  method: 'GET',
  path: `${PATH}/everything.ndjson`,
  who: 'ADMIN',
  reply: { status: 200, body: Type.String(), types: Object.values(EVERYTHING) },
})

export const EXPORT_OPERATIONS = [
  exportMonitors,
  exportChecks,
  exportIncidents,
  exportAuditLog,
  exportEverything,
] as const
