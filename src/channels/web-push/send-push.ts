// Sends one alert to all devices of a person. Each has its own push service, so each can fail on its own.
import type { Alert } from '../../domain/alerts/alert.ts'
import type { PushSubscription } from '../../domain/alerts/push-device.ts'
import { NO_RESPONSE, type SendResult } from '../../domain/events/delivery-outcome.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { WebhookClient } from '../../outbound/webhook-client.ts'
import { encryptPush } from '../../platform/crypto/push-encryption.ts'
import { type VapidKeys, vapidAuthorization } from '../../platform/crypto/vapid.ts'
import { judgeByStatus } from '../alerts/alert-channel.ts'
import { hider } from '../alerts/send-alert.ts'
import { toFailed } from '../webhook.ts'
import { pushHeaders, toPushText } from './notification.ts'
import { type DeviceOutcome, judgeDevices } from './outcome.ts'

type Device = { uuid: string; name: string; subscription: PushSubscription }

/** The installation, as push services see it. */
export type PushSender = {
  keys: VapidKeys
  /** How its operator is reached. */
  subject: string
}

type OutgoingPush = {
  contactId: string
  alert: Alert
  sentAt: Date
  /** Those that have not accepted it yet. */
  devices: readonly Device[]
  /** Whether another device accepted it before. */
  isAccepted: boolean
}

// Services accept up to 24 hours.
const TOKEN_MS = 12 * 3_600_000
const UNKNOWN_DEVICE = new Set([404, 410])

/** Throws only on faults of our own. */
export async function sendPush(
  client: WebhookClient,
  sender: PushSender,
  outgoing: OutgoingPush,
  deadlineMs: number,
): Promise<{ result: SendResult; outcomes: DeviceOutcome[] }> {
  const startMs = performance.now()
  const outcomes = await Promise.all(
    outgoing.devices.map((device) => sendTo(client, sender, { ...outgoing, device }, deadlineMs)),
  )
  const result = judgeDevices(outcomes, outgoing.isAccepted)
  return { outcomes, result: { ...result, durationMs: performance.now() - startMs } }
}

async function sendTo(
  client: WebhookClient,
  sender: PushSender,
  { contactId, alert, sentAt, device }: OutgoingPush & { device: Device },
  deadlineMs: number,
): Promise<DeviceOutcome> {
  const { uuid: deviceUuid, name, subscription } = device
  const { endpoint: url } = subscription
  const body = encryptPush(toPushText(alert), subscription)
  const headers = { ...requestHeaders(sender, url, sentAt), ...pushHeaders(alert) }
  try {
    const posted = await client.post({ endpointId: contactId, url, headers, body, deadlineMs })
    const { verdict, error, retryAfter } = judgeByStatus(posted)
    const isGone = UNKNOWN_DEVICE.has(posted.status)
    const hide = hider(subscription)
    return {
      ...NO_RESPONSE,
      deviceUuid,
      name,
      isAccepted: verdict === 'OK',
      isGone,
      responseStatus: posted.status,
      retryAfter,
      errorCode: 'BAD_STATUS',
      error: error === null ? null : hide(error),
      isReceiverFault: true,
      next: isGone ? 'GONE' : verdict === 'OK' ? 'RETRY' : verdict,
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const failed = { ...NO_RESPONSE, ...toFailed(error, deadlineMs) }
    return { ...failed, deviceUuid, name, isAccepted: false, isGone: false }
  }
}

function requestHeaders(
  { keys, subject }: PushSender,
  endpoint: string,
  sentAt: Date,
): Record<string, string> {
  const { origin: audience } = new URL(endpoint)
  const expiresAt = new Date(sentAt.getTime() + TOKEN_MS)
  return {
    authorization: vapidAuthorization(keys, { audience, subject, expiresAt }),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
  }
}
