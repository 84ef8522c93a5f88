// Bounds the values of a metric's label: every new value is a new time series in the operator's Prometheus.

const OTHER = 'other'

export class LabelLimit {
  readonly #max: number
  readonly #known = new Set<string>()

  constructor(max: number) {
    this.#max = max
  }

  /** The value itself, or `other` once there are too many distinct ones. */
  of(value: string): string {
    if (this.#known.has(value)) return value
    if (this.#known.size >= this.#max) return OTHER
    this.#known.add(value)
    return value
  }
}
