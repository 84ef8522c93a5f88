// A received request: what it claims to be, and whether its signature is valid.
import type { IncomingHttpHeaders } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '@upvane/sdk/webhooks'

/** UNCHECKED: there is no secret to check with. */
export type Verdict =
  | { verified: true }
  | { verified: false; reason: string; message: string }
  | { verified: 'UNCHECKED' }

export type Delivery = {
  receivedAt: Date
  headers: IncomingHttpHeaders
  body: Buffer
  verdict: Verdict
  /** The body as JSON, verified or not; undefined if it is not JSON. */
  event: unknown
  id: string
  type: string
  /** The number of requests with this `webhook-id`, including this one. */
  timesSeen: number
}

export async function judge(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
): Promise<Verdict> {
  if (secrets.length === 0) return { verified: 'UNCHECKED' }
  try {
    await verifyWebhook({ secrets, headers, body })
    return { verified: true }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return { verified: false, reason: error.reason, message: error.message }
  }
}

export function parseEvent(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The type an event claims to have; empty if none. */
export function typeOf(event: unknown): string {
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : ''
  return typeof type === 'string' ? type : ''
}

const MAX_REMEMBERED = 10_000

/** Counts requests by their `webhook-id`. */
export class SeenIds {
  readonly #counts = new Map<string, number>()

  count(id: string): number {
    const count = (this.#counts.get(id) ?? 0) + 1
    // Reinsert at the end, so the first entry is always the least recently seen.
    this.#counts.delete(id)
    this.#counts.set(id, count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > MAX_REMEMBERED && oldest !== undefined) this.#counts.delete(oldest)
    return count
  }
}
