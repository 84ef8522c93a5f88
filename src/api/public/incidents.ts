import { acknowledgeIncident } from '../../actions/incidents/acknowledge.ts'
import type { WithDates } from '../../contract/operation.ts'
import type * as shapes from '../../contract/public/incident.ts'
import * as contract from '../../contract/public/incidents.ts'
import { type Incident, toApiIncident } from '../../domain/incidents/incident.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import * as incidents from '../../store/incidents/incidents.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listIncidents> = async ({ query }, { tenant }) => {
  const { limit, offset, monitorId: monitorUuid } = query
  const page = await incidents.listIncidents(tenant, { ...query, monitorUuid })
  return {
    data: page.incidents.map(toApiIncident),
    pagination: { limit, offset, total: page.total },
  }
}

const get: Handler<typeof contract.getIncident> = async ({ params }, { tenant }) => {
  const incident = await incidents.findIncident(tenant, params.incidentId)
  if (!incident) throw notFound('incident')
  return toApiDetail(incident)
}

const acknowledge: Handler<typeof contract.acknowledgeIncident> = async (
  { params, body },
  { tx, caller },
) => {
  const { type: byType, id: byUuid, name: byName } = caller.actor
  const acknowledgement = { byType, byUuid, byName, note: body?.note ?? null }
  const incident = await acknowledgeIncident(tx, params.incidentId, acknowledgement)
  if (!incident) throw notFound('incident')
  return toApiDetail(incident)
}

export const incidentOperations: readonly BoundOperation[] = [
  bind(contract.listIncidents, list),
  bind(contract.getIncident, get),
  bind(contract.acknowledgeIncident, acknowledge),
]

type IncidentWithCause = Incident &
  Pick<
    incidents.IncidentDetailRecord,
    'causeCode' | 'resolution' | 'acknowledgedAt' | 'acknowledgement'
  >

/** The public contract knows keys and people. A contact that acknowledged by a link is a person there, with its own id. */
const PUBLIC_ACTORS = { API_KEY: 'API_KEY', USER: 'USER', ALERT_CONTACT: 'USER' } as const

/** An incident with its cause and its resolution. */
export function toApiIncidentWithCause(incident: IncidentWithCause) {
  const { acknowledgement } = incident
  return {
    ...toApiIncident(incident),
    causeCode: incident.causeCode,
    // Deleting a monitor deletes its incidents, so the resolution that only events have never gets here.
    resolution: incident.resolution as shapes.IncidentDetailBody['resolution'],
    acknowledgedAt: incident.acknowledgedAt,
    acknowledgedBy: acknowledgement && {
      ...toActor(acknowledgement),
      type: PUBLIC_ACTORS[acknowledgement.byType],
    },
    acknowledgeNote: acknowledgement?.note ?? null,
  }
}

const ACTOR_PREFIXES = { API_KEY: 'key', USER: 'usr', ALERT_CONTACT: 'act' } as const

/** Who acknowledged, as the dashboard shows it. */
export function toActor({ byType, byUuid, byName }: incidents.Acknowledgement) {
  return { type: byType, id: toPublicId(ACTOR_PREFIXES[byType], byUuid), name: byName }
}

export function toApiDetail(
  incident: incidents.IncidentDetailRecord,
): WithDates<shapes.IncidentDetailBody> {
  const { evidence } = incident
  const openedBy = evidence.OPENED
  if (openedBy === undefined) throw new Error(`Incident ${incident.uuid} has no first evidence`)
  return {
    ...toApiIncidentWithCause(incident),
    openedBy: toApiEvidence(openedBy),
    lastFailure: toApiEvidence(evidence.LAST_FAILURE ?? openedBy),
    resolvedBy: evidence.RESOLVED ? toApiEvidence(evidence.RESOLVED) : null,
    timeline: incident.timeline.map(({ uuid, type, at, message }) => ({
      id: toPublicId('itl', uuid),
      type,
      at,
      message,
    })),
    statusIncidentIds: incident.statusIncidentUuids.map((uuid) => toPublicId('sin', uuid)),
  }
}

/** An attempt's region is for the dashboard; the public contract does not have it. */
export function toApiEvidence(stored: Record<string, unknown>): shapes.CheckEvidence {
  // Safe because the one function that records checks stores evidence in the contract's form.
  const evidence = stored as StoredEvidence
  return {
    ...evidence,
    attempts: evidence.attempts.map(({ region: _region, ...attempt }) => attempt),
  }
}

export type StoredEvidence = Omit<shapes.CheckEvidence, 'attempts'> & {
  attempts: (shapes.CheckEvidence['attempts'][number] & { region?: string })[]
}
