// The ALERT channel: contacts reached through a provider's HTTP API. Address and token are read at send time, so fixing
// a setting also fixes queued alerts.
import type { AlertDelivery } from '../../actions/alerts/queue-alert.ts'
import { sendAlert } from '../../channels/alerts/send-alert.ts'
import {
  type DeliveryChannel,
  type OutgoingDelivery,
  skippedDelivery,
} from '../../channels/channel.ts'
import { ALREADY_OVER } from '../../domain/alerts/alert.ts'
import type { Origins } from '../../domain/alerts/channels.ts'
import { hasOwnAddress } from '../../domain/alerts/contact.ts'
import type { SendResult } from '../../domain/events/delivery-outcome.ts'
import { isStale, NOTICE_HOURS } from '../../domain/status-pages/notice.ts'
import type { WebhookClients } from '../../outbound/webhook-clients.ts'
import type { ContactTarget } from '../../store/alerts/contacts.ts'
import { findContactTargets } from '../../store/alerts/contacts.ts'
import { findOutdated } from '../../store/alerts/messages.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { decryptMessage } from '../../store/deliveries/receivers.ts'
import { openSendContexts } from './send-contexts.ts'

type AlertChannelDeps = {
  database: Database
  secrets: OrganizationSecrets
  clients: WebhookClients
  origins: Origins
}

type AlertSendContext = { places: Map<string, ContactTarget>; overtaken: ReadonlySet<string> }

export function alertChannel(deps: AlertChannelDeps): DeliveryChannel {
  return {
    async prepare(sendings) {
      const contextOf = openSendContexts(sendings, (own) => openContext(deps, own))
      return async (sending, deadlineMs) => {
        const context = await contextOf(sending)
        return send(deps, context, sending, deadlineMs)
      }
    },
  }
}

async function openContext(
  { database, secrets }: AlertChannelDeps,
  sendings: readonly OutgoingDelivery[],
): Promise<AlertSendContext> {
  const [places, overtaken] = await Promise.all([
    findContactTargets(database, secrets, [
      ...new Set(sendings.map(({ endpointId }) => endpointId)),
    ]),
    findOutdated(
      database,
      sendings.map(({ deliveryId }) => deliveryId),
    ),
  ])
  return { places, overtaken }
}

async function send(
  { database, secrets, clients, origins }: AlertChannelDeps,
  { places, overtaken }: AlertSendContext,
  { orgId, deliveryId, endpointId, message, startedAt }: OutgoingDelivery,
  deadlineMs: number,
): Promise<SendResult> {
  const place = places.get(endpointId)
  if (message === null || place === undefined || place.channel === 'EMAIL')
    throw new Error(`Nothing can be sent to contact ${endpointId}`)
  if (overtaken.has(deliveryId)) return skippedDelivery(ALREADY_OVER)
  const { alert } = await decryptMessage<AlertDelivery>(database, secrets, {
    orgId,
    deliveryId,
    message,
  })
  if (isStale(new Date(alert.at), startedAt))
    return skippedDelivery(`It is older than ${NOTICE_HOURS} hours`)
  const { channel, settings } = place
  // The operator chooses where providers are reached; addresses in the settings come from the organization.
  const privateTargets = place.privateTargets || !hasOwnAddress(channel)
  const sending = { contactId: endpointId, channel, settings, alert, deliveryId, sentAt: startedAt }
  return sendAlert(clients.of({ privateTargets }), origins, sending, deadlineMs)
}
