// Posts one message to a subscriber's URL and interprets the response.
import { NO_RESPONSE, type SendResult } from '../../domain/events/delivery-outcome.ts'
import type { HookKind } from '../../domain/status-pages/subscriber.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { Posted, WebhookClient } from '../../outbound/webhook-client.ts'
import { toFailed } from '../webhook.ts'

type HookPost = {
  /** The subscriber. */
  endpointId: string
  kind: HookKind
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

// Shorter than for an organization's own endpoints: strangers' receivers share its slots.
const MAX_DEADLINE_MS = 5_000

/** `isMet`: what else the response must fulfill. Neither URL nor response is kept, because both are a stranger's. */
export async function sendHook(
  client: WebhookClient,
  { kind, ...post }: HookPost,
  deadlineMs: number,
  isMet: (posted: Posted) => boolean = () => true,
): Promise<SendResult> {
  const startMs = performance.now()
  const limitMs = Math.min(deadlineMs, MAX_DEADLINE_MS)
  try {
    const posted = await client.post({ ...post, deadlineMs: limitMs })
    return { ...toResult(kind, posted, isMet(posted)), durationMs: performance.now() - startMs }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { ...toFailed(error, limitMs), url: null, durationMs: performance.now() - startMs }
  }
}

// Slack says 404 for a webhook that was removed.
const GONE: Readonly<Record<HookKind, ReadonlySet<number>>> = {
  SLACK: new Set([404, 410]),
  WEBHOOK: new Set([410]),
}

function toResult(kind: HookKind, { status, retryAfter }: Posted, isMet: boolean): SendResult {
  const isAccepted = status >= 200 && status < 300
  if (isAccepted && isMet) return { ...NO_RESPONSE, outcome: 'SUCCEEDED', responseStatus: status }
  return {
    ...NO_RESPONSE,
    responseStatus: status,
    retryAfter,
    errorCode: 'BAD_STATUS',
    error: isAccepted ? 'The challenge was not echoed' : `Answered with HTTP ${status}`,
    isReceiverFault: true,
    next: GONE[kind].has(status) ? 'GONE' : 'RETRY',
  }
}
