// The janitor's tasks. Each works in small batches with pauses, so that checks never wait for it, and stops at a limit:
// the next round handles the rest.
import type { Outbound } from '../../outbound/outbound-connection.ts'
import type { JanitorMetrics } from '../../platform/metrics/janitor-metrics.ts'
import type { Log } from '../../platform/observability/log.ts'
import { forgetDayUsage } from '../../store/core/day-usage.ts'
import type { Database } from '../../store/core/db.ts'
import { deleteOldLogLines } from '../../store/core/operator-log.ts'
import { purgeDeleted } from '../../store/history/purge.ts'
import {
  deleteExpiredResponses,
  dropExpiredPartition,
  ensurePartitions,
  measureDatabase,
  type PartitionedTable,
  removeExpiredHistory,
} from '../../store/history/retention.ts'
import {
  buildDays,
  buildHours,
  type RollupResult,
  rebuildLate,
  rollupLagSeconds,
} from '../../store/history/rollups.ts'
import { recordDatabaseSize } from '../../store/operating/installation/database-sizes.ts'
import { claimSurplus, findGrown, removeSurplus } from '../../store/operating/surplus.ts'
import { checkDomains } from '../probing/domain-check.ts'
import { packDays } from './pack-days.ts'
import { forgetPeople } from './people-retention.ts'
import { forgetSubscribers } from './subscriber-retention.ts'

export type TaskDeps = {
  database: Database
  log: Log
  metrics: JanitorMetrics
  resultRetentionDays: number
  auditRetentionDays: number
  /** To look up custom domains. */
  outbound?: Outbound | undefined
  /** Waits, or returns immediately when the janitor is stopping. */
  pause(ms: number): Promise<void>
  stopping(): boolean
}

export type Task = { name: string; run(deps: TaskDeps): Promise<void> }

const DAYS_AHEAD = 7
const EVENT_RETENTION_DAYS = 30
// They are several for each check, and are not packed.
const REGION_RETENTION_DAYS = 7
const MAX_DROPS = 50
const ROWS = 5_000
const MAX_RESPONSE_BATCHES = 200
const MAX_LOG_BATCHES = 100
// A deleted incident takes its timeline and evidence along.
const SURPLUS_ROWS = 500
const MAX_SURPLUS_BATCHES = 1_000
const GROWN_SECONDS = 2 * 3_600
const PAUSE_MS = 50

// About 60,000 results per batch of hours or days; a late hour may require rebuilding its whole day.
const MONITORS_PER_HOUR_BATCH = 1_000
const MONITORS_PER_DAY_BATCH = 50
const LATE_HOURS_PER_BATCH = 200
const MAX_BUILDS = 1_000

// Three million rows, or 60,000 monitors, per round.
const MAX_PURGES = 600
const MONITORS_PER_PURGE = 100
// Longer than any statement may run.
const DELETED_GRACE_SECONDS = 30

const MONITORS_PER_RETENTION_BATCH = 200
const MAX_RETENTION_BATCHES = 600

/** The order matters: results are rolled up before they are dropped, and dropped before they would be packed. */
export const TASKS: readonly Task[] = [
  { name: 'partitions', run: createPartitions },
  { name: 'rollups', run: rollUp },
  { name: 'drops', run: dropPartitions },
  { name: 'packing', run: packDays },
  { name: 'deleted_monitors', run: purge },
  { name: 'retention', run: retain },
  { name: 'subscribers', run: forgetSubscribers },
  { name: 'people', run: forgetPeople },
  { name: 'custom_domains', run: checkDomains },
  { name: 'measures', run: measure },
  { name: 'stored_answers', run: forgetStoredResponses },
  { name: 'audit_log', run: forgetLogLines },
]

async function createPartitions({ database, log }: TaskDeps): Promise<void> {
  const made = await ensurePartitions(database, DAYS_AHEAD)
  if (made > 0) log.info({ made }, 'partitions made')
}

/** A task of its own, so that it still reports when partitions cannot be created. */
async function measure({ database, metrics }: TaskDeps): Promise<void> {
  const measured = await measureDatabase(database)
  metrics.measured(measured)
  await database.transaction(undefined, (tx) => recordDatabaseSize(tx, measured.sizeBytes))
}

async function rollUp(deps: TaskDeps): Promise<void> {
  const { database, metrics } = deps
  await buildAll(deps, () => buildHours(database, MONITORS_PER_HOUR_BATCH))
  await buildAll(deps, () => rebuildLate(database, LATE_HOURS_PER_BATCH))
  await buildAll(deps, () => buildDays(database, MONITORS_PER_DAY_BATCH))
  metrics.rollupLag(await rollupLagSeconds(database))
}

async function buildAll(deps: TaskDeps, build: () => Promise<RollupResult>): Promise<void> {
  for (let batch = 0; batch < MAX_BUILDS && !deps.stopping(); batch++) {
    const { idle, rows } = await build()
    deps.metrics.built(rows)
    if (idle) return
    // After a start there are many hours without checks, and they cost nothing.
    if (rows > 0) await deps.pause(PAUSE_MS)
  }
}

