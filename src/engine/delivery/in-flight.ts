// What a dispatcher has in hand: attempts under way, and those that have ended and are to be recorded.
import { CLAIM_SECONDS } from './claim.ts'
import type { Ended } from './settle.ts'

/** `atMs`: when it was claimed. */
export type Finished = Ended & { atMs: number }

export class InFlight {
  #count = 0
  #finished: Finished[] = []
  /** The first so many were tried before: their receivers were held by somebody else. */
  #postponed = 0
  #onFinish = () => {}
  #endSleep = () => {}

  /** Attempts that are not recorded yet. */
  get count(): number {
    return this.#count
  }

  /** Attempts that have ended since the last turn. */
  get fresh(): number {
    return this.#finished.length - this.#postponed
  }

  begin(attempts: number): void {
    this.#count += attempts
  }

  finish(one: Finished): void {
    this.#finished.push(one)
    this.#onFinish()
  }

  /** All that is to be recorded. What could not be in time is taken for lost by everybody, and is let go. */
  batch(nowMs: number): readonly Finished[] {
    const oldestMs = nowMs - CLAIM_SECONDS * 1000
    const kept = this.#finished.filter(({ atMs }) => atMs > oldestMs)
    this.#count -= this.#finished.length - kept.length
    this.#postponed = Math.min(this.#postponed, kept.length)
    this.#finished = kept
    return [...kept]
  }

  /** A batch was recorded, but for those whose receivers were busy. */
  recorded(batch: readonly Finished[], busy: ReadonlySet<string>): void {
    const postponed = batch.filter(({ endpointId }) => busy.has(endpointId))
    this.#count -= batch.length - postponed.length
    this.#finished = [...postponed, ...this.#finished.slice(batch.length)]
    this.#postponed = postponed.length
  }

  /** Sleeps, and ends early when so many have ended or somebody wakes it. */
  sleep(ms: number, enough: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.#onFinish = () => {
        if (this.fresh >= enough) end()
      }
      this.#endSleep = end
    })
  }

  wake(): void {
    this.#endSleep()
  }
}
