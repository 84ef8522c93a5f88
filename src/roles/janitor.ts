import { startJanitor } from '../engine/janitor.ts'
import { JanitorMetrics } from '../platform/janitor-metrics.ts'
import type { Part } from '../platform/lifecycle.ts'
import { type Context, openPool } from './context.ts'

const CONNECTIONS = 2

export function startJanitorRole(context: Omit<Context, 'bus'>): Part[] {
  const { config, log, metrics } = context
  const database = openPool(context, 'janitor', 'upvane_engine', CONNECTIONS)
  const { resultRetentionDays } = config
  const janitor = startJanitor({
    database,
    log,
    metrics: new JanitorMetrics(metrics.registry),
    resultRetentionDays,
  })
  return [
    { name: 'janitor database', stop: () => database.close() },
    { name: 'janitor', stop: janitor.stop },
  ]
}
