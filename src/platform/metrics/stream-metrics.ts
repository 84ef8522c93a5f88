// Shows operators how many clients follow changes, and what polling for changes costs.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const POLL_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

export class StreamMetrics {
  readonly #ended: Counter
  readonly #pollSeconds: Histogram

  constructor(registry: Registry, countOpen: () => number) {
    const registers = [registry]
    new Gauge({
      name: 'upvane_streams_open',
      help: 'Event streams of the dashboard that are open.',
      registers,
      collect() {
        this.set(countOpen())
      },
    })
    this.#ended = new Counter({
      name: 'upvane_streams_ended_total',
      help: 'Event streams that ended, by reason: LEFT, NOT_ALLOWED, SLOW or STOPPING.',
      labelNames: ['reason'],
      registers,
    })
    this.#pollSeconds = new Histogram({
      name: 'upvane_streams_look_seconds',
      help: 'Time to find what changed in all organizations that are followed here.',
      buckets: POLL_BUCKETS_SECONDS,
      registers,
    })
  }

  ended(reason: string): void {
    this.#ended.inc({ reason })
  }

  polled(ms: number): void {
    this.#pollSeconds.observe(ms / 1000)
  }
}
