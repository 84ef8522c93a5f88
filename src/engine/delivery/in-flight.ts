// A dispatcher's work in flight: attempts being sent, and finished ones not yet recorded.
import { CLAIM_SECONDS } from '../../actions/deliveries/claim.ts'
import type { EndedAttempt } from '../../domain/events/delivery-outcome.ts'

/** `atMs`: when the attempt was claimed. */
export type Finished = EndedAttempt & { atMs: number }

export class InFlight {
  #count = 0
  #finished: Finished[] = []
  /** How many at the start of the list were tried before, when others had locked their receivers. */
  #postponed = 0
  #onFinish = () => {}
  #endSleep = () => {}

  /** Attempts not yet recorded. */
  get count(): number {
    return this.#count
  }

  /** Attempts that finished since the last cycle. */
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

  /** Everything to record. Attempts past their claim are dropped, because all processes already count them as lost. */
  batch(nowMs: number): readonly Finished[] {
    const oldestMs = nowMs - CLAIM_SECONDS * 1000
    const kept = this.#finished.filter(({ atMs }) => atMs > oldestMs)
    this.#count -= this.#finished.length - kept.length
    this.#postponed = Math.min(this.#postponed, kept.length)
    this.#finished = kept
    return [...kept]
  }

  /** The batch was recorded, except for attempts whose receivers were busy. */
  recorded(batch: readonly Finished[], busy: ReadonlySet<string>): void {
    const postponed = batch.filter(({ endpointId }) => busy.has(endpointId))
    this.#count -= batch.length - postponed.length
    this.#finished = [...postponed, ...this.#finished.slice(batch.length)]
    this.#postponed = postponed.length
  }

  /** Ends early when `enough` attempts have finished or wake() is called. */
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
