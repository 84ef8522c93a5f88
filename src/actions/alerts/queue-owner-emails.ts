import type { Alert } from '../../domain/alerts/alert.ts'
import type { AlertEmail } from '../../domain/alerts/email.ts'
import type { Tx } from '../../store/core/db.ts'
import type { Cipher } from '../../store/core/organization-secrets.ts'
import { findOwners } from '../../store/deliveries/failing-contacts.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'

/** Emails every owner through the organization's own receiver, not through one that may be failing. */
export async function queueOwnerEmails(
  tx: Tx,
  owner: { orgId: string; cipher: Cipher },
  alerts: readonly Alert[],
): Promise<void> {
  const owners = await findOwners(tx, owner.orgId)
  const emails = alerts.flatMap((alert) => {
    const { thread, links } = alert
    const email = { kind: 'ALERT', thread, alert, contactsUrl: links.open } as const
    return owners.map((to): AlertEmail => ({ ...email, to, recipient: 'OWNER' }))
  })
  const receiver = { uuid: owner.orgId, channel: 'EMAIL' as const, event: null }
  await queueMessages(tx, owner, receiver, emails)
}
