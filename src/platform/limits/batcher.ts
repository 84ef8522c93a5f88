// Work that comes piece by piece and costs little more for many than for one: pieces of a moment are gathered and done
// together, in a lane, and where they pile up in a second one beside it.
import { setTimeout as delay } from 'node:timers/promises'

export type BatcherOptions<Piece> = {
  gatherMs: number
  /** Waited besides, where a piece is not alone: others come soon then. */
  gatherMoreMs: number
  maxBatch: number
  /** So many wait when another lane is opened. */
  backlogThreshold: number
  maxConcurrent: number
  /** Ends every piece of the batch and never throws: a lane that broke would leave those behind it waiting for ever. */
  work(batch: Piece[]): Promise<void>
}

const FEW = 4

export class Batcher<Piece> {
  readonly #options: BatcherOptions<Piece>
  readonly #waiting: Piece[] = []
  readonly #workers = new Set<Promise<void>>()

  constructor(options: BatcherOptions<Piece>) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.length
  }

  add(piece: Piece): void {
    const { backlogThreshold, maxConcurrent } = this.#options
    this.#waiting.push(piece)
    const isBehind = this.#waiting.length >= backlogThreshold && this.#workers.size < maxConcurrent
    if (this.#workers.size === 0 || isBehind) this.#startWorker()
  }

  async drained(): Promise<void> {
    while (this.#workers.size > 0) await Promise.all(this.#workers)
  }

  #startWorker(): void {
    const worker = Promise.withResolvers<void>()
    this.#workers.add(worker.promise)
    void this.#runWorker(worker)
  }

  async #runWorker(worker: PromiseWithResolvers<void>): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      const batch = this.#waiting.splice(0, this.#options.maxBatch)
      // The other lane may have taken everything meanwhile.
      if (batch.length > 0) await this.#options.work(batch)
    }
    // At once: what comes in the same turn must not wait for a lane that is over.
    this.#workers.delete(worker.promise)
    worker.resolve()
  }

  async #gather(): Promise<void> {
    const { gatherMs, gatherMoreMs, maxBatch } = this.#options
    if (this.#waiting.length >= maxBatch) return
    await delay(gatherMs)
    if (this.#waiting.length > FEW && this.#waiting.length < maxBatch) await delay(gatherMoreMs)
  }
}
