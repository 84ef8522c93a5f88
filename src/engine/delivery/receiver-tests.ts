// Sends a test straight to a receiver that is not saved yet, while the person who requested it waits for the response.
// The same guard and the same channels as for deliveries; nothing is stored.
import { randomUUID } from 'node:crypto'
import type { HttpChannel } from '../../channels/alerts/alert-channel.ts'
import { hider, sendAlert } from '../../channels/alerts/send-alert.ts'
import { renderAlertEmail } from '../../channels/email/alert-emails.ts'
import { Relay } from '../../channels/email/relay.ts'
import { sendEmail } from '../../channels/email.ts'
import { sendWebhook } from '../../channels/webhook.ts'
import type { Alert } from '../../domain/alerts/alert.ts'
import { type ContactSettings, hasOwnAddress } from '../../domain/alerts/contact.ts'
import type { SendResult } from '../../domain/events/delivery-outcome.ts'
import { eventBody } from '../../domain/events/event.ts'
import type { Secret } from '../../domain/events/signature.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { toPublicId } from '../../domain/values/id.ts'
import { createOutbound } from '../../outbound/create-outbound.ts'
import { createWebhookClients } from '../../outbound/webhook-clients.ts'
import type { Config } from '../../platform/config/config.ts'

// As long as a delivery waits.
const DEADLINE_MS = 15_000
const USER_AGENT = 'Upvane/1 (webhooks)'
const MAX_SHOWN = 500

type AlertTest = { settings: ContactSettings; alert: Alert; privateTargets: boolean }
type EndpointTest = {
  orgId: string
  /** Null if it is new: the event then has an id that no endpoint has. */
  endpointUuid: string | null
  url: string
  secrets: readonly Secret[]
  privateTargets: boolean
}
type ReceiverResponse = {
  delivered: boolean
  status: number | null
  error: string | null
  answer: string | null
  tookMs: number
}

type OpenReceiverTests = {
  alert(channel: HttpChannel, test: AlertTest): Promise<ReceiverResponse>
  /** Undefined if no relay is configured. */
  email: ((test: Omit<AlertTest, 'privateTargets'>) => Promise<ReceiverResponse>) | undefined
  endpoint(test: EndpointTest): Promise<ReceiverResponse>
  close(): Promise<void>
}

export function createReceiverTests(config: Config): OpenReceiverTests {
  const { guard } = createOutbound({
    allowCidrs: config.webhookAllowCidrs,
    nat64Prefixes: config.nat64Prefixes,
    dnsServers: config.probeDnsServers,
    userAgent: USER_AGENT,
  })
  const clients = createWebhookClients(guard, {
    allowHttp: config.webhookAllowHttp,
    strangersAllow: [],
  })
  return {
    async alert(channel, { settings, alert, privateTargets }) {
      // As for deliveries: the operator chooses where providers are reached.
      const client = clients.of({ privateTargets: privateTargets || !hasOwnAddress(channel) })
      const sending = { contactId: randomUUID(), channel, settings, alert, ...newStamp() }
      const result = await sendAlert(client, config.alerts.origins, sending, DEADLINE_MS)
      return toResponse(result, hider(settings))
    },
    email: createEmailTest(config),
    async endpoint({ orgId, endpointUuid, url, secrets, privateTargets }) {
      const { deliveryId: eventId, sentAt } = newStamp()
      const endpointId = toPublicId('whe', endpointUuid ?? randomUUID())
      const data = { message: 'Test event', endpointId }
      const body = eventBody({ type: 'webhook.test', at: sentAt, data }, eventId, orgId)
      const message = { endpointId, eventId, url, body, sentAt, secrets }
      return toResponse(await sendWebhook(clients.of({ privateTargets }), message, DEADLINE_MS))
    },
    close: () => clients.close(),
  }
}

const newStamp = () => ({ deliveryId: randomUUID(), sentAt: new Date() })

function createEmailTest({ smtp, baseUrl }: Config): OpenReceiverTests['email'] {
  if (smtp === undefined) return undefined
  const host = smtp.from.slice(smtp.from.indexOf('@') + 1)
  const contactsUrl = `${baseUrl}${PATHS.alertContacts}`
  return async ({ settings, alert }) => {
    const to = settings['address'] ?? ''
    const relay = new Relay(smtp.relay, host)
    const email = {
      content: renderAlertEmail({ kind: 'ALERT', to, thread: 'test', alert, contactsUrl }),
      from: { name: 'Upvane', address: smtp.from },
      to,
      messageId: `<${randomUUID()}.test@${host}>`,
      date: new Date(),
      threadId: undefined,
      list: undefined,
    }
    try {
      return toResponse(await sendEmail(relay, email, DEADLINE_MS))
    } finally {
      relay.close()
    }
  }
}

function toResponse(result: SendResult, hide = (text: string) => text): ReceiverResponse {
  const { outcome, responseStatus, responseBody, error, durationMs } = result
  const answer = hide(responseBody ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  return {
    delivered: outcome === 'SUCCEEDED',
    status: responseStatus,
    error,
    answer: answer === '' ? null : answer.slice(0, MAX_SHOWN),
    tookMs: Math.round(durationMs),
  }
}
