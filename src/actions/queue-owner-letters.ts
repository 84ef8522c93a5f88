import type { Alert } from '../domain/alert.ts'
import type { AlertMail } from '../domain/alert-mail.ts'
import type { Tx } from '../store/db.ts'
import { findOwners } from '../store/failing-contacts.ts'
import type { Cipher } from '../store/organization-secrets.ts'
import { queueMessages } from '../store/receivers.ts'

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
