import { operation } from '../operation.ts'
import { commaList, Deleted, id, input, PAGE_QUERY, page } from '../schema.ts'
import { Type } from '../type.ts'
import {
  MaintenanceWindowBody,
  MaintenanceWindowCreate,
  MaintenanceWindowUpdate,
  WINDOW_STATUSES,
} from './maintenance-window.ts'
import { MONITOR_EXAMPLE } from './monitor.ts'

export {
  MaintenanceWindowBody as MaintenanceWindow,
  MaintenanceWindowCreate,
  MaintenanceWindowUpdate,
}

const tag = 'Maintenance windows'

export const MaintenanceWindowParams = Type.Object({ maintenanceId: id('Id of the window.') })

export const MaintenanceWindowList = page(MaintenanceWindowBody)

const MaintenanceWindowQuery = input({
  ...PAGE_QUERY,
  status: Type.Optional(commaList(WINDOW_STATUSES, 'Only windows with these statuses.')),
  monitorId: Type.Optional(id('Only windows that cover this monitor.')),
})

const occurrence = { startsAt: '2026-11-20T01:00:00.000Z', endsAt: '2026-11-20T02:30:00.000Z' }

export const MAINTENANCE_WINDOW_EXAMPLE: MaintenanceWindowBody = {
  id: 'mw_01m7e3wfareem800226x7tg794',
  name: 'Database upgrade',
  description: 'Checkout is read-only for about an hour.',
  status: 'SCHEDULED',
  ...occurrence,
  timezone: 'Europe/Berlin',
  recurrence: null,
  allMonitors: false,
  monitorIds: [MONITOR_EXAMPLE.id],
  statusPageIds: [],
  showOnStatusPages: true,
  notifySubscribers: true,
  currentOccurrence: null,
  nextOccurrence: occurrence,
  upcomingOccurrences: [occurrence],
  createdAt: '2026-11-14T22:39:00.000Z',
  updatedAt: '2026-11-14T22:39:00.000Z',
}

export const listMaintenanceWindows = operation({
  id: 'listMaintenanceWindows',
  method: 'GET',
  path: '/api/v1/maintenance-windows',
  tag,
  summary: 'List maintenance windows',
  description: 'The windows of the organization, newest first.',
  query: MaintenanceWindowQuery,
  reply: {
    status: 200,
    description: 'One page of windows.',
    body: MaintenanceWindowList,
    example: {
      data: [MAINTENANCE_WINDOW_EXAMPLE],
      pagination: { limit: 25, offset: 0, total: 1 },
    },
  },
})

export const createMaintenanceWindow = operation({
  id: 'createMaintenanceWindow',
  method: 'POST',
  path: '/api/v1/maintenance-windows',
  tag,
  summary: 'Create a maintenance window',
  description:
    'In the window its monitors are still checked, but no incident opens, no alert is sent, and the time is left out of uptime. A window created inside its own span starts immediately. Repeating windows keep their local time over clock changes.',
  body: {
    schema: MaintenanceWindowCreate,
    required: true,
    example: {
      name: 'Database upgrade',
      description: 'Checkout is read-only for about an hour.',
      ...occurrence,
      timezone: 'Europe/Berlin',
      monitorIds: [MONITOR_EXAMPLE.id],
      notifySubscribers: true,
    },
  },
  reply: {
    status: 201,
    description: 'The new window.',
    body: MaintenanceWindowBody,
    example: MAINTENANCE_WINDOW_EXAMPLE,
  },
})

export const getMaintenanceWindow = operation({
  id: 'getMaintenanceWindow',
  method: 'GET',
  path: '/api/v1/maintenance-windows/{maintenanceId}',
  tag,
  summary: 'Get a maintenance window',
  description: 'The window with its current and upcoming occurrences.',
  params: MaintenanceWindowParams,
  reply: {
    status: 200,
    description: 'The window.',
    body: MaintenanceWindowBody,
    example: MAINTENANCE_WINDOW_EXAMPLE,
  },
})

export const updateMaintenanceWindow = operation({
  id: 'updateMaintenanceWindow',
  method: 'PATCH',
  path: '/api/v1/maintenance-windows/{maintenanceId}',
  tag,
  summary: 'Update a maintenance window',
  description:
    'Changes the fields you send and keeps the others. A change counts from now: what has begun keeps its start. To end a window early, set `endsAt` to now or earlier. Of a COMPLETED window that happens once, only `name` and `description` can change; the rest returns 409 `conflict`.',
  params: MaintenanceWindowParams,
  body: {
    schema: MaintenanceWindowUpdate,
    required: true,
    example: { endsAt: '2026-11-20T03:00:00.000Z' },
  },
  reply: {
    status: 200,
    description: 'The window after the change.',
    body: MaintenanceWindowBody,
    example: {
      ...MAINTENANCE_WINDOW_EXAMPLE,
      endsAt: '2026-11-20T03:00:00.000Z',
      nextOccurrence: { ...occurrence, endsAt: '2026-11-20T03:00:00.000Z' },
      upcomingOccurrences: [{ ...occurrence, endsAt: '2026-11-20T03:00:00.000Z' }],
    },
  },
})

export const deleteMaintenanceWindow = operation({
  id: 'deleteMaintenanceWindow',
  method: 'DELETE',
  path: '/api/v1/maintenance-windows/{maintenanceId}',
  tag,
  summary: 'Delete a maintenance window',
  description: 'Cancels the window. Occurrences that already happened stay out of uptime.',
  params: MaintenanceWindowParams,
  reply: {
    status: 200,
    description: 'The id of the window that was removed.',
    body: Deleted,
    example: { data: { id: MAINTENANCE_WINDOW_EXAMPLE.id } },
  },
})
