// Webhooks are signed with the Standard Webhooks scheme: a receiver with the secret can verify that a body came from
// us, is unchanged, and is not replayed.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** `rotatedAt`: when a newer secret replaced it; null for the current one. */
export type Secret = { secret: string; rotatedAt: Date | null }

/** `body` is exactly what is sent; `sentAt` is the time of this attempt, not of the event. */
type SignableMessage = { id: string; sentAt: Date; body: string }

export type SignedHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

const OVERLAP_MS = 24 * 3_600_000
const MAX_LIVE_SECRETS = 5
const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/** Newest first: the current secret, and those replaced less than 24 h ago. */
export function liveSecrets(secrets: readonly Secret[], now: Date): Secret[] {
  return secrets
    .filter(({ rotatedAt }) => rotatedAt === null || expiryMs(rotatedAt) > now.getTime())
    .toSorted((a, b) => ageRank(b) - ageRank(a))
}

/** Each live secret adds a signature to every request, so five is the limit. */
export function mayRotate(secrets: readonly Secret[], now: Date): boolean {
  return liveSecrets(secrets, now).length < MAX_LIVE_SECRETS
}

/** When the last replaced secret stops signing; null if there is none. */
export function previousSecretExpiresAt(secrets: readonly Secret[], now: Date): Date | null {
  const rotatedAt = liveSecrets(secrets, now).find((secret) => secret.rotatedAt !== null)?.rotatedAt
  return rotatedAt ? new Date(expiryMs(rotatedAt)) : null
}

/** One signature per live secret, so that a receiver with either the old or the new one can verify. */
export function signedHeaders(message: SignableMessage, secrets: readonly Secret[]): SignedHeaders {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000))
  const signatures = liveSecrets(secrets, message.sentAt).map(
    ({ secret }) => `v1,${sign(secret, message.id, timestamp, message.body).toString('base64')}`,
  )
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

/** The receiver's side: whether one of the signatures was made with this secret, within five minutes of now. */
export function isSigned(headers: SignedHeaders, body: string, secret: string, now: Date): boolean {
  const timestamp = headers['webhook-timestamp']
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false

  const expected = sign(secret, headers['webhook-id'], timestamp, body)
  return headers['webhook-signature']
    .split(' ')
    .some(
      (entry) => entry.startsWith('v1,') && isSame(Buffer.from(entry.slice(3), 'base64'), expected),
    )
}

function sign(secret: string, id: string, timestamp: string, body: string): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
}

// A comparison that stops at the first difference would tell attackers how much of a guess is right.
function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function expiryMs(rotatedAt: Date): number {
  return rotatedAt.getTime() + OVERLAP_MS
}

function ageRank({ rotatedAt }: Secret): number {
  return rotatedAt?.getTime() ?? Number.MAX_VALUE
}
