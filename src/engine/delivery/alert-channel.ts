// The ALERT channel: contacts reached through a provider's HTTP API. Address and token are read at send time, so fixing
// a setting also fixes queued alerts.
import type { AlertDelivery } from '../../actions/alerts/queue-alert.ts'
import { REFERRING } from '../../channels/alerts/registry.ts'
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
import { findOutdated, findReferences, recordReference } from '../../store/alerts/messages.ts'
import { findPushTargets, type PushTarget } from '../../store/alerts/push-devices.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { decryptMessage } from '../../store/deliveries/receivers.ts'
import { type PushDeps, sendToDevices } from './push-channel.ts'
import { openSendContexts } from './send-contexts.ts'

type AlertChannelDeps = PushDeps & {
  secrets: OrganizationSecrets
  clients: WebhookClients
  origins: Origins
}

type AlertSendContext = {
  places: Map<string, ContactTarget>
  overtaken: ReadonlySet<string>
  /** By delivery: what the provider calls the message that began its thread. */
  references: ReadonlyMap<string, string>
  devices: Map<string, PushTarget[]>
}

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
  const threaded = sendings.flatMap(({ endpointId, deliveryId }) =>
    REFERRING.has(places.get(endpointId)?.channel ?? 'EMAIL') ? deliveryId : [],
  )
  const references = threaded.length === 0 ? new Map() : await findReferences(database, threaded)
  const personal = [...places].flatMap(([uuid, { channel }]) =>
    channel === 'WEB_PUSH' ? uuid : [],
  )
  const devices =
    personal.length === 0 ? new Map() : await findPushTargets(database, secrets, personal)
  return { places, overtaken, references, devices }
}

async function send(
  deps: AlertChannelDeps,
  { places, overtaken, references, devices }: AlertSendContext,
  { orgId, deliveryId, endpointId, message, startedAt }: OutgoingDelivery,
  deadlineMs: number,
): Promise<SendResult> {
  const { database, secrets, clients, origins } = deps
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
  const base = { contactId: endpointId, alert, deliveryId, sentAt: startedAt }
  if (channel === 'WEB_PUSH') {
    const targets = devices.get(endpointId) ?? []
    return sendToDevices(deps, clients.of(place), { ...base, targets }, deadlineMs)
  }
  // The operator chooses where providers are reached; addresses in the settings come from the organization.
  const privateTargets = place.privateTargets || !hasOwnAddress(channel)
  const reference = references.get(deliveryId) ?? null
  const sending = { ...base, channel, settings, reference }
  const client = clients.of({ privateTargets })
  const { reference: told, ...result } = await sendAlert(client, origins, sending, deadlineMs)
  if (told !== null && reference === null) await recordReference(database, deliveryId, told)
  return result
}
