// Work that comes piece by piece and costs little more for many than for one: pieces of a moment are gathered and done
// together, in a lane, and where they pile up in a second one beside it.
import { setTimeout as delay } from 'node:timers/promises'

export type LaneOptions<Piece> = {
  gatherMs: number
  /** Waited besides, where a piece is not alone: others come soon then. */
  gatherMoreMs: number
  maxBatch: number
  /** So many wait when another lane is opened. */
  many: number
  maxLanes: number
  /** Ends every piece of the batch and never throws: a lane that broke would leave those behind it waiting for ever. */
  work(batch: Piece[]): Promise<void>
}

const FEW = 4

export class Lanes<Piece> {
  readonly #options: LaneOptions<Piece>
  readonly #waiting: Piece[] = []
  readonly #lanes = new Set<Promise<void>>()

  constructor(options: LaneOptions<Piece>) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.length
  }

  add(piece: Piece): void {
    const { many, maxLanes } = this.#options
    this.#waiting.push(piece)
    const isBehind = this.#waiting.length >= many && this.#lanes.size < maxLanes
    if (this.#lanes.size === 0 || isBehind) this.#open()
  }

  async drained(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes)
  }

  #open(): void {
    const lane = Promise.withResolvers<void>()
    this.#lanes.add(lane.promise)
    void this.#run(lane)
  }

  async #run(lane: PromiseWithResolvers<void>): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      const batch = this.#waiting.splice(0, this.#options.maxBatch)
      // The other lane may have taken everything meanwhile.
      if (batch.length > 0) await this.#options.work(batch)
    }
    // At once: what comes in the same turn must not wait for a lane that is over.
    this.#lanes.delete(lane.promise)
    lane.resolve()
  }

  async #gather(): Promise<void> {
    const { gatherMs, gatherMoreMs, maxBatch } = this.#options
    if (this.#waiting.length >= maxBatch) return
    await delay(gatherMs)
    if (this.#waiting.length > FEW && this.#waiting.length < maxBatch) await delay(gatherMoreMs)
  }
}
