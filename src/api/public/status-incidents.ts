import { addStatusIncidentUpdate } from '../../actions/status-incidents/add-update.ts'
import { createStatusIncident } from '../../actions/status-incidents/create.ts'
import { deleteStatusIncident } from '../../actions/status-incidents/delete.ts'
import {
  type StatusIncidentPatch,
  updateStatusIncident,
} from '../../actions/status-incidents/update.ts'
import * as contract from '../../contract/public/status-incidents.ts'
import type { AuditedFields } from '../../domain/people/audit-entry.ts'
import {
  type StatusIncident,
  toApiStatusIncident,
} from '../../domain/status-pages/status-incident.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { notFound } from '../../platform/api-error.ts'
import * as incidents from '../../store/status-pages/status-incidents.ts'
import { compared, counted, plainFields } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'

const list: Handler<typeof contract.listStatusIncidents> = async ({ query }, { tenant }) => {
  const { limit, offset, status, statusPageId: pageUuid } = query
  const page = await incidents.listStatusIncidents(tenant, { limit, offset, status, pageUuid })
  return {
    data: page.incidents.map(toApiStatusIncident),
    pagination: { limit, offset, total: page.total },
  }
}

const create: Handler<typeof contract.createStatusIncident> = async ({ body }, { tx }) =>
  toApiStatusIncident(await createStatusIncident(tx, body))

const get: Handler<typeof contract.getStatusIncident> = async ({ params }, { tenant }) =>
  foundIncident(params.statusIncidentId, (uuid) => incidents.findStatusIncident(tenant, uuid))

const update: Handler<typeof contract.updateStatusIncident> = async ({ params, body }, { tx }) => {
  const patch = body as StatusIncidentPatch
  const change = await updateStatusIncident(tx, params.statusIncidentId, patch)
  if (!change) throw notFound('published incident')
  return compared(toApiStatusIncident(change.after), change, incidentFields)
}

const remove: Handler<typeof contract.deleteStatusIncident> = async ({ params }, { tx }) => {
  if (!(await deleteStatusIncident(tx, params.statusIncidentId)))
    throw notFound('published incident')
  return { data: { id: toPublicId('sin', params.statusIncidentId) } }
}

const addUpdate: Handler<typeof contract.createStatusIncidentUpdate> = async (
  { params, body },
  { tx },
) => foundIncident(params.statusIncidentId, (uuid) => addStatusIncidentUpdate(tx, uuid, body))

export const statusIncidentOperations: readonly BoundOperation[] = [
  bind(contract.listStatusIncidents, list),
  bind(contract.createStatusIncident, create),
  bind(contract.getStatusIncident, get),
  bind(contract.updateStatusIncident, update),
  bind(contract.deleteStatusIncident, remove),
  bind(contract.createStatusIncidentUpdate, addUpdate),
]

export async function foundIncident(
  uuid: string,
  act: (uuid: string) => Promise<StatusIncident | undefined>,
) {
  const incident = await act(uuid)
  if (!incident) throw notFound('published incident')
  return toApiStatusIncident(incident)
}

const incidentFields = (incident: StatusIncident): AuditedFields => ({
  ...plainFields(incident, ['title', 'status', 'impact', 'startedAt', 'resolvedAt']),
  statusPages: counted(incident.pageUuids.toSorted(), 'status page'),
  components: counted(incident.components, 'component'),
})
