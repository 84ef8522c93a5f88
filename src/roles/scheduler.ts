import { hostname } from 'node:os'
import { Scheduler } from '../engine/scheduler.ts'
import type { Part } from '../platform/lifecycle.ts'
import { SchedulerMetrics } from '../platform/scheduler-metrics.ts'
import { OrganizationSecrets } from '../store/organization-secrets.ts'
import { type Context, type NotReady, openPool } from './context.ts'

const CONNECTIONS = 8

export async function startSchedulerRole(
  context: Context,
): Promise<{ parts: Part[]; notReady: NotReady }> {
  const { config, log, metrics, bus } = context
  const database = openPool(context, 'scheduler', 'upvane_engine', CONNECTIONS)
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
      { name: 'scheduler database', stop: () => database.close() },
      { name: 'scheduler', stop: () => scheduler.stop() },
    ],
    notReady: () => (scheduler.isOverdue() ? 'a slot is overdue by two intervals' : undefined),
  }
}
