// When two requests count as the same, and the lock that runs them one at a time.
import { createHash } from 'node:crypto'

export const REPLAY_HOURS = 24
const KEY_FORM = /^[A-Za-z0-9._:-]{1,200}$/

export const isIdempotencyKey = (text: string): boolean => KEY_FORM.test(text)

type RequestIdentity = { method: string; path: string; body: unknown }

/**
 * Computed from the validated body: defaults are filled in, unknown properties are gone, and key order does not matter.
 */
export function fingerprint({ method, path, body }: RequestIdentity): Buffer {
  return createHash('sha256')
    .update(`${method}\n${path}\n${canonicalJson(body)}`)
    .digest()
}

/** The 64-bit key of the advisory lock that lets one request with this idempotency key run at a time. */
export function lockNumber(orgId: string, key: string): string {
  return createHash('sha256').update(`${orgId}\n${key}`).digest().readBigInt64BE(0).toString()
}

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
