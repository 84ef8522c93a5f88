// How far behind the measuring process itself was. A sample taken while it lagged says more about this process than
// about the product.
const TICK_MS = 5
const MAX_LAG_MS = 20

export type Interval = { fromMs: number; toMs: number }

export class LagWatch {
  readonly #lags: Interval[] = []
  #lastMs = performance.now()
  #worstMs = 0
  readonly #timer = setInterval(() => this.#tick(), TICK_MS)

  /** Whether this process was late at any time in the interval. */
  overlaps({ fromMs, toMs }: Interval): boolean {
    return this.#lags.some((lag) => lag.fromMs <= toMs && lag.toMs >= fromMs)
  }

  /** The longest lag since the last call. */
  takeWorstMs(): number {
    const worst = this.#worstMs
    this.#worstMs = 0
    this.#lags.length = 0
    return worst
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #tick(): void {
    const nowMs = performance.now()
    const lagMs = nowMs - this.#lastMs - TICK_MS
    if (lagMs > MAX_LAG_MS) this.#lags.push({ fromMs: this.#lastMs, toMs: nowMs })
    this.#worstMs = Math.max(this.#worstMs, lagMs)
    this.#lastMs = nowMs
  }
}
