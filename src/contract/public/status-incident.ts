// An incident that people write and publish on status pages.
import type { Static } from 'typebox'
import { AFFECTED_STATES } from '../../domain/status-pages/page-state.ts'
import { MAX_COMPONENTS } from '../../domain/status-pages/sections.ts'
import {
  IMPACTS,
  MAX_STATUS_PAGES,
  STATUS_INCIDENT_STATUSES,
} from '../../domain/status-pages/status-incident.ts'
import { closed, id, input, nullable, oneOf, patch, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

const ABOUT = {
  title: 'Headline of the incident.',
  status: 'Stage of the incident.',
  impact: 'How severe it is for visitors.',
  statusPageIds: 'Status pages that show it.',
  components: 'What visitors see for each affected component.',
  incidentId: 'Detected incident it belongs to.',
  startedAt: 'When it began.',
  resolvedAt: 'When it was resolved. Null until then.',
  message: 'What visitors read. A subset of Markdown.',
  notifySubscribers: 'Whether subscribers of the pages are notified.',
}

const affected = {
  componentId: id('Id of a component on one of the pages.'),
  state: oneOf(AFFECTED_STATES, { description: 'State visitors see for it.' }),
}

export const AffectedComponent = closed(affected)
export const AffectedComponentInput = input(affected)

export const StatusIncidentUpdateEntry = closed({
  id: id('Id of the update.'),
  status: oneOf(STATUS_INCIDENT_STATUSES, { description: 'Status from this update on.' }),
  message: Type.String({ description: `${ABOUT.message} May be empty.` }),
  components: Type.Array(AffectedComponent, { description: ABOUT.components }),
  notifiedSubscribers: Type.Boolean({ description: 'Whether subscribers were notified.' }),
  createdAt: timestamp('When it was posted.'),
})

export const StatusIncidentBody = closed({
  id: id('Id of the published incident.'),
  title: Type.String({ description: ABOUT.title }),
  status: oneOf(STATUS_INCIDENT_STATUSES, { description: ABOUT.status }),
  impact: oneOf(IMPACTS, { description: ABOUT.impact }),
  statusPageIds: Type.Array(Type.String(), { description: ABOUT.statusPageIds }),
  components: Type.Array(AffectedComponent, { description: ABOUT.components }),
  incidentId: nullable(Type.String({ description: ABOUT.incidentId })),
  startedAt: timestamp(ABOUT.startedAt),
  resolvedAt: nullable(timestamp(ABOUT.resolvedAt)),
  updates: Type.Array(StatusIncidentUpdateEntry, {
    description: 'Updates, newest first. In events: the newest 20.',
  }),
  createdAt: timestamp('When it was published.'),
  updatedAt: timestamp('When it last changed.'),
})
export type StatusIncidentBody = Static<typeof StatusIncidentBody>

const writable = {
  title: Type.String({ minLength: 1, maxLength: 200, description: ABOUT.title }),
  status: oneOf(STATUS_INCIDENT_STATUSES, { default: 'INVESTIGATING', description: ABOUT.status }),
  impact: oneOf(IMPACTS, { default: 'MINOR', description: ABOUT.impact }),
  statusPageIds: Type.Optional(
    Type.Array(id('Id of a status page.'), {
      minItems: 1,
      maxItems: MAX_STATUS_PAGES,
      description: `${ABOUT.statusPageIds} Left out on create: all pages.`,
    }),
  ),
  components: Type.Array(AffectedComponentInput, {
    maxItems: MAX_COMPONENTS,
    default: [],
    description: ABOUT.components,
  }),
  incidentId: nullable(Type.String({ minLength: 1, default: null, description: ABOUT.incidentId })),
  startedAt: Type.Optional(
    timestamp(`${ABOUT.startedAt} Left out on create: now. At most 60 seconds ahead.`),
  ),
  resolvedAt: Type.Optional(
    nullable(timestamp('When it was resolved. Left out with RESOLVED: now.')),
  ),
}

const message = Type.String({ minLength: 1, maxLength: 10_000, description: ABOUT.message })
const notifySubscribers = Type.Boolean({
  default: true,
  description: ABOUT.notifySubscribers,
})

export const StatusIncidentCreate = input({
  ...writable,
  message: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: `${ABOUT.message} Becomes the first update.`,
    }),
  ),
  notifySubscribers,
})

export const StatusIncidentUpdate = patch(writable)

export const StatusIncidentUpdateCreate = input({
  message,
  status: Type.Optional(
    oneOf(STATUS_INCIDENT_STATUSES, { description: 'New status. Left out: it stays.' }),
  ),
  components: Type.Optional(
    Type.Array(AffectedComponentInput, {
      maxItems: MAX_COMPONENTS,
      description: 'Replaces the states of the components. Left out: they stay.',
    }),
  ),
  notifySubscribers,
  createdAt: Type.Optional(timestamp('When it was posted, if earlier than now.')),
})
