import { DEFAULT_SCHEDULE_SECONDS } from '../domain/events/retry-schedule.ts'
import type { ConditionFinding } from '../domain/operating/condition.ts'
import { alertChannel } from '../engine/delivery/alert-channel.ts'
import { startAlertPlanner } from '../engine/delivery/alert-planner.ts'
import { type Channels, webhookChannel } from '../engine/delivery/channels.ts'
import { startDispatcher } from '../engine/delivery/dispatcher.ts'
import { emailChannel } from '../engine/delivery/email-channel.ts'
import { startMonitorNotices } from '../engine/delivery/monitor-notices.ts'
import { startNoticeFanOut } from '../engine/delivery/notice-fan-out.ts'
import { subscriberChannel } from '../engine/delivery/subscriber-channel.ts'
import { createOutbound } from '../outbound/create-outbound.ts'
import { createWebhookClients, type WebhookClients } from '../outbound/webhook-clients.ts'
import { DispatcherMetrics } from '../platform/metrics/dispatcher-metrics.ts'
import type { Part } from '../platform/process/lifecycle.ts'
import { PushKeys } from '../store/alerts/push-keys.ts'
import type { Database } from '../store/core/db.ts'
import { OrganizationSecrets } from '../store/core/organization-secrets.ts'
import { type Context, type Finder, openPool } from './context.ts'

const CONNECTIONS = 2
// Separate, so that reading email contents delays no claim.
const EMAIL_CONNECTIONS = 2
const ALERT_CONNECTIONS = 1
const NOTICE_CONNECTIONS = 1
const USER_AGENT = 'Upvane/1 (webhooks)'
const OVERDUE: ConditionFinding = {
  code: 'DELIVERIES_LATE',
  subject: '',
  message: 'Webhooks, alerts or emails were left waiting for a minute',
}

export function startDispatcherRole(context: Omit<Context, 'bus'>): {
  parts: Part[]
  findings: Finder
} {
  const { config, log, metrics, tracer, signal } = context
  const database = openPool(context, 'dispatcher', 'upvane_engine', CONNECTIONS)
  const { guard } = createOutbound({
    allowCidrs: config.webhookAllowCidrs,
    nat64Prefixes: config.nat64Prefixes,
    dnsServers: config.probeDnsServers,
    userAgent: USER_AGENT,
  })
  const clients = createWebhookClients(guard, {
    allowHttp: config.webhookAllowHttp,
    strangersAllow: config.subscriberAllowCidrs,
  })
  const secrets = new OrganizationSecrets(config.masterKeys)
  const email = startEmail(context, secrets)
  const channels: Channels = {
    ...createChannels(context, { database, secrets, clients }),
    ...(email && { EMAIL: email.channel }),
  }
  const given = config.webhookRetryScheduleSeconds
  const dispatcher = startDispatcher({
    database,
    channels,
    log,
    signal,
    metrics: new DispatcherMetrics(metrics.registry),
    tracer,
    scheduleSeconds: given.length > 0 ? given : DEFAULT_SCHEDULE_SECONDS,
  })
  const parts: Part[] = [
    { name: 'dispatcher database', stop: () => database.close() },
    { name: 'webhook connections', stop: () => clients.close() },
    ...startNotices(context, secrets),
    ...(email?.parts ?? []),
    ...startAlerts(context, secrets),
    { name: 'dispatcher', stop: dispatcher.stop },
  ]
  const findings = (): ConditionFinding[] => (dispatcher.isOverdue() ? [OVERDUE] : [])
  return { parts, findings }
}

type ChannelDeps = { database: Database; secrets: OrganizationSecrets; clients: WebhookClients }

function createChannels({ config, log }: Omit<Context, 'bus'>, deps: ChannelDeps): Channels {
  const { clients } = deps
  const { origins } = config.alerts
  return {
    WEBHOOK: webhookChannel({ ...deps, log }),
    ALERT: alertChannel({
      ...deps,
      origins,
      pushKeys: new PushKeys(config.masterKeys),
      pushSubject: pushSubjectOf(config),
    }),
    SUBSCRIBER: subscriberChannel({
      ...deps,
      client: clients.ofStrangers,
      slack: { client: clients.of({ privateTargets: true }), origin: origins.SLACK },
      statusBaseUrl: config.statusBaseUrl,
    }),
  }
}

/** Push services want to reach the operator of an installation that misbehaves. */
const pushSubjectOf = ({ securityContacts, baseUrl }: Context['config']): string =>
  securityContacts.find((contact) => /^(?:mailto|https):/.test(contact)) ?? baseUrl

function startAlerts(context: Omit<Context, 'bus'>, secrets: OrganizationSecrets): Part[] {
  const { config, log, signal } = context
  const { baseUrl, alerts } = config
  const database = openPool(context, 'alerts', 'upvane_engine', ALERT_CONNECTIONS)
  const timing = {
    holdMs: alerts.holdSeconds * 1000,
    togetherMs: alerts.togetherSeconds * 1000,
  }
  const planner = startAlertPlanner({ database, secrets, timing, baseUrl, log, signal })
  const notices = startMonitorNotices({ database, secrets, baseUrl, log })
  return [
    { name: 'alerts database', stop: () => database.close() },
    { name: 'planning alerts', stop: planner.stop },
    { name: 'notices about monitors', stop: notices.stop },
  ]
}

/** Also without a relay: not all subscribers are reached by email. */
function startNotices(context: Omit<Context, 'bus'>, secrets: OrganizationSecrets): Part[] {
  const database = openPool(context, 'notices', 'upvane_engine', NOTICE_CONNECTIONS)
  const { log, signal } = context
  const fanOut = startNoticeFanOut({ database, secrets, log, signal })
  return [
    { name: 'notices database', stop: () => database.close() },
    { name: 'telling subscribers', stop: fanOut.stop },
  ]
}

/** Undefined without a relay: emails are left to processes that have one. */
function startEmail(context: Omit<Context, 'bus'>, secrets: OrganizationSecrets) {
  const { config, log, metrics } = context
  const { smtp, statusBaseUrl } = config
  if (smtp === undefined) return undefined
  const database = openPool(context, 'mail', 'upvane_engine', EMAIL_CONNECTIONS)
  const onRelayFailed = () => metrics.mailFailures.inc({ kind: 'notification' })
  const channel = emailChannel({ database, secrets, smtp, statusBaseUrl, log, onRelayFailed })
  const parts: Part[] = [
    { name: 'mail database', stop: () => database.close() },
    { name: 'mail connections', stop: async () => channel.close() },
  ]
  return { channel, parts }
}
