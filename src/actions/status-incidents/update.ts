import type { Change } from '../../domain/people/audit-entry.ts'
import { MAX_UPDATES, type StatusIncident } from '../../domain/status-pages/status-incident.ts'
import {
  type Edit,
  editIncident,
  incidentDiffers,
} from '../../domain/status-pages/status-incident-change.ts'
import {
  type References,
  referencedUuids,
  resolveReferences,
} from '../../domain/status-pages/status-incident-references.ts'
import { ApiError, validationError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { setNextUpdate } from '../../store/status-pages/incident-notes.ts'
import * as incidents from '../../store/status-pages/status-incidents.ts'
import { refuseSurplus } from '../refuse-surplus.ts'
import { publishStatusIncident } from './publish.ts'

export type StatusIncidentPatch = Edit & References

/** Changes the given fields and keeps the rest. A changed status also adds an update, without a message. */
export async function updateStatusIncident(
  tx: TenantTx,
  uuid: string,
  sent: StatusIncidentPatch,
): Promise<Change<StatusIncident> | undefined> {
  const { storage } = await lockUsage(tx)
  const before = await incidents.lockStatusIncident(tx, uuid)
  if (before === undefined) return undefined
  const known = await incidents.findReferences(tx, referencedUuids(sent, before))
  const { named, problems } = resolveReferences(sent, before, known)

  const change = editIncident(before, sent, named, tx.now)
  const wrong = [...problems, ...change.problems]
  if (wrong.length > 0) throw validationError(wrong)
  if (!incidentDiffers(before, change.after)) return { before, after: before }
  if (change.update !== null) {
    refuseOneTooMany(before)
    await refuseSurplus(tx, storage, 'statusIncidentUpdates')
  }

  const update = change.update && { ...change.update, uuid: tx.newUuid() }
  await incidents.updateStatusIncident(tx, { ...change.after, updatedAt: tx.now })
  if (update !== null) {
    await incidents.insertUpdate(tx, uuid, update)
    await setNextUpdate(tx, uuid, null)
  }

  const after = await incidents.findStatusIncident(tx, uuid)
  if (after === undefined) throw new Error('The published incident was not saved')
  await publishStatusIncident(tx, { before, after, update })
  return { before, after }
}

export function refuseOneTooMany({ updates }: StatusIncident): void {
  if (updates.length < MAX_UPDATES) return
  throw new ApiError('conflict', `A published incident has at most ${MAX_UPDATES} updates.`)
}
