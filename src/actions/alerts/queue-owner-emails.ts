import type { Alert } from '../../domain/alerts/alert.ts'
import type { AlertMail } from '../../domain/alerts/email.ts'
import type { Tx } from '../../store/core/db.ts'
import type { Cipher } from '../../store/core/organization-secrets.ts'
import { findOwners } from '../../store/deliveries/failing-contacts.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'

/** To every owner of the organization, in its own lane and not in that of anything that fails. */
export async function queueOwnerLetters(
  tx: Tx,
  owner: { orgId: string; cipher: Cipher },
  alerts: readonly Alert[],
): Promise<void> {
  const owners = await findOwners(tx, owner.orgId)
  const letters = alerts.flatMap((alert) => {
    const { thread, links } = alert
    const letter = { kind: 'ALERT', thread, alert, contactsUrl: links.open } as const
    return owners.map((to): AlertMail => ({ ...letter, to, recipient: 'OWNER' }))
  })
  const lane = { uuid: owner.orgId, channel: 'EMAIL' as const, event: null }
  await queueMessages(tx, owner, lane, letters)
}
