// Shows operators whether the engine is healthy.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { LabelLimit } from './label-limit.ts'
import { slotsMissedCounter } from './slots-missed-counter.ts'

const LATENESS_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30, 300]

// Operators name the regions; a mistake must not fill Prometheus.
const MAX_REGIONS = 100

type SchedulerGauges = {
  shards(): number
  scheduled(): number
  inFlight(): number
  unaccepted(): number
  waiting(): number
}

export class SchedulerMetrics {
  readonly #registry: Registry
  readonly #lateness: Histogram
  readonly #applied: Counter
  readonly #batchSeconds: Histogram
  readonly #inconclusive: Counter
  readonly #oldestDue: Gauge
  readonly #checks: Counter
  readonly #missed: Counter
  readonly #regions = new LabelLimit(MAX_REGIONS)

  constructor(registry: Registry) {
    this.#registry = registry
    const registers = [registry]
    this.#lateness = new Histogram({
      name: 'upvane_check_lateness_seconds',
      help: 'How long after its slot a check was started.',
      buckets: LATENESS_BUCKETS_SECONDS,
      registers,
    })
    this.#applied = new Counter({
      name: 'upvane_results_recorded_total',
      help: 'Results recorded.',
      registers,
    })
    this.#batchSeconds = new Histogram({
      name: 'upvane_record_batch_seconds',
      help: 'Time to record one batch of results.',
      buckets: LATENESS_BUCKETS_SECONDS,
      registers,
    })
    this.#inconclusive = new Counter({
      name: 'upvane_checks_inconclusive_total',
      help: 'Checks that said nothing about their target, by our own fault.',
      labelNames: ['type', 'reason'],
      registers,
    })
    this.#oldestDue = new Gauge({
      name: 'upvane_oldest_due_slot_seconds',
      help: 'Age of the oldest slot that is due and not recorded yet.',
      registers,
    })
    this.#checks = new Counter({
      name: 'upvane_checks_total',
      help: 'Checks recorded, by the region of the last attempt and the verdict: PASSED, SLOW, FAILED or INCONCLUSIVE.',
      labelNames: ['region', 'verdict'],
      registers,
    })
    this.#missed = slotsMissedCounter(registry)
  }

  checked(region: string | null, verdict: string): void {
    this.#checks.inc({ region: region === null ? 'none' : this.#regions.of(region), verdict })
  }

  missed(reason: string, slots: number): void {
    this.#missed.inc({ reason }, slots)
  }

  /** A region that ever had a probe stays, with 0, so that an alert can detect it. */
  watchLiveProbes(read: () => ReadonlyMap<string, number>): void {
    const regions = this.#regions
    const seen = new Set<string>()
    new Gauge({
      name: 'upvane_live_probes',
      help: 'Probes that announced themselves in the last seconds, by region.',
      labelNames: ['region'],
      registers: [this.#registry],
      collect() {
        const counts = new Map<string, number>([...seen].map((region) => [region, 0]))
        for (const [name, count] of read()) {
          const region = regions.of(name)
          seen.add(region)
          counts.set(region, (counts.get(region) ?? 0) + count)
        }
        for (const [region, count] of counts) this.set({ region }, count)
      },
    })
  }

  lateness(ms: number): void {
    this.#lateness.observe(ms / 1000)
  }

  applied(results: number, ms: number): void {
    this.#applied.inc(results)
    this.#batchSeconds.observe(ms / 1000)
  }

  inconclusive(type: string, reason: string): void {
    this.#inconclusive.inc({ type, reason })
  }

  oldestDue(ms: number): void {
    this.#oldestDue.set(ms / 1000)
  }

  watch({ shards, scheduled, inFlight, unaccepted, waiting }: SchedulerGauges): void {
    this.#gauge('upvane_shards_owned', 'Shards whose checks this process runs.', shards)
    this.#gauge('upvane_monitors_scheduled', 'Monitors whose next slot it knows.', scheduled)
    this.#gauge('upvane_attempts_in_flight', 'Attempts sent and not answered yet.', inFlight)
    this.#gauge('upvane_attempts_waiting', 'Attempts that no probe has accepted yet.', unaccepted)
    this.#gauge('upvane_results_waiting', 'Results that wait to be recorded.', waiting)
  }

  #gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect() {
        this.set(read())
      },
    })
  }
}
