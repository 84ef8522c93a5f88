// Shows operators whether deliveries go out.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const CYCLE_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

export class DispatcherMetrics {
  readonly #registry: Registry
  readonly #attempts: Counter
  readonly #cycleSeconds: Histogram
  readonly #starvedSeconds: Gauge
  readonly #due: Gauge

  constructor(registry: Registry) {
    this.#registry = registry
    const registers = [registry]
    this.#attempts = new Counter({
      name: 'upvane_delivery_attempts_total',
      help: 'Attempts to deliver, by channel and outcome: SUCCEEDED or the kind of failure.',
      labelNames: ['channel', 'outcome'],
      registers,
    })
    this.#cycleSeconds = new Histogram({
      name: 'upvane_delivery_turn_seconds',
      help: 'Time to record what has ended and to take what is due.',
      buckets: CYCLE_BUCKETS_SECONDS,
      registers,
    })
    this.#starvedSeconds = new Gauge({
      name: 'upvane_delivery_oldest_due_seconds',
      help: 'Age of the oldest delivery that could be sent, while nothing of its receiver is under way.',
      registers,
    })
    this.#due = new Gauge({
      name: 'upvane_deliveries_due',
      help: 'Deliveries whose time has come and that are not sent yet; counted up to 10000.',
      registers,
    })
  }

  due(count: number): void {
    this.#due.set(count)
  }

  attempted(channel: string, outcome: string): void {
    this.#attempts.inc({ channel, outcome })
  }

  cycled(ms: number): void {
    this.#cycleSeconds.observe(ms / 1000)
  }

  starved(ms: number): void {
    this.#starvedSeconds.set(ms / 1000)
  }

  watchInFlight(read: () => number): void {
    new Gauge({
      name: 'upvane_deliveries_in_flight',
      help: 'Deliveries taken and not recorded yet.',
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }
}
