import type { Alert } from '../../domain/alerts/alert.ts'
import type { AlertEmail } from '../../domain/alerts/email.ts'
import type { Tx } from '../../store/core/db.ts'
import type { Cipher } from '../../store/core/organization-secrets.ts'
import { findOwners } from '../../store/deliveries/failing-contacts.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'
import { findZones } from '../../store/people/time-zones.ts'

/** Emails every owner, in their time zone, through the organization's own receiver: another one may be failing. */
export async function queueOwnerEmails(
  tx: Tx,
  owner: { orgId: string; cipher: Cipher },
  toAlerts: (timezone: string) => readonly Alert[],
): Promise<void> {
  const owners = await findOwners(tx, owner.orgId)
  const zoneOf = await findZones(tx, owner.orgId)
  const emails = owners.flatMap((to) =>
    toAlerts(zoneOf(to)).map((alert): AlertEmail => {
      const { thread, links } = alert
      return { kind: 'ALERT', thread, alert, contactsUrl: links.open, to, recipient: 'OWNER' }
    }),
  )
  const receiver = { uuid: owner.orgId, channel: 'EMAIL' as const, event: null }
  await queueMessages(tx, owner, receiver, emails)
}
