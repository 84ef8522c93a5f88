// One event stream to one client. A client that stops reading is disconnected; it catches up when it reconnects.
import type { ServerResponse } from 'node:http'

export type EndReason = 'LEFT' | 'NOT_ALLOWED' | 'SLOW' | 'STOPPING'

// What one client may make us buffer, besides the message being written.
const MAX_PENDING_BYTES = 64 * 1024
const RETRY_MS = 2_000
// Spreads reconnects, so that clients that leave together do not return together.
const RETRY_SPREAD_MS = 4_000

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Not stored or changed, and passed on immediately: a compressing proxy would hold it back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
}

export function encodeMessage(name: string, id: string, data: object): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** Nothing to show, but a sign of life and a newer id to resume from. */
export function encodeKeepalive(id: string): Buffer {
  return Buffer.from(`:\nid: ${id}\n\n`)
}

export class EventStream {
  readonly #response: ServerResponse
  #onEnd: (reason: EndReason) => void = () => {}
  #isOver = false

  constructor(response: ServerResponse, onEnd: (reason: EndReason) => void) {
    this.#response = response
    this.#onEnd = onEnd
    response.once('close', () => this.#finish('LEFT'))
  }

  get isOver(): boolean {
    return this.#isOver
  }

  begin(requestId: string): void {
    if (this.#isOver) return
    this.#response.writeHead(200, { ...HEADERS, 'X-Request-Id': requestId })
    this.#response.write(`retry: ${RETRY_MS}\n\n`)
  }

  send(message: Buffer): void {
    if (this.#isOver) return
    if (this.#response.writableLength <= MAX_PENDING_BYTES) {
      this.#response.write(message)
      return
    }
    this.#finish('SLOW')
    this.#response.destroy()
  }

  end(reason: EndReason): void {
    if (this.#isOver) return
    this.#finish(reason)
    const retryMs = RETRY_MS + Math.round(Math.random() * RETRY_SPREAD_MS)
    this.#response.end(`retry: ${retryMs}\n\n`)
  }

  #finish(reason: EndReason): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onEnd(reason)
  }
}
