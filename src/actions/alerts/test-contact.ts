import { zoneOfContact } from '../../domain/alerts/contact.ts'
import { testAlert } from '../../domain/alerts/text.ts'
import { ApiError } from '../../platform/api-error.ts'
import { lockContact, resetContactFailures } from '../../store/alerts/contacts.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { findOwnZones } from '../../store/people/time-zones.ts'
import { queueAlert } from './queue-alert.ts'

/** Queues an alert that is marked as a test, even if the contact is disabled. Returns the delivery's id. */
export async function testAlertContact(
  tx: TenantTx,
  uuid: string,
  baseUrl: string,
): Promise<string | undefined> {
  const contact = await lockContact(tx, uuid)
  if (contact === undefined) return undefined

  if (!contact.isConfirmed)
    throw new ApiError(
      'conflict',
      'This address is not confirmed yet. Its owner must open the link in the confirmation email.',
    )
  if (contact.devices === 0)
    throw new ApiError('conflict', 'No device receives notifications. Turn them on first.')
  const organization = await findOrganizationName(tx, tx.orgId)
  const timezone = zoneOfContact(contact, await findOwnZones(tx))
  const alert = testAlert(contact.name, { organization, baseUrl, timezone, at: tx.now })

  await resetContactFailures(tx, uuid)
  const owner = { orgId: tx.orgId, cipher: await tx.cipher() }
  // A separate thread: a test has no recovery.
  const thread = tx.newUuid()
  return queueAlert(tx, owner, { contact, alert, thread, incidentUuids: [], baseUrl })
}
