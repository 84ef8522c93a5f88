import { DELIVERY_STATUSES } from '../../domain/events/delivery.ts'
import { MONITOR_STATES, MONITOR_TYPES } from '../../domain/monitors/monitor.ts'
import { oneOf } from '../schema.ts'
import { Type } from '../type.ts'
import { readTool } from './tool.ts'

const id = (prefix: string) =>
  Type.String({ minLength: 1, maxLength: 100, description: `${prefix}_…` })
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 20, description: '10 by default.' }),
)
const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 }))
const time = (what: string) =>
  Type.Optional(Type.String({ maxLength: 40, description: `${what}, ISO 8601 with offset.` }))

export const overview = readTool({
  name: 'overview',
  title: 'Overview',
  description: 'How everything is now: monitors by state, open incidents, maintenance. Start here.',
  input: {},
})

export const findMonitors = readTool({
  name: 'find_monitors',
  title: 'Find monitors',
  description: 'Search monitors by text, state and type.',
  input: {
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'In name, URL or host.' }),
    ),
    state: Type.Optional(oneOf(MONITOR_STATES)),
    type: Type.Optional(oneOf(MONITOR_TYPES)),
    limit,
    offset,
  },
})

export const getMonitor = readTool({
  name: 'get_monitor',
  title: 'Get a monitor',
  description: 'Settings and status of a monitor. Credentials are never included.',
  input: { monitorId: id('mon') },
})

export const getUptime = readTool({
  name: 'get_uptime',
  title: 'Get uptime',
  description:
    'Uptime of a monitor over 24 hours to a year, and its response times of the last day.',
  input: { monitorId: id('mon') },
})

export const findIncidents = readTool({
  name: 'find_incidents',
  title: 'Find incidents',
  description: 'Detected outages, newest first.',
  input: {
    monitorId: Type.Optional(id('mon')),
    status: Type.Optional(oneOf(['ONGOING', 'RESOLVED'])),
    startedAfter: time('From this time on'),
    startedBefore: time('Before this time'),
    limit,
    offset,
  },
})

export const explainIncident = readTool({
  name: 'explain_incident',
  title: 'Explain an incident',
  description:
    'Why an outage happened: cause, evidence of the first and last failed check, attempts, timeline with the alerts that were sent.',
  input: { incidentId: id('inc') },
})

export const getStatusPage = readTool({
  name: 'get_status_page',
  title: 'Get a status page',
  description: 'A status page with the state of each component. Without an id: all pages.',
  input: { statusPageId: Type.Optional(id('sp')) },
})

export const findMaintenance = readTool({
  name: 'find_maintenance',
  title: 'Find maintenance windows',
  description: 'Maintenance windows, newest first.',
  input: {
    status: Type.Optional(oneOf(['SCHEDULED', 'ACTIVE', 'COMPLETED'])),
    monitorId: Type.Optional(id('mon')),
    limit,
    offset,
  },
})

export const findDeliveries = readTool({
  name: 'find_deliveries',
  title: 'Find webhook deliveries',
  description:
    'Why a webhook did not arrive: deliveries, newest first, or one delivery with its attempts.',
  input: {
    deliveryId: Type.Optional(id('whd')),
    endpointId: Type.Optional(id('whe')),
    status: Type.Optional(oneOf(DELIVERY_STATUSES)),
    limit,
    offset,
  },
})

export const searchDocs = readTool({
  name: 'search_docs',
  title: 'Search the documentation',
  description: 'Search the reference of the API: what operations exist and how they behave.',
  input: { q: Type.String({ minLength: 1, maxLength: 200 }) },
})