async function dropPartitions(deps: TaskDeps): Promise<void> {
  const { resultRetentionDays } = deps
  await dropOf(deps, 'results', resultRetentionDays)
  await dropOf(deps, 'result_packs', resultRetentionDays)
  await dropOf(deps, 'region_results', Math.min(resultRetentionDays, REGION_RETENTION_DAYS))
  await dropOf(deps, 'heartbeat_calls', resultRetentionDays)
  // Attempts are dropped before their deliveries, and deliveries before their events.
  for (const table of ['attempts', 'deliveries', 'events'] as const)
    await dropOf(deps, table, EVENT_RETENTION_DAYS)
}

async function dropOf(deps: TaskDeps, table: PartitionedTable, keepDays: number): Promise<void> {
  const { database, log, metrics } = deps
  for (let drops = 0; drops < MAX_DROPS && !deps.stopping(); drops++) {
    const outcome = await dropExpiredPartition(database, table, keepDays)
    if (outcome === undefined) return
    metrics.partition(outcome.dropped)
    log.info(outcome, outcome.dropped ? 'partition dropped' : 'partition in use, drop put off')
    if (!outcome.dropped) return
    await deps.pause(PAUSE_MS)
  }
}

async function purge(deps: TaskDeps): Promise<void> {
  const { database, log, metrics } = deps
  const bounds = { monitors: MONITORS_PER_PURGE, rows: ROWS }
  let removed = 0
  for (let batch = 0; batch < MAX_PURGES && !deps.stopping(); batch++) {
    const purged = await purgeDeleted(database, bounds, DELETED_GRACE_SECONDS)
    if (purged === undefined) break
    removed += purged.removed
    metrics.removed('deleted_monitors', purged.removed)
    if (purged.removed > 0) await deps.pause(PAUSE_MS)
  }
  if (removed > 0) log.info({ removed }, 'rows of deleted monitors removed')
}

async function retain(deps: TaskDeps): Promise<void> {
  const { database, log, metrics } = deps
  let removed = 0
  for (let batch = 0; batch < MAX_RETENTION_BATCHES && !deps.stopping(); batch++) {
    const outlived = await removeExpiredHistory(database, MONITORS_PER_RETENTION_BATCH, ROWS)
    removed += outlived.removed
    metrics.removed('retention', outlived.removed)
    if (outlived.finished) break
    if (outlived.removed > 0) await deps.pause(PAUSE_MS)
  }
  if (removed > 0) log.info({ removed }, 'history beyond its plan removed')
  if (!(await claimSurplus(database))) return
  await removeSurplusOf(deps, 'incidents', 'retention')
  await removeSurplusOf(deps, 'auditEntries', 'audit_log')
}

/** Looks back far enough to see what an earlier one could not finish. */
async function removeSurplusOf(
  deps: TaskDeps,
  kind: 'auditEntries' | 'incidents',
  task: string,
): Promise<void> {
  const { database, log, metrics } = deps
  let removed = 0
  let batches = 0
  for (const grown of await findGrown(database, kind, GROWN_SECONDS)) {
    for (let count = SURPLUS_ROWS; count === SURPLUS_ROWS; ) {
      if (deps.stopping() || ++batches > MAX_SURPLUS_BATCHES) break
      count = await removeSurplus(database, kind, grown, SURPLUS_ROWS)
      removed += count
      if (count > 0) await deps.pause(PAUSE_MS)
    }
  }
  metrics.removed(task, removed)
  if (removed > 0) log.info({ removed, kind }, 'the oldest beyond the plan removed')
}

async function forgetStoredResponses({
  database,
  log,
  metrics,
  stopping,
}: TaskDeps): Promise<void> {
  let forgotten = 0
  for (let batch = 0; batch < MAX_RESPONSE_BATCHES && !stopping(); batch++) {
    const count = await deleteExpiredResponses(database, ROWS)
    forgotten += count
    if (count < ROWS) break
  }
  await forgetDayUsage(database, ROWS)
  metrics.removed('stored_answers', forgotten)
  if (forgotten > 0) log.info({ forgotten }, 'stored answers forgotten')
}

async function forgetLogLines(deps: TaskDeps): Promise<void> {
  const { database, log, metrics, auditRetentionDays } = deps
  let forgotten = 0
  for (let batch = 0; batch < MAX_LOG_BATCHES && !deps.stopping(); batch++) {
    const count = await deleteOldLogLines(database, auditRetentionDays, ROWS)
    forgotten += count
    if (count < ROWS) break
    await deps.pause(PAUSE_MS)
  }
  metrics.removed('audit_log', forgotten)
  if (forgotten > 0) log.info({ forgotten }, 'old audit lines removed')
}
