import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findIncident } from '../../store/incidents/incidents.ts'
import { addNote, type IncidentNote } from '../../store/incidents/timeline.ts'

type NewNote = { by: { uuid: string; name: string }; text: string }

/** Undefined if the incident does not exist. */
export async function addIncidentNote(
  tx: TenantTx,
  incidentUuid: string,
  { by, text }: NewNote,
): Promise<IncidentNote | undefined> {
  const { uuid: userUuid, name: userName } = by
  const note = { uuid: tx.newUuid(), at: tx.now, userUuid, userName, text }
  if (await addNote(tx, incidentUuid, note)) return note
  if ((await findIncident(tx, incidentUuid)) === undefined) return undefined
  throw new ApiError('conflict', 'This incident has as many notes as it can hold.')
}
