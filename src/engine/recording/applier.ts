// Collects finished checks and records them in batches, one transaction each. While the database is unavailable,
// results wait here. A batch that fails on its data is halved until the bad result is found.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type RecordDeps, recordResults } from '../../actions/results/record.ts'
import type { ResultWrite } from '../../actions/results/result-batch.ts'
import { Batcher } from '../../platform/limits/batcher.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import { isDataError } from '../../store/core/db.ts'
import { type Lease, LeaseLost } from '../../store/core/leases.ts'
import type { EngineMonitor } from '../../store/monitors/states.ts'

type ApplierDeps = RecordDeps & {
  log: Log
  lease(): Lease | undefined
  onLeaseLost(): Promise<void>
  onApplied(batch: { results: number; ms: number }): void
}

/** `settle` gets the monitor after the write, or undefined if it was deleted or its shard moved. */
type Waiting = {
  write: ResultWrite
  /** The lease the check was run under. */
  lease: Lease | undefined
  settle(monitor: EngineMonitor | undefined): void
}

// Two batches at a time: one is prepared here while the database writes the other.
const BATCHING = {
  gatherMs: 15,
  gatherMoreMs: 35,
  maxBatch: 500,
  backlogThreshold: 500,
  maxConcurrent: 2,
}
// Each settled result starts work of its own. Hundreds at once would delay checks that are due.
const SETTLED_AT_ONCE = 50
const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2000

export class Applier {
  readonly #deps: ApplierDeps
  readonly #batcher = new Batcher<Waiting>({
    ...BATCHING,
    work: (batch) => watched('apply results', () => this.#applyUntilDone(batch)),
  })

  /** In order of arrival. */
  readonly #pending = new Set<{ atMs: number }>()

  constructor(deps: ApplierDeps) {
    this.#deps = deps
  }

  get waiting(): number {
    return this.#batcher.waiting
  }

  /** How long the oldest result has been waiting to be recorded. */
  get waitingMs(): number {
    const [oldest] = this.#pending
    return oldest === undefined ? 0 : performance.now() - oldest.atMs
  }

  async record(write: ResultWrite): Promise<EngineMonitor | undefined> {
    const begun = { atMs: performance.now() }
    this.#pending.add(begun)
    try {
      return await new Promise((settle) =>
        this.#batcher.add({ write, lease: this.#deps.lease(), settle }),
      )
    } finally {
      this.#pending.delete(begun)
    }
  }

  drained(): Promise<void> {
    return this.#batcher.drained()
  }

  async #applyUntilDone(batch: readonly Waiting[]): Promise<void> {
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      try {
        return await this.#apply(batch)
      } catch (error) {
        if (error instanceof LeaseLost) return this.#abandon(batch)
        // A RangeError is a number that fits no column, rejected before it is sent.
        if (isDataError(error) || error instanceof RangeError) return this.#divide(batch, error)
        this.#deps.log.warn(
          { err: error, results: batch.length, retryMs },
          'results wait for the database',
        )
        await delay(retryMs)
      }
    }
  }

  async #apply(all: readonly Waiting[]): Promise<void> {
    const lease = this.#deps.lease()
    // If the lease was lost while results waited, another process runs their slots or writes them off. Recording them
    // here would record the slots twice.
    for (const { lease: own, settle } of all) if (own !== lease) settle(undefined)
    const batch = all.filter(({ lease: own }) => own === lease)
    if (batch.length === 0) return
    if (lease === undefined) return this.#abandon(batch)
    const startedMs = performance.now()
    const writes = batch.map(({ write }) => write)
    const monitors = await recordResults(this.#deps, lease, writes)
    this.#deps.onApplied({ results: batch.length, ms: performance.now() - startedMs })
    for (const [i, { write, settle }] of batch.entries()) {
      if (i > 0 && i % SETTLED_AT_ONCE === 0) await nextTurn()
      settle(monitors.get(write.monitorNo))
    }
  }

  /** The slots are still due in the database; the new owners of the shards run them. */
  async #abandon(batch: readonly Waiting[]): Promise<void> {
    for (const { settle } of batch) settle(undefined)
    await this.#deps.onLeaseLost()
  }

  async #divide(batch: readonly Waiting[], error: unknown): Promise<void> {
    const [first] = batch
    if (batch.length === 1 && first !== undefined) return this.#giveUp(first, error)
    const half = Math.ceil(batch.length / 2)
    await this.#applyUntilDone(batch.slice(0, half))
    await this.#applyUntilDone(batch.slice(half))
  }

  /** Records the slot as undecided, so that it does not stay due forever. */
  async #giveUp({ write, lease, settle }: Waiting, error: unknown): Promise<void> {
    const { monitorNo, undecided } = write
    this.#deps.log.error({ err: error, monitorNo }, 'result cannot be recorded')
    if (undecided === undefined) return settle(undefined)
    await this.#applyUntilDone([{ write: undecided(), lease, settle }])
  }
}
