// Looks after the edges of maintenance windows. Any number of these may run: whoever locks a window first
// turns its edge, and the others find it turned.
import { advanceEdges, advanceWindow } from '../../actions/maintenance/advance-windows.ts'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { findDueWindows } from '../../store/maintenance/edges.ts'
import { every, type Loop } from '../every.ts'

type WindowSchedulerDeps = { database: Database; log: Log }

const ROUND_MS = 1_000
const EDGES_PER_BATCH = 100
const MAX_BATCHES = 100
const WINDOWS_PER_ROUND = 500
// Starts and ends are promised within this.
const PROMISED_MS = 5_000

/** The first round is over when it resolves: checks that start after it find what covers them. */
export async function startWindowScheduler(deps: WindowSchedulerDeps): Promise<Loop> {
  const onError = (err: unknown) => deps.log.error({ err }, 'window edges not looked at')
  await round(deps).catch(onError)
  return every(ROUND_MS, () => watched('maintenance windows', () => round(deps)), onError)
}

/** Starts and ends first, many at once. Then what is to be covered, and what made a batch fail, one by one. */
async function round(deps: WindowSchedulerDeps): Promise<void> {
  const { database, log } = deps
  await turnBatches(deps).catch((err: unknown) => log.error({ err }, 'window edges not turned'))
  for (const key of await findDueWindows(database, WINDOWS_PER_ROUND))
    await advanceWindow(database, key).catch((err: unknown) =>
      log.error({ err, windowId: key.uuid }, 'window not turned'),
    )
}

async function turnBatches({ database, log }: WindowSchedulerDeps): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const { windows, behindMs } = await advanceEdges(database, EDGES_PER_BATCH)
    if (behindMs > PROMISED_MS) log.warn({ windows, behindMs }, 'window edges turned late')
    if (windows < EDGES_PER_BATCH) return
  }
}
