// One subscription for all responses: one per request would cost an extra message each.
import type { Serving } from './bus.ts'
import type { Wire, WireMessage } from './wire.ts'

const MAX_AWAITING = 50_000

type Awaiting = {
  onMessage(message: WireMessage): void
  /** The inbox is closing: no more messages will arrive. */
  onClose(): void
}

export type ExpectedReply = { replySubject: string; forget(): void }

export class Inbox {
  readonly #wire: Wire
  readonly #subject: string
  readonly #awaiting = new Map<string, Awaiting>()
  #subscribing: Promise<Serving> | undefined
  #count = 0

  constructor(wire: Wire, subject: string) {
    this.#wire = wire
    this.#subject = subject
  }

  /** Undefined if too many responses are pending already. */
  async expect(awaiting: Awaiting): Promise<ExpectedReply | undefined> {
    await this.#subscribe()
    if (this.#awaiting.size >= MAX_AWAITING) return undefined
    const token = (++this.#count).toString(36)
    this.#awaiting.set(token, awaiting)
    return {
      replySubject: `${this.#subject}.${token}`,
      forget: () => void this.#awaiting.delete(token),
    }
  }

  close(): void {
    for (const awaiting of this.#awaiting.values()) awaiting.onClose()
    this.#awaiting.clear()
  }

  // Only when first needed, so that a probe, which sends no requests, needs no permission for it.
  async #subscribe(): Promise<void> {
    this.#subscribing ??= this.#wire.subscribe({
      subject: `${this.#subject}.*`,
      onMessage: (message) => this.#onMessage(message),
    })
    try {
      await this.#subscribing
    } catch (error) {
      this.#subscribing = undefined
      throw error
    }
  }

  #onMessage(message: WireMessage): void {
    const token = message.subject.slice(this.#subject.length + 1)
    this.#awaiting.get(token)?.onMessage(message)
  }
}
