import { startErasures } from '../engine/janitor/erase-due.ts'
import { startJanitor } from '../engine/janitor/janitor.ts'
import { createOutbound } from '../outbound/create-outbound.ts'
import { JanitorMetrics } from '../platform/metrics/janitor-metrics.ts'
import type { Part } from '../platform/process/lifecycle.ts'
import { type Context, openPool } from './context.ts'

const CONNECTIONS = 2
const USER_AGENT = 'Upvane/1 (custom domains)'

export function startJanitorRole(context: Omit<Context, 'bus'>): Part[] {
  const { config, log, metrics } = context
  const database = openPool(context, 'janitor', 'upvane_engine', CONNECTIONS)
  const { resultRetentionDays, auditRetentionDays } = config
  const janitor = startJanitor({
    database,
    log,
    metrics: new JanitorMetrics(metrics.registry),
    resultRetentionDays,
    auditRetentionDays,
    // It only resolves names, which needs no private network.
    outbound: createOutbound({
      allowCidrs: [],
      dnsServers: config.probeDnsServers,
      userAgent: USER_AGENT,
    }),
  })
  const erasures = startErasures({ database, log })
  return [
    { name: 'janitor database', stop: () => database.close() },
    { name: 'janitor', stop: janitor.stop },
    { name: 'erasures', stop: erasures.stop },
  ]
}
