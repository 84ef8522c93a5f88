// The channel ALERT: contacts that are reached by a provider's HTTP interface. Where that is and with which token is
// read when it is sent, so a mended setting helps what waits.
import type { AlertDelivery } from '../../actions/alerts/queue-alert.ts'
import type { Origins } from '../../channels/alerts/alert-channel.ts'
import { sendAlert } from '../../channels/alerts/send-alert.ts'
import type { Channel, Sending, SendResult } from '../../channels/channel.ts'
import { droppedMail } from '../../channels/email.ts'
import { OVERTAKEN } from '../../domain/alerts/alert.ts'
import { hasOwnAddress } from '../../domain/alerts/contact.ts'
import { isStale, NOTICE_HOURS } from '../../domain/status-pages/notice.ts'
import type { WebhookClients } from '../../outbound/webhook-clients.ts'
import type { ContactPlace } from '../../store/alerts/contacts.ts'
import { findContactPlaces } from '../../store/alerts/contacts.ts'
import { findOvertaken } from '../../store/alerts/messages.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { openMessage } from '../../store/deliveries/receivers.ts'
import { openDesks } from './send-contexts.ts'

type AlertChannelDeps = {
  database: Database
  secrets: OrganizationSecrets
  clients: WebhookClients
  origins: Origins
}

type Desk = { places: Map<string, ContactPlace>; overtaken: ReadonlySet<string> }

export function alertChannel(deps: AlertChannelDeps): Channel {
  return {
    async prepare(sendings) {
      const deskOf = openDesks(sendings, (own) => openDesk(deps, own))
      return async (sending, deadlineMs) => {
        const desk = await deskOf(sending)
        return send(deps, desk, sending, deadlineMs)
      }
    },
  }
}

async function openDesk(
  { database, secrets }: AlertChannelDeps,
  sendings: readonly Sending[],
): Promise<Desk> {
  const [places, overtaken] = await Promise.all([
    findContactPlaces(database, secrets, [
      ...new Set(sendings.map(({ endpointId }) => endpointId)),
    ]),
    findOvertaken(
      database,
      sendings.map(({ deliveryId }) => deliveryId),
    ),
  ])
  return { places, overtaken }
}

async function send(
  { database, secrets, clients, origins }: AlertChannelDeps,
  { places, overtaken }: Desk,
  { orgId, deliveryId, endpointId, message, startedAt }: Sending,
  deadlineMs: number,
): Promise<SendResult> {
  const place = places.get(endpointId)
  if (message === null || place === undefined || place.channel === 'EMAIL')
    throw new Error(`Nothing can be sent to contact ${endpointId}`)
  if (overtaken.has(deliveryId)) return droppedMail(OVERTAKEN)
  const { alert } = await openMessage<AlertDelivery>(database, secrets, {
    orgId,
    deliveryId,
    message,
  })
  if (isStale(new Date(alert.at), startedAt))
    return droppedMail(`It is older than ${NOTICE_HOURS} hours`)
  const { channel, settings } = place
  // Where a provider is reached is the operator's choice; an address in the settings is the organization's.
  const privateTargets = place.privateTargets || !hasOwnAddress(channel)
  const sending = { contactId: endpointId, channel, settings, alert, deliveryId, sentAt: startedAt }
  return sendAlert(clients.of({ privateTargets }), origins, sending, deadlineMs)
}
