// A browser that receives notifications: what may be registered, and how the API shows it.
import { type AddressPolicy, endpointUrlProblem } from '../events/webhook.ts'
import { toPublicId } from '../values/id.ts'
import type { Problem } from '../values/problem.ts'

/** Where a browser is reached, as its push service and the browser itself gave it. */
export type PushSubscription = {
  endpoint: string
  /** In base64url: the browser's public key, and a secret shared with it. */
  p256dh: string
  auth: string
}

export type PushDevice = {
  uuid: string
  name: string
  endpointHash: Buffer
  createdAt: Date
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  lastError: string | null
}

/** Of one person in one organization. */
export const MAX_PUSH_DEVICES = 10

const PUBLIC_KEY_BYTES = 65
const AUTH_BYTES = 16

export function subscriptionProblems(
  { endpoint, p256dh, auth }: PushSubscription,
  policy: AddressPolicy,
  isOnCurve: (publicKey: string) => boolean,
): Problem[] {
  const found = [
    { path: 'endpoint', message: endpointUrlProblem(endpoint, policy) },
    { path: 'keys.p256dh', message: publicKeyProblem(p256dh, isOnCurve) },
    { path: 'keys.auth', message: lengthProblem(auth, AUTH_BYTES) },
  ]
  return found.flatMap(({ path, message }) => (message === undefined ? [] : { path, message }))
}

function publicKeyProblem(
  key: string,
  isOnCurve: (publicKey: string) => boolean,
): string | undefined {
  const problem = lengthProblem(key, PUBLIC_KEY_BYTES)
  if (problem !== undefined) return problem
  return isOnCurve(key) ? undefined : 'must be a point of the curve P-256'
}

function lengthProblem(value: string, bytes: number): string | undefined {
  const decoded = Buffer.from(value, 'base64url')
  const isExact = decoded.length === bytes && decoded.toString('base64url') === value
  return isExact ? undefined : `must be ${bytes} bytes in base64url`
}

export function toApiPushDevice(device: PushDevice) {
  const { uuid, name, endpointHash, createdAt, lastSuccessAt, lastFailureAt, lastError } = device
  const isFailing = lastFailureAt !== null && (lastSuccessAt ?? createdAt) < lastFailureAt
  return {
    id: toPublicId('pdv', uuid),
    name,
    fingerprint: endpointHash.toString('hex'),
    createdAt,
    lastSuccessAt,
    error: isFailing ? lastError : null,
  }
}
