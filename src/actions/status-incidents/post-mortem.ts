import type { Change } from '../../domain/people/audit-entry.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import * as notes from '../../store/status-pages/incident-notes.ts'
import { lockStatusIncident } from '../../store/status-pages/status-incidents.ts'
import { chargeDay } from '../charge-day.ts'
import { notifyPostMortem } from '../status-pages/notify-subscribers.ts'

type NewPostMortem = { message: string; notifySubscribers: boolean }

/**
 * Writes or replaces the post-mortem of a resolved incident. The incident itself does not change, so neither does what
 * the public API returns.
 */
export async function savePostMortem(
  tx: TenantTx,
  uuid: string,
  { message, notifySubscribers }: NewPostMortem,
): Promise<Change<notes.IncidentNotes> | undefined> {
  await lockUsage(tx)
  const incident = await lockStatusIncident(tx, uuid)
  if (incident === undefined) return undefined
  if (incident.status !== 'RESOLVED')
    throw new ApiError('conflict', 'A post-mortem is written after the incident is resolved.')
  const before = await notes.findNotes(tx, uuid)
  const noticeBytes = notifySubscribers
    ? await notifyPostMortem(tx, { incident, message, at: tx.now })
    : 0
  const notifiedSubscribers = noticeBytes > 0
  await notes.savePostMortem(tx, uuid, { message, notifiedSubscribers })
  await chargeDay(tx, 'NEWS', noticeBytes)
  const after = await notes.findNotes(tx, uuid)
  return before && after && { before, after }
}
