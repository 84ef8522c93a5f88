// The signed parts of a delivery, in the forms that servers provide them.
import { WebhookVerificationError } from './verification-error.ts'

/** `Headers` of any runtime, Node's `request.headers`, or a plain object with names in any case. */
export type HeaderSource =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** The body exactly as received, before any parser changes it. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** The headers of a delivery, which the signature covers or holds. */
export type WebhookHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

export function readWebhookHeaders(source: HeaderSource): WebhookHeaders {
  return {
    'webhook-id': getHeader(source, 'webhook-id'),
    'webhook-timestamp': getHeader(source, 'webhook-timestamp'),
    'webhook-signature': getHeader(source, 'webhook-signature'),
  }
}

function getHeader(source: HeaderSource, name: string): string {
  const value = hasGet(source) ? source.get(name) : fromObject(source, name)
  if (value) return value
  throw new WebhookVerificationError('missing_header', `The request has no ${name} header.`)
}

function hasGet(source: HeaderSource): source is { get(name: string): string | null | undefined } {
  return typeof source.get === 'function'
}

// A duplicate header is joined, so it matches nothing: neither value is preferred.
function fromObject(
  source: Exclude<HeaderSource, { get(name: string): unknown }>,
  wanted: string,
): string {
  return Object.entries(source)
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? [])
    .join(' ')
}
