import type { AlertContact } from '../../domain/alerts/contact.ts'
import type { Change } from '../../domain/people/audit-entry.ts'
import { ApiError } from '../../platform/api-error.ts'
import { rescheduleAlerts } from '../../store/alerts/conditions.ts'
import * as contacts from '../../store/alerts/contacts.ts'
import type { TenantTx } from '../../store/core/tenants.ts'

/**
 * From Opsgenie to Jira Service Management, which took over its API. What is queued goes there too: a delivery reads
 * the contact when it is sent. Undefined if the contact does not exist.
 */
export async function moveFromOpsgenie(
  tx: TenantTx,
  uuid: string,
  apiKey: string | undefined,
): Promise<Change<AlertContact> | undefined> {
  const contact = await contacts.lockContact(tx, uuid)
  if (contact === undefined) return undefined
  if (contact.channel !== 'OPSGENIE')
    throw new ApiError('conflict', 'Only contacts of Opsgenie can be moved.')
  const settings = { apiKey: apiKey ?? contact.settings['apiKey'] ?? '' }
  await contacts.moveContact(tx, uuid, { channel: 'JIRA_SERVICE_MANAGEMENT', settings })
  await contacts.resetContactFailures(tx, uuid)
  await rescheduleAlerts(tx, tx.orgId)
  const after = await contacts.findContact(tx, uuid)
  return after && { before: contact, after }
}
