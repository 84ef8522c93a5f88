import type { WebhookEvent } from './events.ts'
import { type HeaderSource, type RawBody, readWebhookHeaders } from './request.ts'
import { importSecrets, isSigned, toBytes } from './signature.ts'
import { WebhookVerificationError } from './verification-error.ts'

const TOLERANCE_SECONDS = 300

/** Use several secrets if one receiver serves several endpoints, or during a rotation. */
export type Secrets = { secret: string } | { secrets: readonly string[] }

export type VerifyWebhookOptions = Secrets & {
  headers: HeaderSource
  body: RawBody
  /** The allowed clock difference, which is also how long a delivery can be replayed. */
  toleranceSeconds?: number
  now?: Date
}

/** Returns the event of a delivery that is signed with one of the secrets, unmodified and recent. Throws a
 * `WebhookVerificationError` otherwise. Event types newer than this SDK are returned as they are. */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  const keys = await importSecrets(toList(options))
  const body = toBytes(options.body)
  const headers = readWebhookHeaders(options.headers)
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers
  const { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = options
  assertFresh(timestamp, toleranceSeconds, now)
  if (!(await isSigned(headers['webhook-signature'], keys, { id, timestamp, body })))
    throw new WebhookVerificationError(
      'no_matching_signature',
      'No signature matches: another secret, or a body that is not byte for byte what arrived.',
    )
  return parseEvent(body)
}

export function toList(secrets: Secrets): readonly string[] {
  return 'secrets' in secrets ? secrets.secrets : [secrets.secret]
}

function assertFresh(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('bad_timestamp', 'webhook-timestamp is no Unix time.')
  const ageSeconds = now.getTime() / 1000 - Number(timestamp)
  // Negated, so that a NaN tolerance or clock rejects instead of accepting.
  if (!(ageSeconds <= toleranceSeconds))
    throw new WebhookVerificationError('too_old', `Signed ${Math.round(ageSeconds)} s ago.`)
  if (!(ageSeconds >= -toleranceSeconds))
    throw new WebhookVerificationError(
      'too_new',
      `Signed ${Math.round(-ageSeconds)} s in the future: look at your clock.`,
    )
}

function parseEvent(body: Uint8Array): WebhookEvent {
  const event = parseJson(body)
  if (!isEnvelope(event))
    throw new WebhookVerificationError('malformed_body', 'The body is not an event.')
  // Safe because it is signed with the secret, so its shape follows the contract.
  return event as WebhookEvent
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new WebhookVerificationError('malformed_body', 'The body is not JSON.')
  }
}

function isEnvelope(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { id, type, timestamp, organizationId, data } = value as Record<string, unknown>
  const texts = [id, type, timestamp, organizationId]
  return texts.every((text) => typeof text === 'string') && typeof data === 'object' && !!data
}
