import type { Alert } from '../../domain/alerts/alert.ts'
import type { ContactChannel } from '../../domain/alerts/channels.ts'
import type { ContactSettings } from '../../domain/alerts/contact.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { recordMessage } from '../../store/alerts/messages.ts'
import type { Tx } from '../../store/core/db.ts'
import type { Cipher } from '../../store/core/organization-secrets.ts'
import { queueMessages } from '../../store/deliveries/receivers.ts'

/** The content of a delivery through a provider. Its destination is read when it is sent. */
export type AlertDelivery = { kind: 'ALERT'; alert: Alert }

type QueuedAlert = {
  contact: { uuid: string; channel: ContactChannel; settings: ContactSettings }
  alert: Alert
  thread: string
  incidentUuids: readonly string[]
  baseUrl: string
  /** Trace context of the alert's cause. */
  traceparent?: string | null
}

/**
 * Queues the alert for the contact's own receiver, together with the record of the message. Returns the delivery's id.
 */
export async function queueAlert(
  tx: Pick<Tx, 'query' | 'newUuid'>,
  owner: { orgId: string; cipher: Cipher },
  { contact, alert, thread, incidentUuids, baseUrl, traceparent = null }: QueuedAlert,
): Promise<string> {
  const { uuid, channel, settings } = contact
  const isMail = channel === 'EMAIL'
  const message = isMail
    ? {
        kind: 'ALERT',
        to: settings['address'],
        thread,
        alert,
        contactsUrl: `${baseUrl}${PATHS.alertContacts}`,
      }
    : { kind: 'ALERT', alert }
  const name = isMail ? ('EMAIL' as const) : ('ALERT' as const)
  const receiver = { uuid, channel: name, event: null, traceparent }
  const [deliveryUuid] = await queueMessages(tx, owner, receiver, [message])
  if (deliveryUuid === undefined) throw new Error('The alert was not queued')
  const record = { deliveryUuid, contactUuid: uuid, thread, alert, incidentUuids }
  await recordMessage(tx, owner.orgId, record)
  return deliveryUuid
}
