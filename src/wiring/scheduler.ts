import { hostname } from 'node:os'
import type { ConditionFinding } from '../domain/operating/condition.ts'
import { areInconclusive } from '../domain/operating/self-watch.ts'
import { startWindowScheduler } from '../engine/janitor/window-scheduler.ts'
import { ProbeConduct } from '../engine/probing/probe-conduct.ts'
import { Scheduler } from '../engine/scheduling/scheduler.ts'
import { startProbeWatch } from '../engine/self-watch/probe-watch.ts'
import { SchedulerMetrics } from '../platform/metrics/scheduler-metrics.ts'
import type { Part } from '../platform/process/lifecycle.ts'
import { OrganizationSecrets } from '../store/core/organization-secrets.ts'
import { shrinkPool } from './connection-budget.ts'
import { type Context, type Finder, openPool } from './context.ts'

const CONNECTIONS = 8
// Separate: window starts and ends do not wait for checks, nor checks for them.
const WINDOW_CONNECTIONS = 2
// A check that waits longer is late.
const MAX_LATE_MS = 15_000

export async function startSchedulerRole(
  context: Context,
): Promise<{ parts: Part[]; findings: Finder }> {
  const { config, log, metrics, tracer, bus, version, signal } = context
  const connections = shrinkPool(CONNECTIONS, config)
  const database = openPool(context, 'scheduler', 'upvane_engine', connections)
  const windowDatabase = openPool(context, 'windows', 'upvane_engine', WINDOW_CONNECTIONS)
  // Before the first check, so that windows that were due while no scheduler ran already apply.
  const windows = await startWindowScheduler({ database: windowDatabase, log })
  const conduct = new ProbeConduct(version)
  const scheduler = new Scheduler({
    database,
    secrets: new OrganizationSecrets(config.masterKeys),
    bus,
    log,
    metrics: new SchedulerMetrics(metrics.registry),
    tracer,
    name: `${hostname()} ${process.pid}`,
    region: config.region,
    leaseSeconds: config.shardLeaseSeconds,
    conduct,
    signal,
    egressDoubtMs: config.egressDoubtSeconds * 1000,
  })
  await scheduler.start()
  const probes = await startProbeWatch({ bus, database, log })
  const lateMs = Math.min(MAX_LATE_MS, config.selfWatch.lateSeconds * 1000)
  return {
    parts: [
      { name: 'window database', stop: () => windowDatabase.close() },
      { name: 'windows', stop: windows.stop },
      { name: 'scheduler database', stop: () => database.close() },
      { name: 'scheduler', stop: () => scheduler.stop() },
      { name: 'probe watch', stop: probes.stop },
    ],
    findings: () => [
      ...probes.findings(),
      ...conduct.findings(performance.now()),
      ...checkFindings(scheduler, lateMs),
    ],
  }
}

function checkFindings(scheduler: Scheduler, lateMs: number): ConditionFinding[] {
  const { decided, inconclusive } = scheduler.tally.recent(performance.now())
  const isLate = scheduler.isOverdue() || scheduler.lateMs() > lateMs
  return [
    ...(isLate ? [toFinding('CHECKS_LATE', 'Checks are late')] : []),
    ...(areInconclusive({ decided, inconclusive })
      ? [toFinding('CHECKS_INCONCLUSIVE', 'More than half of the checks are inconclusive')]
      : []),
  ]
}

const toFinding = (code: ConditionFinding['code'], message: string) => ({
  code,
  subject: '',
  message,
})
