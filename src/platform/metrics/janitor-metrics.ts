// Shows operators whether history is maintained.
import { Counter, Gauge, type Registry } from 'prom-client'

export class JanitorMetrics {
  readonly #lastOk: Gauge
  readonly #failed: Counter
  readonly #removed: Counter
  readonly #dropped: Counter
  readonly #postponed: Counter
  readonly #built: Counter
  readonly #rollupLag: Gauge
  readonly #packed: Counter
  readonly #database: ReturnType<typeof databaseGauges>

  constructor(registry: Registry) {
    const registers = [registry]
    const labelNames = ['task']
    this.#database = databaseGauges(registry)
    this.#lastOk = new Gauge({
      name: 'upvane_janitor_last_ok_timestamp_seconds',
      help: 'When each task of the janitor last ended well.',
      labelNames,
      registers,
    })
    this.#failed = new Counter({
      name: 'upvane_janitor_failures_total',
      help: 'Rounds in which a task of the janitor failed.',
      labelNames,
      registers,
    })
    this.#removed = new Counter({
      name: 'upvane_janitor_removed_rows_total',
      help: 'Rows removed one by one.',
      labelNames,
      registers,
    })
    this.#dropped = new Counter({
      name: 'upvane_janitor_dropped_partitions_total',
      help: 'Partitions dropped because of their age, or because they are packed.',
      registers,
    })
    this.#postponed = new Counter({
      name: 'upvane_janitor_postponed_drops_total',
      help: 'Drops put off to the next round because somebody was reading.',
      registers,
    })
    this.#built = new Counter({
      name: 'upvane_janitor_rollup_rows_total',
      help: 'Rows of hours and days written.',
      registers,
    })
    this.#packed = new Counter({
      name: 'upvane_janitor_packed_results_total',
      help: 'Results of finished days packed.',
      registers,
    })
    this.#rollupLag = new Gauge({
      name: 'upvane_janitor_rollup_lag_seconds',
      help: 'Age of the oldest hour that is not rolled up; 4200 to 7800 is usual.',
      registers,
    })
  }

  measured({ sizeBytes, daysAhead }: { sizeBytes: number; daysAhead: number }): void {
    this.#database.size.set(sizeBytes)
    this.#database.daysAhead.set(daysAhead)
  }

  ended(task: string, at: Date): void {
    this.#lastOk.set({ task }, at.getTime() / 1000)
  }

  failed(task: string): void {
    this.#failed.inc({ task })
  }

  removed(task: string, rows: number): void {
    this.#removed.inc({ task }, rows)
  }

  partition(dropped: boolean): void {
    if (dropped) this.#dropped.inc()
    else this.#postponed.inc()
  }

  built(rows: number): void {
    this.#built.inc(rows)
  }

  packed(results: number): void {
    this.#packed.inc(results)
  }

  rollupLag(seconds: number): void {
    this.#rollupLag.set(seconds)
  }
}

function databaseGauges(registry: Registry) {
  const registers = [registry]
  return {
    size: new Gauge({
      name: 'upvane_database_size_bytes',
      help: 'Size of the database on disk.',
      registers,
    }),
    daysAhead: new Gauge({
      name: 'upvane_partition_days_ahead',
      help: 'Days after today that have all their partitions; 7 is usual, at -1 writes fail.',
      registers,
    }),
  }
}
