import { operation } from '../operation.ts'
import { commaList, id, input, nullable, PAGE_QUERY, page, timestamp } from '../schema.ts'
import { Type } from '../type.ts'
import { CheckEvidence, IncidentBody, IncidentDetailBody } from './incident.ts'
import {
  ACKNOWLEDGED_EXAMPLE,
  INCIDENT_DETAIL_EXAMPLE,
  INCIDENT_EXAMPLE,
} from './incident-examples.ts'

export { CheckEvidence, IncidentBody as Incident, IncidentDetailBody as IncidentDetail }

const tag = 'Incidents'

export const INCIDENT_STATUSES = ['ONGOING', 'RESOLVED'] as const

export const IncidentParams = Type.Object({ incidentId: id('Id of the incident.') })

export const IncidentList = page(IncidentBody)

export const IncidentAcknowledge = Type.Object(
  {
    note: Type.Optional(
      nullable(Type.String({ maxLength: 1000, description: 'A note for your team.' })),
    ),
  },
  { additionalProperties: false },
)

const IncidentQuery = input({
  ...PAGE_QUERY,
  monitorId: Type.Optional(id('Only incidents of this monitor.')),
  status: Type.Optional(commaList(INCIDENT_STATUSES, 'Only ongoing or only resolved incidents.')),
  acknowledged: Type.Optional(
    Type.Boolean({ description: 'Only incidents that were, or were not, acknowledged.' }),
  ),
  startedAfter: Type.Optional(timestamp('Only incidents that started at this time or later.')),
  startedBefore: Type.Optional(timestamp('Only incidents that started before this time.')),
})

export const listIncidents = operation({
  id: 'listIncidents',
  method: 'GET',
  path: '/api/v1/incidents',
  tag,
  summary: 'List incidents',
  description:
    'Outages detected from failed checks, ongoing and resolved, newest first. A monitor has at most one ongoing incident.',
  query: IncidentQuery,
  reply: {
    status: 200,
    description: 'One page of incidents.',
    body: IncidentList,
    example: { data: [INCIDENT_EXAMPLE], pagination: { limit: 25, offset: 0, total: 1 } },
  },
})

export const getIncident = operation({
  id: 'getIncident',
  method: 'GET',
  path: '/api/v1/incidents/{incidentId}',
  tag,
  summary: 'Get an incident',
  description: 'The incident with the checks that opened and resolved it, and its timeline.',
  params: IncidentParams,
  reply: {
    status: 200,
    description: 'The incident with its evidence.',
    body: IncidentDetailBody,
    example: INCIDENT_DETAIL_EXAMPLE,
  },
})

export const acknowledgeIncident = operation({
  id: 'acknowledgeIncident',
  method: 'POST',
  path: '/api/v1/incidents/{incidentId}/acknowledge',
  tag,
  summary: 'Acknowledge an incident',
  description:
    'Tells your team that someone is on it: reminders and escalation stop, and the alert about the recovery is still sent. A second acknowledgement changes nothing; the first note stays.',
  params: IncidentParams,
  body: {
    schema: IncidentAcknowledge,
    required: false,
    example: { note: 'Payment provider has an outage, watching it.' },
  },
  reply: {
    status: 200,
    description: 'The acknowledged incident.',
    body: IncidentDetailBody,
    example: ACKNOWLEDGED_EXAMPLE,
  },
})
