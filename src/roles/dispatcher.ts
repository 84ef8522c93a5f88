import { DEFAULT_SCHEDULE_SECONDS } from '../domain/retry-schedule.ts'
import { startDispatcher } from '../engine/dispatcher.ts'
import { createOutbound } from '../outbound/create-outbound.ts'
import { WebhookClient } from '../outbound/webhook-client.ts'
import { DispatcherMetrics } from '../platform/dispatcher-metrics.ts'
import type { Part } from '../platform/lifecycle.ts'
import { OrganizationSecrets } from '../store/organization-secrets.ts'
import { type Context, openPool } from './context.ts'

const CONNECTIONS = 2
const USER_AGENT = 'Upvane/1 (webhooks)'

export function startDispatcherRole(context: Omit<Context, 'bus'>): Part[] {
  const { config, log, metrics } = context
  const database = openPool(context, 'dispatcher', 'upvane_engine', CONNECTIONS)
  const { guard } = createOutbound({
    allowCidrs: config.webhookAllowCidrs,
    dnsServers: config.probeDnsServers,
    userAgent: USER_AGENT,
  })
  const client = new WebhookClient({ guard, allowHttp: config.webhookAllowHttp })
  const given = config.webhookRetryScheduleSeconds
  const dispatcher = startDispatcher({
    database,
    secrets: new OrganizationSecrets(config.masterKeys),
    client,
    log,
    metrics: new DispatcherMetrics(metrics.registry),
    scheduleSeconds: given.length > 0 ? given : DEFAULT_SCHEDULE_SECONDS,
  })
  return [
    { name: 'dispatcher database', stop: () => database.close() },
    { name: 'webhook connections', stop: () => client.close() },
    { name: 'dispatcher', stop: dispatcher.stop },
  ]
}
