// What of a delivery takes part in its signature, in the forms that servers hand it over.
import { WebhookVerificationError } from './verification-error.ts'

/** `Headers` of any runtime, Node's `request.headers`, or a plain object with names in any case. */
export type HeaderSource =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** Exactly as it arrived, before any parser touched it. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** What a delivery is sent with, and what a signature is made of. */
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

// A header that came twice is put together and then matches nothing: none of the two is preferred.
function fromObject(
  source: Exclude<HeaderSource, { get(name: string): unknown }>,
  wanted: string,
): string {
  return Object.entries(source)
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value ?? [])
    .join(' ')
}
