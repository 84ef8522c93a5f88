// Batches work that costs little more for many pieces than for one: pieces that arrive together are processed together,
// by one worker, or by more when a backlog builds up.
import { setTimeout as delay } from 'node:timers/promises'

export type BatcherOptions<Piece> = {
  gatherMs: number
  /** Extra wait if a piece is not alone: more will follow soon. */
  gatherMoreMs: number
  maxBatch: number
  /** Backlog at which another worker starts. */
  backlogThreshold: number
  maxConcurrent: number
  /** Settles every piece of the batch and never throws: a worker that throws would strand its queue. */
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
      // Another worker may have taken everything meanwhile.
      if (batch.length > 0) await this.#options.work(batch)
    }
    // Immediately: a piece added in the same tick must not wait for a finished worker.
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
