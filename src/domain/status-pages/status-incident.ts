// An incident that people write and publish on status pages, and how the API shows it.
import { toPublicId } from '../values/id.ts'
import type { AffectedState } from './page-state.ts'

export const STATUS_INCIDENT_STATUSES = [
  'INVESTIGATING',
  'IDENTIFIED',
  'MONITORING',
  'RESOLVED',
] as const
export type StatusIncidentStatus = (typeof STATUS_INCIDENT_STATUSES)[number]
export const IMPACTS = ['NONE', 'MINOR', 'MAJOR', 'CRITICAL'] as const
export type Impact = (typeof IMPACTS)[number]

export const MAX_STATUS_PAGES = 50
export const MAX_UPDATES = 500

export type Affected = { componentUuid: string; state: AffectedState }

export type StatusIncidentUpdate = {
  uuid: string
  status: StatusIncidentStatus
  message: string
  components: Affected[]
  notifiedSubscribers: boolean
  createdAt: Date
}

export type StatusIncident = {
  uuid: string
  title: string
  status: StatusIncidentStatus
  impact: Impact
  pageUuids: string[]
  components: Affected[]
  /** The detected incident it refers to. */
  incidentUuid: string | null
  startedAt: Date
  resolvedAt: Date | null
  /** Newest first. */
  updates: StatusIncidentUpdate[]
  createdAt: Date
  updatedAt: Date
}

export function toApiStatusIncident(incident: StatusIncident) {
  return {
    id: toPublicId('sin', incident.uuid),
    title: incident.title,
    status: incident.status,
    impact: incident.impact,
    statusPageIds: incident.pageUuids.map((uuid) => toPublicId('sp', uuid)),
    components: incident.components.map(toApiAffected),
    incidentId: incident.incidentUuid && toPublicId('inc', incident.incidentUuid),
    startedAt: incident.startedAt,
    resolvedAt: incident.resolvedAt,
    updates: incident.updates.map(toApiUpdate),
    createdAt: incident.createdAt,
    updatedAt: incident.updatedAt,
  }
}

export function toApiUpdate(update: StatusIncidentUpdate) {
  return {
    id: toPublicId('siu', update.uuid),
    status: update.status,
    message: update.message,
    components: update.components.map(toApiAffected),
    notifiedSubscribers: update.notifiedSubscribers,
    createdAt: update.createdAt,
  }
}

function toApiAffected({ componentUuid, state }: Affected) {
  return { componentId: toPublicId('cmp', componentUuid), state }
}

/** An incident as it is being written in the dashboard, for a preview. */
export type PublishedIncidentDraft = {
  /** Of an incident that is already published. */
  uuid: string | undefined
  title: string
  status: StatusIncidentStatus
  impact: Impact
  components: { componentId: string; state: AffectedState }[]
  message: string
  startedAt?: Date | undefined
  nextUpdateBy?: Date | undefined
}
