// Sends back the results of one packet. Results wait only briefly to be batched, and survive a lost connection. Holds
// at most one result per job of the packet.
import type { Job, ProbeResult } from './bus.ts'
import { type Responder, resultsText } from './messages.ts'
import { pack } from './packing.ts'
import { RESULT_GRACE_MS } from './send-jobs.ts'
import type { OnError, Wire } from './wire.ts'

export const MAX_RESULT_DELAY_MS = 50
const RETRY_MS = 100
// Longer than other processes take to reconnect to a server that is back.
const SETTLE_MS = 2500

type Carrier = { wire: Wire; onError: OnError; outboxes: Set<Outbox> }
type Origin = {
  server: Carrier
  from: Responder
  jobs: readonly Job[]
  replySubject: string
}

export class Outbox {
  readonly #origin: Origin
  readonly #unanswered: Set<string>
  readonly #expiresAtMs: number
  #pending: string[] = []
  #timer: NodeJS.Timeout | undefined
  #isOpen = false

  constructor(origin: Origin) {
    this.#origin = origin
    this.#unanswered = new Set(origin.jobs.map(({ id }) => id))
    const longestMs = Math.max(...origin.jobs.map(({ budgetMs }) => budgetMs))
    this.#expiresAtMs = performance.now() + longestMs + RESULT_GRACE_MS
  }

  add(results: readonly ProbeResult[]): void {
    for (const result of results) {
      if (!this.#unanswered.delete(result.id))
        throw new Error('A probe answered a job twice, or one of another packet.')
      this.#pending.push(JSON.stringify(result))
    }
    if (this.#isOpen) this.#sendSoon()
  }

  /** Starts sending: no result may arrive before the acceptance. */
  open(): void {
    this.#isOpen = true
    if (this.#pending.length > 0) this.#sendSoon()
  }

  send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { server, from, replySubject } = this.#origin
    const { packs, tooLarge } = pack(this.#pending, (text) => text)
    const unsent = packs.filter(
      ({ text }) => !server.wire.publish(replySubject, resultsText(from, text), ''),
    )
    this.#pending = unsent.flatMap(({ items }) => items)
    if (tooLarge.length > 0) server.onError(new Error('A result is larger than a message may be.'))
    if (this.#pending.length === 0) server.outboxes.delete(this)
    else this.#retry()
  }

  /** For shutdown: nothing is retried anymore. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #sendSoon(): void {
    this.#origin.server.outboxes.add(this)
    // After the last result there is nothing to wait for.
    if (this.#unanswered.size === 0) this.send()
    else this.#timer ??= setTimeout(() => this.send(), MAX_RESULT_DELAY_MS)
  }

  #retry(): void {
    if (performance.now() < this.#expiresAtMs) {
      this.#timer = setTimeout(() => this.#sendWhenConnected(), RETRY_MS)
      return
    }
    this.#origin.server.outboxes.delete(this)
    this.#origin.server.onError(new Error(`${this.#pending.length} results were not sent in time.`))
  }

  // The sender of the jobs reconnects in its own time: results sent before that are lost.
  #sendWhenConnected(): void {
    if (this.#origin.server.wire.isConnected())
      this.#timer = setTimeout(() => this.send(), SETTLE_MS)
    else this.#retry()
  }
}
