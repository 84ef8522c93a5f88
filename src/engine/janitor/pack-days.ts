// Packs the results of finished days, and drops the rows they were packed from an hour later: by then no statement and no
// dump that began before still needs them.
import { FIRST_BATCH_ROWS, nextBatchRows } from '../../domain/operating/batch-size.ts'
import type { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { dropPackedRows, packResults } from '../../store/history/packing.ts'

type Deps = {
  database: Database
  log: Log
  metrics: JanitorMetrics
  pause(ms: number): Promise<void>
  stopping(): boolean
}

// Other tasks wait that long. At 200,000 results per second it is enough for some five billion a day.
const MAX_PACKING_MS = 30_000
const MAX_BATCHES = 10_000
const PAUSE_MS = 50
const GRACE_SECONDS = 3600
const MAX_DROPS = 50

export async function packDays(deps: Deps): Promise<void> {
  const { database, log, metrics } = deps
  const endMs = performance.now() + MAX_PACKING_MS
  let rows = FIRST_BATCH_ROWS
  for (let batch = 0; batch < MAX_BATCHES && !deps.stopping(); batch++) {
    const startedMs = performance.now()
    if (startedMs > endMs) break
    const { idle, results, published } = await packResults(database, rows)
    if (idle) break
    rows = nextBatchRows(rows, performance.now() - startedMs)
    metrics.packed(results)
    if (published) log.info({ day: published.toISOString().slice(0, 10) }, 'results packed')
    // Days without checks cost nothing.
    if (results > 0) await deps.pause(PAUSE_MS)
  }
  await dropRows(deps)
}

async function dropRows({ database, log, metrics, pause, stopping }: Deps): Promise<void> {
  for (let drops = 0; drops < MAX_DROPS && !stopping(); drops++) {
    const outcome = await dropPackedRows(database, GRACE_SECONDS)
    if (outcome === undefined) return
    metrics.partition(outcome.dropped)
    log.info(outcome, outcome.dropped ? 'packed rows dropped' : 'packed rows in use, drop put off')
    if (!outcome.dropped) return
    await pause(PAUSE_MS)
  }
}
