// Starts and ends maintenance windows. Any number may run: the first to lock a window advances it, and the others find
// it done.
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
// Windows are promised to start and end within this time.
const PROMISED_MS = 5_000

/** Resolves after the first round, so that checks started afterwards know which windows cover them. */
export async function startWindowScheduler(deps: WindowSchedulerDeps): Promise<Loop> {
  const onError = (err: unknown) => deps.log.error({ err }, 'window edges not looked at')
  await round(deps).catch(onError)
  return every(ROUND_MS, () => watched('maintenance windows', () => round(deps)), onError)
}

/** First starts and ends, in batches. Then, one by one, windows to be covered and those that made a batch fail. */
async function round(deps: WindowSchedulerDeps): Promise<void> {
  const { database, log } = deps
  // Outside of a transaction: nearly always there is nothing to do.
  if ((await findDueWindows(database, 1)).length === 0) return
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
