import { MONITOR_STATES, MONITOR_TYPES } from '../../domain/monitors/monitor.ts'
import { operation } from '../operation.ts'
import { commaList, Deleted, EmptyBody, id, input, PAGE_QUERY, page } from '../schema.ts'
import { Type } from '../type.ts'
import { MONITOR_EXAMPLE, MonitorBody, MonitorCreate, MonitorUpdate } from './monitor.ts'

export { MonitorBody as Monitor, MonitorCreate, MonitorUpdate }

const tag = 'Monitors'

export const MonitorParams = Type.Object({ monitorId: id('Id of the monitor.') })

export const MonitorList = page(MonitorBody)

const MonitorQuery = input({
  ...PAGE_QUERY,
  type: Type.Optional(commaList(MONITOR_TYPES, 'Only monitors of these types.')),
  state: Type.Optional(commaList(MONITOR_STATES, 'Only monitors in these states.')),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only monitors with this text in name, url or host, in any case.',
    }),
  ),
})

const pending = {
  ...MONITOR_EXAMPLE,
  state: 'PENDING',
  lastCheckedAt: null,
  lastStatusChangedAt: null,
  lastResponseMs: null,
  certExpiresAt: null,
}

const emptyBody = { schema: EmptyBody, required: true, example: {} } as const

export const listMonitors = operation({
  id: 'listMonitors',
  method: 'GET',
  path: '/api/v1/monitors',
  tag,
  summary: 'List monitors',
  description:
    'The monitors of the organization, newest first. Keep paging until `offset` + `limit` reaches `pagination.total`.',
  query: MonitorQuery,
  reply: {
    status: 200,
    description: 'One page of monitors.',
    body: MonitorList,
    example: { data: [MONITOR_EXAMPLE], pagination: { limit: 25, offset: 0, total: 1 } },
  },
})

export const createMonitor = operation({
  id: 'createMonitor',
  method: 'POST',
  path: '/api/v1/monitors',
  tag,
  summary: 'Create a monitor',
  description:
    '`type` decides which fields are needed: HTTP `url`; KEYWORD `url` and `keyword`; PING `host`; PORT `host` and `port`; DNS, SSL and DOMAIN `url`; CRON none, it waits to be pinged at its `heartbeatUrl`. The monitor starts as PENDING, its first check is queued at once, and every alert contact of the organization is attached.',
  body: {
    schema: MonitorCreate,
    required: true,
    example: {
      name: 'Checkout',
      type: 'HTTP',
      url: 'https://shop.example.com/checkout/health',
      expectedStatus: [200],
      requestHeaders: { 'X-Probe': 'upvane' },
      intervalSeconds: 60,
      timeoutSeconds: 10,
      degradedThresholdMs: 800,
    },
  },
  reply: { status: 201, description: 'The new monitor.', body: MonitorBody, example: pending },
})

export const getMonitor = operation({
  id: 'getMonitor',
  method: 'GET',
  path: '/api/v1/monitors/{monitorId}',
  tag,
  summary: 'Get a monitor',
  description: 'The monitor as it is set, and how its last check left it.',
  params: MonitorParams,
  reply: { status: 200, description: 'The monitor.', body: MonitorBody, example: MONITOR_EXAMPLE },
})

export const updateMonitor = operation({
  id: 'updateMonitor',
  method: 'PATCH',
  path: '/api/v1/monitors/{monitorId}',
  tag,
  summary: 'Update a monitor',
  description:
    'Changes the fields you send and keeps the others; null clears a field that may be null. The result is checked as a whole: if it is not consistent, nothing is applied. Sends the event `monitor.updated`.',
  params: MonitorParams,
  body: {
    schema: MonitorUpdate,
    required: true,
    example: { name: 'Checkout (EU)', intervalSeconds: 30 },
  },
  reply: {
    status: 200,
    description: 'The monitor after the change.',
    body: MonitorBody,
    example: { ...MONITOR_EXAMPLE, name: 'Checkout (EU)', intervalSeconds: 30 },
  },
})

export const deleteMonitor = operation({
  id: 'deleteMonitor',
  method: 'DELETE',
  path: '/api/v1/monitors/{monitorId}',
  tag,
  summary: 'Delete a monitor',
  description: 'Removes the monitor with its checks and incidents. This cannot be undone.',
  params: MonitorParams,
  reply: {
    status: 200,
    description: 'The id of the monitor that was removed.',
    body: Deleted,
    example: { data: { id: MONITOR_EXAMPLE.id } },
  },
})

export const pauseMonitor = operation({
  id: 'pauseMonitor',
  method: 'POST',
  path: '/api/v1/monitors/{monitorId}/pause',
  tag,
  summary: 'Pause a monitor',
  description:
    'Checks and alerts stop, history is kept, and paused time is left out of uptime. An ongoing incident is resolved. Pausing a paused monitor changes nothing.',
  params: MonitorParams,
  body: emptyBody,
  reply: {
    status: 200,
    description: 'The paused monitor.',
    body: MonitorBody,
    example: { ...MONITOR_EXAMPLE, state: 'PAUSED' },
  },
})

export const resumeMonitor = operation({
  id: 'resumeMonitor',
  method: 'POST',
  path: '/api/v1/monitors/{monitorId}/resume',
  tag,
  summary: 'Resume a monitor',
  description:
    'The monitor is PENDING and is checked straight away. Resuming one that is not paused changes nothing.',
  params: MonitorParams,
  body: emptyBody,
  reply: {
    status: 200,
    description: 'The monitor, waiting for its check.',
    body: MonitorBody,
    example: { ...MONITOR_EXAMPLE, state: 'PENDING' },
  },
})

export const checkMonitor = operation({
  id: 'checkMonitor',
  method: 'POST',
  waits: true,
  path: '/api/v1/monitors/{monitorId}/check',
  tag,
  summary: 'Check a monitor now',
  description:
    'Runs a check and responds when its result is stored. It counts like a scheduled check: toward uptime, and it can open or resolve an incident. A paused monitor returns 409 `conflict`.',
  params: MonitorParams,
  body: emptyBody,
  reply: {
    status: 200,
    description: 'The monitor after the check.',
    body: MonitorBody,
    example: MONITOR_EXAMPLE,
  },
})
