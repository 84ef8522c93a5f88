// Standard Webhooks signatures with WebCrypto, which every current runtime has: HMAC-SHA256 with the secret's bytes
// over "{webhook-id}.{webhook-timestamp}.{body}".
import type { RawBody } from './request.ts'
import { WebhookVerificationError } from './verification-error.ts'

export type Bytes = Uint8Array<ArrayBuffer>
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>
export type Signed = { id: string; timestamp: string; body: Bytes }

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/
const MIN_KEY_BYTES = 24
const MAX_KEY_BYTES = 64
const VERSION = 'v1,'
// Upvane sends at most five. The limit keeps a hostile sender from wasting CPU.
const MAX_SIGNATURES = 16

export function importSecrets(secrets: readonly string[]): Promise<Key[]> {
  if (secrets.length === 0)
    throw new WebhookVerificationError('malformed_secret', 'No secret was given.')
  return Promise.all(secrets.map(importSecret))
}

async function importSecret(secret: string): Promise<Key> {
  const encoded = SECRET.exec(String(secret))?.[1]
  const bytes = encoded === undefined ? undefined : fromBase64(encoded)
  if (bytes === undefined || bytes.length < MIN_KEY_BYTES || bytes.length > MAX_KEY_BYTES)
    throw new WebhookVerificationError(
      'malformed_secret',
      'A secret is "whsec_" and base64, as shown when the endpoint was created, without blanks or quotes.',
    )
  return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['sign', 'verify'])
}

export function toBytes(body: RawBody): Bytes {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Not instanceof, because test runners pass bytes created in another realm.
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice()
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body)
  throw new WebhookVerificationError(
    'malformed_body',
    'The body must be the text or bytes that arrived. A parsed body cannot be verified: parsing loses what was signed.',
  )
}

export async function sign(key: Key, signed: Signed): Promise<string> {
  const signature = await crypto.subtle.sign(ALGORITHM, key, contentOf(signed))
  return VERSION + toBase64(new Uint8Array(signature))
}

/** Whether any signature in the header was created with any of the keys. */
export async function isSigned(header: string, keys: readonly Key[], signed: Signed) {
  const content = contentOf(signed)
  const signatures = header.split(' ').slice(0, MAX_SIGNATURES).flatMap(readSignature)
  // `verify` compares in constant time.
  for (const signature of signatures)
    for (const key of keys)
      if (await crypto.subtle.verify(ALGORITHM, key, signature, content)) return true
  return false
}

function contentOf({ id, timestamp, body }: Signed): Bytes {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

// Several base64 encodings decode to the same bytes. Only the canonical one is accepted.
function readSignature(entry: string): Bytes[] {
  if (!entry.startsWith(VERSION)) return []
  const encoded = entry.slice(VERSION.length)
  if (!/^[A-Za-z0-9+/]{43}=$/.test(encoded)) return []
  const bytes = fromBase64(encoded)
  return toBase64(bytes) === encoded ? [bytes] : []
}

function fromBase64(encoded: string): Bytes {
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
}

function toBase64(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes))
}
