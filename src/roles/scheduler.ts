import { hostname } from 'node:os'
import { Scheduler } from '../engine/scheduler.ts'
import { startWindowKeeper } from '../engine/window-keeper.ts'
import type { Part } from '../platform/lifecycle.ts'
import { SchedulerMetrics } from '../platform/scheduler-metrics.ts'
import { OrganizationSecrets } from '../store/organization-secrets.ts'
import { type Context, type NotReady, openPool } from './context.ts'

const CONNECTIONS = 8
// Of its own: edges of windows wait for no check, and no check for them.
const WINDOW_CONNECTIONS = 2

export async function startSchedulerRole(
  context: Context,
): Promise<{ parts: Part[]; notReady: NotReady }> {
  const { config, log, metrics, bus } = context
  const database = openPool(context, 'scheduler', 'upvane_engine', CONNECTIONS)
  const windowDatabase = openPool(context, 'windows', 'upvane_engine', WINDOW_CONNECTIONS)
  // Before the first check: what was to be covered while nobody looked is covered by then.
  const windows = await startWindowKeeper({ database: windowDatabase, log })
  const scheduler = new Scheduler({
    database,
    secrets: new OrganizationSecrets(config.masterKeys),
    bus,
    log,
    metrics: new SchedulerMetrics(metrics.registry),
    name: `${hostname()} ${process.pid}`,
    region: config.region,
    leaseSeconds: config.shardLeaseSeconds,
  })
  await scheduler.start()
  return {
    parts: [
      { name: 'window database', stop: () => windowDatabase.close() },
      { name: 'windows', stop: windows.stop },
      { name: 'scheduler database', stop: () => database.close() },
      { name: 'scheduler', stop: () => scheduler.stop() },
    ],
    notReady: () => (scheduler.isOverdue() ? 'a slot is overdue by two intervals' : undefined),
  }
}
