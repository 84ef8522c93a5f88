// The channels by name. Each combines what the database knows about its receivers with a way to send.
import type { DeliveryChannel, OutgoingDelivery, Send } from '../../channels/channel.ts'
import { sendWebhook } from '../../channels/webhook.ts'
import type { ChannelName } from '../../domain/events/delivery.ts'
import type { WebhookClients } from '../../outbound/webhook-clients.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import {
  type EndpointTarget,
  findEndpointTargets,
} from '../../store/deliveries/webhook-endpoints.ts'
import { findBodies } from '../../store/events/events.ts'

/** Channels missing here are left to other processes. */
export type Channels = Partial<Record<ChannelName, DeliveryChannel>>

type WebhookChannelDeps = {
  database: Database
  secrets: OrganizationSecrets
  clients: WebhookClients
  log: Log
}

/** Reads the event's body and the endpoint's current URL and secrets. */
export function webhookChannel(deps: WebhookChannelDeps): DeliveryChannel {
  return {
    async prepare(sendings: readonly OutgoingDelivery[]): Promise<Send> {
      const endpointIds = [...new Set(sendings.map(({ endpointId }) => endpointId))]
      const eventIds = sendings.flatMap(({ eventId }) => eventId ?? [])
      const [places, bodies] = await Promise.all([
        openEndpoints(deps, endpointIds),
        findBodies(deps.database, eventIds),
      ])
      return async ({ endpointId, eventId, startedAt }, deadlineMs) => {
        const place = places.get(endpointId)
        const body = bodies.get(eventId ?? '')
        if (place === undefined || eventId === null || body === undefined)
          throw new Error(`Nothing can be sent to endpoint ${endpointId}`)
        const message = { ...place, endpointId, eventId, body, sentAt: startedAt }
        return sendWebhook(deps.clients.of(place), message, deadlineMs)
      }
    },
  }
}

/** An organization whose secrets cannot be decrypted must not block the events of others. */
async function openEndpoints(
  { database, secrets, log }: WebhookChannelDeps,
  endpointIds: readonly string[],
): Promise<Map<string, EndpointTarget>> {
  const all = await findEndpointTargets(database, secrets, endpointIds).catch(() => undefined)
  if (all !== undefined) return all
  const opened = new Map<string, EndpointTarget>()
  for (const endpointId of endpointIds)
    try {
      const place = (await findEndpointTargets(database, secrets, [endpointId])).get(endpointId)
      if (place !== undefined) opened.set(endpointId, place)
    } catch (err) {
      log.error({ err, endpointId }, 'webhook secrets do not open')
    }
  return opened
}
