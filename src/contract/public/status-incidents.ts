import { STATUS_INCIDENT_STATUSES } from '../../domain/status-pages/status-incident.ts'
import { operation } from '../operation.ts'
import { commaList, Deleted, id, input, PAGE_QUERY, page } from '../schema.ts'
import { Type } from '../type.ts'
import {
  StatusIncidentBody,
  StatusIncidentCreate,
  StatusIncidentUpdate,
  StatusIncidentUpdateCreate,
} from './status-incident.ts'

export {
  StatusIncidentBody as StatusIncident,
  StatusIncidentCreate,
  StatusIncidentUpdate,
  StatusIncidentUpdateCreate,
}

const tag = 'Published incidents'

export const StatusIncidentParams = Type.Object({
  statusIncidentId: id('Id of the published incident.'),
})

export const StatusIncidentList = page(StatusIncidentBody)

const StatusIncidentQuery = input({
  ...PAGE_QUERY,
  status: Type.Optional(commaList(STATUS_INCIDENT_STATUSES, 'Only incidents in these statuses.')),
  statusPageId: Type.Optional(id('Only incidents shown on this status page.')),
})

const statusPageId = 'sp_01m7e3n0kwe7a8005gs2w5hsvz'
const componentId = 'cmp_01m7e3rqzaeaz800121r7h5ew4'
const firstMessage = 'Some payments fail. We are looking into it.'

export const STATUS_INCIDENT_EXAMPLE: StatusIncidentBody = {
  id: 'sin_01m7e3yb0ge0tr002z0h8btyq8',
  title: 'Payments fail',
  status: 'INVESTIGATING',
  impact: 'MAJOR',
  statusPageIds: [statusPageId],
  components: [{ componentId, state: 'PARTIAL_OUTAGE' }],
  incidentId: 'inc_01m7e3k4y5e5fr0039rkamsgk4',
  startedAt: '2026-11-14T22:39:00.000Z',
  resolvedAt: null,
  updates: [
    {
      id: 'siu_01m7e406p7e2n8000gnvhq6ppp',
      status: 'INVESTIGATING',
      message: firstMessage,
      components: [{ componentId, state: 'PARTIAL_OUTAGE' }],
      notifiedSubscribers: true,
      createdAt: '2026-11-14T22:45:00.000Z',
    },
  ],
  createdAt: '2026-11-14T22:45:00.000Z',
  updatedAt: '2026-11-14T22:45:00.000Z',
}

const afterUpdate: StatusIncidentBody = {
  ...STATUS_INCIDENT_EXAMPLE,
  status: 'IDENTIFIED',
  updates: [
    {
      id: 'siu_01m7e422bye4fr0012jep6zj3p',
      status: 'IDENTIFIED',
      message: 'Our payment provider has an outage and works on a fix.',
      components: [{ componentId, state: 'PARTIAL_OUTAGE' }],
      notifiedSubscribers: true,
      createdAt: '2026-11-14T23:02:00.000Z',
    },
    ...STATUS_INCIDENT_EXAMPLE.updates,
  ],
  updatedAt: '2026-11-14T23:02:00.000Z',
}

export const listStatusIncidents = operation({
  id: 'listStatusIncidents',
  method: 'GET',
  path: '/api/v1/status-incidents',
  tag,
  summary: 'List published incidents',
  description: 'Incidents written and published on status pages, newest first.',
  query: StatusIncidentQuery,
  reply: {
    status: 200,
    description: 'One page of published incidents.',
    body: StatusIncidentList,
    example: { data: [STATUS_INCIDENT_EXAMPLE], pagination: { limit: 25, offset: 0, total: 1 } },
  },
})

export const createStatusIncident = operation({
  id: 'createStatusIncident',
  method: 'POST',
  path: '/api/v1/status-incidents',
  tag,
  summary: 'Publish an incident',
  description:
    'Shows an incident on status pages and notifies their subscribers. Without `statusPageIds` it appears on all pages. Detected incidents are never published automatically.',
  body: {
    schema: StatusIncidentCreate,
    required: true,
    example: {
      title: 'Payments fail',
      impact: 'MAJOR',
      statusPageIds: [statusPageId],
      components: [{ componentId, state: 'PARTIAL_OUTAGE' }],
      incidentId: 'inc_01m7e3k4y5e5fr0039rkamsgk4',
      startedAt: '2026-11-14T22:39:00.000Z',
      message: firstMessage,
    },
  },
  reply: {
    status: 201,
    description: 'The published incident.',
    body: StatusIncidentBody,
    example: STATUS_INCIDENT_EXAMPLE,
  },
})

export const getStatusIncident = operation({
  id: 'getStatusIncident',
  method: 'GET',
  path: '/api/v1/status-incidents/{statusIncidentId}',
  tag,
  summary: 'Get a published incident',
  description: 'The incident with all of its updates, newest first.',
  params: StatusIncidentParams,
  reply: {
    status: 200,
    description: 'The published incident.',
    body: StatusIncidentBody,
    example: STATUS_INCIDENT_EXAMPLE,
  },
})

export const updateStatusIncident = operation({
  id: 'updateStatusIncident',
  method: 'PATCH',
  path: '/api/v1/status-incidents/{statusIncidentId}',
  tag,
  summary: 'Edit a published incident',
  description:
    'Changes the fields you send and keeps the others. A changed `status` adds an update without a message; to tell visitors more, post an update instead.',
  params: StatusIncidentParams,
  body: { schema: StatusIncidentUpdate, required: true, example: { impact: 'CRITICAL' } },
  reply: {
    status: 200,
    description: 'The published incident after the change.',
    body: StatusIncidentBody,
    example: { ...STATUS_INCIDENT_EXAMPLE, impact: 'CRITICAL' },
  },
})

export const deleteStatusIncident = operation({
  id: 'deleteStatusIncident',
  method: 'DELETE',
  path: '/api/v1/status-incidents/{statusIncidentId}',
  tag,
  summary: 'Delete a published incident',
  description: 'Removes it and its updates from every page. This cannot be undone.',
  params: StatusIncidentParams,
  reply: {
    status: 200,
    description: 'The id of the published incident that was removed.',
    body: Deleted,
    example: { data: { id: STATUS_INCIDENT_EXAMPLE.id } },
  },
})

export const createStatusIncidentUpdate = operation({
  id: 'createStatusIncidentUpdate',
  method: 'POST',
  path: '/api/v1/status-incidents/{statusIncidentId}/updates',
  tag,
  summary: 'Post an incident update',
  description:
    'RESOLVED ends the incident and sets its components back to OPERATIONAL; a later update with another status reopens it. An incident has at most 500 updates.',
  params: StatusIncidentParams,
  body: {
    schema: StatusIncidentUpdateCreate,
    required: true,
    example: {
      status: 'IDENTIFIED',
      message: 'Our payment provider has an outage and works on a fix.',
    },
  },
  reply: {
    status: 201,
    description: 'The whole published incident, with the new update first.',
    body: StatusIncidentBody,
    example: afterUpdate,
  },
})
