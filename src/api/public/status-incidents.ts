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
import type { TenantTx } from '../../store/core/tenants.ts'
import * as incidents from '../../store/status-pages/status-incidents.ts'
import { findStatusIncident } from '../../store/status-pages/status-incidents.ts'
import { auditedById, counted, plainFields } from '../http/audited.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { filterInstant, filterUuid } from './filters.ts'

const list: Handler<typeof contract.listStatusIncidents> = async ({ query }, { tenant }) => {
  const { limit, offset, status, statusPageId } = query
  const pageUuid = filterUuid('sp', statusPageId)
  const page = await incidents.listStatusIncidents(tenant, { limit, offset, status, pageUuid })
  return {
    data: page.incidents.map(toApiStatusIncident),
    pagination: { limit, offset, total: page.total },
  }
}

const create: Handler<typeof contract.createStatusIncident> = async ({ body }, { tx }) =>
  toApiStatusIncident(await createStatusIncident(tx, { ...body, ...timesOf(body) }))

const get: Handler<typeof contract.getStatusIncident> = async ({ params }, { tenant }) =>
  foundIncident(params.statusIncidentId, (uuid) => incidents.findStatusIncident(tenant, uuid))

const update: Handler<typeof contract.updateStatusIncident> = async ({ params, body }, { tx }) => {
  const patch = body as Omit<StatusIncidentPatch, 'startedAt' | 'resolvedAt'> & Times
  return foundIncident(params.statusIncidentId, (uuid) =>
    updateStatusIncident(tx, uuid, { ...patch, ...timesOf(patch) }),
  )
}

const remove: Handler<typeof contract.deleteStatusIncident> = async ({ params }, { tx }) => {
  if (!(await deleteStatusIncident(tx, params.statusIncidentId)))
    throw notFound('published incident')
  return { data: { id: toPublicId('sin', params.statusIncidentId) } }
}

const addUpdate: Handler<typeof contract.createStatusIncidentUpdate> = async (
  { params, body },
  { tx },
) => {
  const createdAt = filterInstant(body.createdAt)
  return foundIncident(params.statusIncidentId, (uuid) =>
    addStatusIncidentUpdate(tx, uuid, { ...body, createdAt }),
  )
}

export const statusIncidentOperations: readonly BoundOperation[] = [
  bind(contract.listStatusIncidents, list),
  bind(contract.createStatusIncident, create),
  bind(contract.getStatusIncident, get),
  bind(contract.updateStatusIncident, update, { audited: auditedById('sin', readFields) }),
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

type Times = { startedAt?: string; resolvedAt?: string | null }

/** Also used by the dashboard's own operations. */
export function timesOf({ startedAt, resolvedAt }: Times) {
  return {
    startedAt: filterInstant(startedAt),
    resolvedAt: resolvedAt === null ? null : filterInstant(resolvedAt),
  }
}

async function readFields(tx: TenantTx, uuid: string): Promise<AuditedFields | undefined> {
  const incident = await findStatusIncident(tx, uuid)
  return (
    incident && {
      ...plainFields(incident, ['title', 'status', 'impact', 'startedAt', 'resolvedAt']),
      statusPages: counted(incident.pageUuids.toSorted(), 'status page'),
      components: counted(incident.components, 'component'),
    }
  )
}
