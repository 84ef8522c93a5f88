// A probe's metrics about its own work.
import { Counter, Gauge, type Registry } from 'prom-client'

export class ProbeMetrics {
  readonly #registry: Registry
  readonly #attempts: Counter
  readonly #busy: Counter

  constructor(registry: Registry) {
    this.#registry = registry
    const registers = [registry]
    this.#attempts = new Counter({
      name: 'upvane_probe_attempts_total',
      help: 'Attempts this probe ran, by monitor type and outcome: OK, FAILED or INCONCLUSIVE.',
      labelNames: ['type', 'outcome'],
      registers,
    })
    this.#busy = new Counter({
      name: 'upvane_probe_busy_total',
      help: 'Packets of jobs this probe refused because it was full.',
      registers,
    })
  }

  attempted(type: string, outcome: string): void {
    this.#attempts.inc({ type, outcome })
  }

  busy(): void {
    this.#busy.inc()
  }

  watchInFlight(read: () => number): void {
    new Gauge({
      name: 'upvane_probe_in_flight',
      help: 'Attempts this probe has accepted and not answered yet.',
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }
}
