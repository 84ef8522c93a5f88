// What tells an operator whether webhooks go out.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const CLAIM_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

export class DispatcherMetrics {
  readonly #registry: Registry
  readonly #attempts: Counter
  readonly #claimSeconds: Histogram
  readonly #settleSeconds: Histogram
  readonly #oldestDue: Gauge

  constructor(registry: Registry) {
    this.#registry = registry
    const registers = [registry]
    this.#attempts = new Counter({
      name: 'upvane_webhook_attempts_total',
      help: 'Attempts to deliver, by outcome: SUCCEEDED or the kind of failure.',
      labelNames: ['outcome'],
      registers,
    })
    this.#claimSeconds = new Histogram({
      name: 'upvane_webhook_claim_seconds',
      help: 'Time to find and take what is due.',
      buckets: CLAIM_BUCKETS_SECONDS,
      registers,
    })
    this.#settleSeconds = new Histogram({
      name: 'upvane_webhook_settle_seconds',
      help: 'Time to record one batch of attempts.',
      buckets: CLAIM_BUCKETS_SECONDS,
      registers,
    })
    this.#oldestDue = new Gauge({
      name: 'upvane_webhook_oldest_due_seconds',
      help: 'Age of the oldest delivery that is due and may be sent.',
      registers,
    })
  }

  attempted(outcome: string): void {
    this.#attempts.inc({ outcome })
  }

  claimed(ms: number): void {
    this.#claimSeconds.observe(ms / 1000)
  }

  settled(ms: number): void {
    this.#settleSeconds.observe(ms / 1000)
  }

  oldestDue(ms: number): void {
    this.#oldestDue.set(Math.max(0, ms) / 1000)
  }

  watchInFlight(read: () => number): void {
    new Gauge({
      name: 'upvane_webhook_requests_in_flight',
      help: 'Requests sent and not recorded yet.',
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }
}
