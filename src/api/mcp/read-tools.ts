// The tools that only read. Each one is an operation or two of the APIs, shown in less detail.
import { getMonitorResponseTimes, getMonitorUptime } from '../../contract/ext/figures.ts'
import { getOverview } from '../../contract/ext/organization.ts'
import * as contract from '../../contract/mcp/read-tools.ts'
import { getIncident, listIncidents } from '../../contract/public/incidents.ts'
import { listMaintenanceWindows } from '../../contract/public/maintenance-windows.ts'
import { getMonitor, listMonitors } from '../../contract/public/monitors.ts'
import { getStatusPage, listStatusPages } from '../../contract/public/status-pages.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
} from '../../contract/public/webhook-deliveries.ts'
import { type BoundTool, bindTool } from './bind-tool.ts'
import { searchDocs } from './search-docs.ts'
import {
  showDelivery,
  showDeliveryDetails,
  showIncident,
  showIncidentDetails,
  showMonitor,
  showMonitorDetails,
  showOverview,
  showPage,
  showPageDetails,
  showWindow,
} from './shapes.ts'

const DEFAULT_LIMIT = 10
const MAX_PAGES = 20
const HOUR_SECONDS = 3600

type Page<Item> = { data: Item[]; pagination: { total: number; offset: number } }

function showList<Item>({ data, pagination }: Page<Item>, show: (item: Item) => unknown) {
  return {
    total: pagination.total,
    offset: pagination.offset,
    items: data.map((item) => show(item)),
  }
}

const findMonitors = bindTool(contract.findMonitors, async (args, invoke) => {
  const query = { ...args, limit: args.limit ?? DEFAULT_LIMIT }
  return showList(await invoke(listMonitors, { query }), showMonitor)
})

const getUptime = bindTool(contract.getUptime, async ({ monitorId }, invoke) => {
  const params = { monitorId }
  const [uptime, times] = await Promise.all([
    invoke(getMonitorUptime, { params }),
    invoke(getMonitorResponseTimes, { params, query: { step: HOUR_SECONDS } }),
  ])
  const { stepSeconds, data } = times
  return { ...uptime, responseTimes: { stepSeconds, steps: data } }
})

const findIncidents = bindTool(contract.findIncidents, async (args, invoke) => {
  const query = { ...args, limit: args.limit ?? DEFAULT_LIMIT }
  return showList(await invoke(listIncidents, { query }), showIncident)
})

const explainIncident = bindTool(contract.explainIncident, async ({ incidentId }, invoke) => {
  const incident = await invoke(getIncident, { params: { incidentId } })
  // What the page may have repeated of the request.
  const monitor = await invoke(getMonitor, { params: { monitorId: incident.monitor.id } })
  return showIncidentDetails(incident, monitor)
})

const getPage = bindTool(contract.getStatusPage, async ({ statusPageId }, invoke) => {
  if (statusPageId !== undefined)
    return showPageDetails(await invoke(getStatusPage, { params: { statusPageId } }))
  return showList(await invoke(listStatusPages, { query: { limit: MAX_PAGES } }), showPage)
})

const findMaintenance = bindTool(contract.findMaintenance, async (args, invoke) => {
  const query = { ...args, limit: args.limit ?? DEFAULT_LIMIT }
  return showList(await invoke(listMaintenanceWindows, { query }), showWindow)
})

const findDeliveries = bindTool(contract.findDeliveries, async (args, invoke) => {
  const { deliveryId, ...filter } = args
  if (deliveryId !== undefined)
    return showDeliveryDetails(await invoke(getWebhookDelivery, { params: { deliveryId } }))
  const query = { ...filter, limit: args.limit ?? DEFAULT_LIMIT }
  return showList(await invoke(listWebhookDeliveries, { query }), showDelivery)
})

export const READ_TOOLS: readonly BoundTool[] = [
  bindTool(contract.overview, async (_args, invoke) => showOverview(await invoke(getOverview))),
  findMonitors,
  bindTool(contract.getMonitor, async ({ monitorId }, invoke) =>
    showMonitorDetails(await invoke(getMonitor, { params: { monitorId } })),
  ),
  getUptime,
  findIncidents,
  explainIncident,
  getPage,
  findMaintenance,
  findDeliveries,
  bindTool(contract.searchDocs, async ({ q }) => ({ results: searchDocs(q) })),
]
