import type { RawBody, WebhookHeaders } from './request.ts'
import { importSecrets, sign, toBytes } from './signature.ts'
import { type Secrets, toList } from './verify-webhook.ts'

export type SignWebhookOptions = Secrets & {
  /** The event's id, sent as `webhook-id`. */
  id: string
  body: RawBody
  now?: Date
}

/** The headers Upvane would send with this body, for testing your receiver. */
export async function signWebhook(options: SignWebhookOptions): Promise<WebhookHeaders> {
  const { id, now = new Date() } = options
  const keys = await importSecrets(toList(options))
  const body = toBytes(options.body)
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = await Promise.all(keys.map((key) => sign(key, { id, timestamp, body })))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}
