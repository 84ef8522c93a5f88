// The tools that change something: one operation each, with the caller's key against repetition. None of them deletes.
import { createMonitorDetail } from '../../contract/ext/monitors.ts'
import * as contract from '../../contract/mcp/write-tools.ts'
import { acknowledgeIncident } from '../../contract/public/incidents.ts'
import { createMaintenanceWindow } from '../../contract/public/maintenance-windows.ts'
import { checkMonitor, pauseMonitor, resumeMonitor } from '../../contract/public/monitors.ts'
import {
  createStatusIncident,
  createStatusIncidentUpdate,
} from '../../contract/public/status-incidents.ts'
import { type BoundTool, bindTool } from './bind-tool.ts'
import { showIncident, showMonitorDetails, showPublished, showWindow } from './shapes.ts'

const pauseOrResume = bindTool(contract.pauseOrResumeMonitor, async (args, invoke) => {
  const { monitorId, action, requestKey } = args
  const given = { params: { monitorId }, requestKey }
  const monitor =
    action === 'PAUSE' ? await invoke(pauseMonitor, given) : await invoke(resumeMonitor, given)
  return showMonitorDetails(monitor)
})

const acknowledge = bindTool(contract.acknowledgeIncident, async (args, invoke) => {
  const { incidentId, note, requestKey } = args
  const body = note === undefined ? {} : { note }
  const given = { params: { incidentId }, body, requestKey }
  return showIncident(await invoke(acknowledgeIncident, given))
})

const updatePublished = bindTool(contract.updatePublishedIncident, async (args, invoke) => {
  const { statusIncidentId, requestKey, ...body } = args
  const given = { params: { statusIncidentId }, body, requestKey }
  return showPublished(await invoke(createStatusIncidentUpdate, given))
})

export const WRITE_TOOLS: readonly BoundTool[] = [
  bindTool(contract.checkMonitor, async ({ monitorId, requestKey }, invoke) =>
    showMonitorDetails(await invoke(checkMonitor, { params: { monitorId }, requestKey })),
  ),
  bindTool(contract.createMonitor, async ({ requestKey, ...body }, invoke) =>
    showMonitorDetails(await invoke(createMonitorDetail, { body, requestKey })),
  ),
  pauseOrResume,
  acknowledge,
  bindTool(contract.publishIncident, async ({ requestKey, ...body }, invoke) =>
    showPublished(await invoke(createStatusIncident, { body, requestKey })),
  ),
  updatePublished,
  bindTool(contract.scheduleMaintenance, async ({ requestKey, ...body }, invoke) =>
    showWindow(await invoke(createMaintenanceWindow, { body, requestKey })),
  ),
]
