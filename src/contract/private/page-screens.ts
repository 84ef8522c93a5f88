// Status pages in the dashboard, and previews of unsaved changes.
import type { Static } from 'typebox'
import { MONITOR_STATES, MONITOR_TYPES } from '../../domain/monitors/monitor.ts'
import { COMPONENT_STATES } from '../../domain/status-pages/page-state.ts'
import { MAX_COMPONENTS } from '../../domain/status-pages/sections.ts'
import { IMPACTS, STATUS_INCIDENT_STATUSES } from '../../domain/status-pages/status-incident.ts'
import { AffectedComponentInput, StatusIncidentBody } from '../public/status-incident.ts'
import {
  MOST_TOKENS_OF_PAGE,
  StatusPageBody,
  StatusPageComponent,
  StatusPageSection,
  StatusPageUpdate,
} from '../public/status-page.ts'
import {
  closed,
  input,
  nullable,
  oneOf,
  orNull,
  PAGE_QUERY,
  Pagination,
  Timestamp,
} from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'
import { MonitorTag } from './tags.ts'

const PageComponent = closed({
  ...StatusPageComponent.properties,
  /** Null if it uses the name of its monitor. */
  ownName: nullable(Type.String()),
  /** As set by hand. Visitors may see something worse because of an incident. */
  manualState: nullable(oneOf(COMPONENT_STATES)),
  monitor: orNull(
    closed({ name: Type.String(), type: oneOf(MONITOR_TYPES), state: oneOf(MONITOR_STATES) }),
    'What it shows; null when it is set by hand.',
  ),
})

export const StatusPageListEntry = closed({
  ...StatusPageBody.properties,
  sections: Type.Array(
    closed({
      ...StatusPageSection.properties,
      components: Type.Array(PageComponent),
      tag: orNull(MonitorTag, 'The tag it follows: it shows the monitors that have it.'),
    }),
  ),
  /** Confirmed subscribers. */
  subscribers: Type.Integer(),
  /** Subscribers who have not confirmed yet. */
  waiting: Type.Integer(),
  openIncidents: Type.Integer(),
})
export type StatusPageListEntry = Static<typeof StatusPageListEntry>

export const listStatusPageRows = privateOperation({
  id: 'listStatusPageRows',
  method: 'GET',
  path: '/overview/status-pages',
  who: 'READ_ONLY',
  query: input({
    ...PAGE_QUERY,
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  reply: {
    status: 200,
    body: closed({ data: Type.Array(StatusPageListEntry), pagination: Pagination }),
  },
})

export const getStatusPageScreen = privateOperation({
  id: 'getStatusPageScreen',
  method: 'GET',
  path: '/overview/status-pages/{statusPageId}',
  who: 'READ_ONLY',
  params: Type.Object({ statusPageId: Type.String() }),
  reply: { status: 200, body: StatusPageListEntry },
})

const { id, title, status, impact, components, incidentId, startedAt, resolvedAt } =
  StatusIncidentBody.properties

/** Ongoing incidents first, then by start: what people look for, not what was written last. */
export const listStatusIncidentRows = privateOperation({
  id: 'listStatusIncidentRows',
  method: 'GET',
  path: '/overview/status-incidents',
  who: 'READ_ONLY',
  query: input({
    ...PAGE_QUERY,
    statusPageId: Type.Optional(Type.String({ minLength: 1 })),
  }),
  reply: {
    status: 200,
    body: closed({
      data: Type.Array(
        closed({
          id,
          title,
          status,
          impact,
          components,
          incidentId,
          startedAt,
          resolvedAt,
          updates: Type.Integer(),
        }),
      ),
      pagination: Pagination,
    }),
  },
})

const { password: _, ...drawn } = StatusPageUpdate.properties
/** The style is separate: the frame that shows the preview allows no styles inside a document. */
const Drawing = closed({ html: Type.String(), style: Type.String() })

/** The page with these changes, as visitors would see it. Without an ID, a page that does not exist yet. */
export const previewStatusPage = privateOperation({
  id: 'previewStatusPage',
  method: 'POST',
  path: '/status-page-drafts',
  who: 'READ_ONLY',
  keepsNothing: true,
  body: {
    schema: input({ ...drawn, statusPageId: Type.Optional(Type.String()) }),
    required: true,
    mostTokens: MOST_TOKENS_OF_PAGE,
  },
  reply: { status: 200, body: Drawing },
})

/** The incident with an update that is not posted yet, as visitors of this page would see it. */
export const previewStatusIncident = privateOperation({
  id: 'previewStatusIncident',
  method: 'POST',
  path: '/status-incident-drafts',
  who: 'READ_ONLY',
  keepsNothing: true,
  body: {
    schema: input({
      statusPageId: Type.String(),
      statusIncidentId: Type.Optional(Type.String()),
      title: Type.String({ maxLength: 200 }),
      status: oneOf(STATUS_INCIDENT_STATUSES),
      impact: oneOf(IMPACTS),
      components: Type.Array(AffectedComponentInput, { maxItems: MAX_COMPONENTS }),
      message: Type.String({ maxLength: 10_000 }),
      startedAt: Type.Optional(Timestamp),
      nextUpdateBy: Type.Optional(Timestamp),
    }),
    required: true,
  },
  reply: { status: 200, body: Drawing },
})

export const PAGE_SCREEN_OPERATIONS = [
  listStatusPageRows,
  getStatusPageScreen,
  listStatusIncidentRows,
  previewStatusPage,
  previewStatusIncident,
] as const
