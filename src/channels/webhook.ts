// Sends an event as a signed POST and interprets the response.
import type { AttemptErrorCode } from '../domain/events/delivery.ts'
import type { SendResult } from '../domain/events/delivery-outcome.ts'
import { outcomeOf } from '../domain/events/retry-schedule.ts'
import { type Secret, signedHeaders } from '../domain/events/signature.ts'
import { toPublicId } from '../domain/values/id.ts'
import { type OutboundCode, OutboundError } from '../outbound/outbound-error.ts'
import type { Posted, WebhookClient } from '../outbound/webhook-client.ts'

/** `body` is sent byte for byte as it was stored. */
type WebhookMessage = {
  endpointId: string
  eventId: string
  url: string
  body: string
  sentAt: Date
  secrets: readonly Secret[]
}

/** Throws only on faults of our own. */
export async function sendWebhook(
  client: WebhookClient,
  message: WebhookMessage,
  deadlineMs: number,
): Promise<SendResult> {
  const startMs = performance.now()
  const { endpointId, eventId, url, body, sentAt, secrets } = message
  if (secrets.length === 0) throw new Error(`Endpoint ${endpointId} has no secret`)
  const id = toPublicId('evt', eventId)
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders({ id, sentAt, body }, secrets),
  }
  try {
    const posted = await client.post({ endpointId, url, headers, body, deadlineMs })
    return { ...toResult(posted), url, durationMs: performance.now() - startMs }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { ...toFailed(error, deadlineMs), url, durationMs: performance.now() - startMs }
  }
}

type ResponseResult = Omit<SendResult, 'durationMs' | 'url'>

function toResult({ status, body, retryAfter }: Posted): ResponseResult {
  const outcome = outcomeOf(status)
  const succeeded = outcome === 'SUCCEEDED'
  return {
    outcome: succeeded ? 'SUCCEEDED' : 'FAILED',
    responseStatus: status,
    responseBody: toText(body),
    retryAfter,
    errorCode: succeeded ? null : 'BAD_STATUS',
    error: succeeded ? null : `Answered with HTTP ${status}`,
    isReceiverFault: !succeeded,
    next: outcome === 'GONE' ? 'GONE' : 'RETRY',
  }
}

// PostgreSQL text cannot contain zero bytes, and a receiver may respond with any bytes.
const toText = (body: Buffer) => body.toString('utf8').replaceAll('\0', '\uFFFD')

type ErrorMessage = [AttemptErrorCode, (detail: string) => string]

// biome-ignore format: a table is read by its columns
const ERROR_MESSAGES: Record<Exclude<OutboundCode, 'TIMEOUT'>, ErrorMessage> = {
  NAME_NOT_FOUND:       ['DNS_ERROR',          (detail) => `DNS lookup failed (${detail})`],
  NAME_NOT_ANSWERED:    ['DNS_ERROR',          (detail) => `DNS lookup failed (${detail})`],
  NO_ROUTE:             ['CONNECTION_FAILED',  (detail) => `Connection failed (${detail})`],
  RESOLVER_UNREACHABLE: ['DNS_ERROR',          () => 'No name server could be reached'],
  NOT_ALLOWED:          ['TARGET_NOT_ALLOWED', () => 'The address is not allowed'],
  REFUSED:              ['CONNECTION_FAILED',  () => 'Connection refused'],
  RESET:                ['CONNECTION_FAILED',  () => 'Connection closed before an answer came'],
  UNREACHABLE:          ['CONNECTION_FAILED',  (detail) => `Connection failed (${detail})`],
  OUT_OF_DESCRIPTORS:   ['CONNECTION_FAILED',  () => 'The sender ran out of sockets'],
  OUT_OF_PORTS:         ['CONNECTION_FAILED',  () => 'The sender ran out of sockets'],
  NO_PING:              ['CONNECTION_FAILED',  () => 'Connection failed'],
  INVALID_RESPONSE:     ['CONNECTION_FAILED',  (detail) => `The answer is not HTTP (${detail})`],
  TLS_FAILED:           ['TLS_ERROR',          (detail) => `TLS handshake failed (${detail})`],
  CERT_EXPIRED:         ['TLS_ERROR',          (day) => `Certificate expired on ${day}`],
  CERT_NOT_YET_VALID:   ['TLS_ERROR',          (day) => `Certificate is not valid before ${day}`],
  CERT_UNTRUSTED:       ['TLS_ERROR',          (detail) => `Certificate is not trusted (${detail})`],
  CERT_NAME_MISMATCH:   ['TLS_ERROR',          (host) => `Certificate does not cover ${host}`],
}

/** Also used by other channels that send over HTTP. */
export function toFailed(
  { code, detail, isOwnFault }: OutboundError,
  deadlineMs: number,
): ResponseResult {
  const [errorCode, text]: ErrorMessage =
    code === 'TIMEOUT'
      ? ['TIMEOUT', () => `Timed out after ${deadlineMs / 1000} s`]
      : ERROR_MESSAGES[code]
  return {
    outcome: 'FAILED',
    responseStatus: null,
    responseBody: null,
    retryAfter: undefined,
    errorCode,
    error: text(detail),
    isReceiverFault: !isOwnFault,
    next: 'RETRY',
  }
}
