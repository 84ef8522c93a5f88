import { PATHS, pathTo } from '../../../../src/domain/values/dashboard-paths.ts'

const TO_OBJECT: Readonly<Record<string, (id: string) => string>> = {
  mon: (monitorId) => pathTo(PATHS.monitor, { monitorId }),
  inc: (incidentId) => pathTo(PATHS.incident, { incidentId }),
  sp: (statusPageId) => pathTo(PATHS.statusPage, { statusPageId }),
  sin: (statusIncidentId) => pathTo(PATHS.statusIncident, { statusIncidentId }),
  mw: (windowId) => pathTo(PATHS.editWindow, { windowId }),
  whe: (endpointId) => pathTo(PATHS.editEndpoint, { endpointId }),
  act: (contactId) => pathTo(PATHS.editContact, { contactId }),
  key: () => PATHS.apiKeys,
  usr: () => PATHS.team,
  inv: () => PATHS.team,
}

/** Where an object is shown; undefined if it has no screen. */
export function objectPath(id: string): string | undefined {
  return TO_OBJECT[id.split('_', 1)[0] ?? '']?.(id)
}
