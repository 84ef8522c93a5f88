// The server for operators and their tools: health, metrics, and which names may get a certificate.
import { createInternalServer } from '../api/http/internal-server.ts'
import type { Condition } from '../domain/operating/condition.ts'
import { startClockWatch } from '../engine/self-watch/clock-watch.ts'
import { listen, type Part } from '../platform/process/lifecycle.ts'
import { isReachable } from '../store/history/retention.ts'
import { findPublicPage } from '../store/status-pages/snapshots.ts'
import { warnOfTooManyConnections } from './connection-budget.ts'
import { type Context, type NotReady, openPool } from './context.ts'

// Its own connection: a busy pool must not make a process look dead.
const READINESS_CONNECTIONS = 1
// Certificate lookups happen for every name that strangers try: they must not make a process look dead either.
const DOMAIN_CONNECTIONS = 1

type InternalServerOptions = {
  withDatabase: boolean
  notReady: readonly NotReady[]
  conditions(): readonly Condition[]
}

export async function startInternalServer(
  context: Pick<Context, 'config' | 'log' | 'metrics' | 'signal'>,
  { withDatabase, notReady, conditions }: InternalServerOptions,
): Promise<Part> {
  const { config, metrics } = context
  const database = openPool(context, 'readiness', 'upvane_app', READINESS_CONNECTIONS)
  const domains = openPool(context, 'domains', 'upvane_app', DOMAIN_CONNECTIONS)
  if (withDatabase) await warnOfTooManyConnections(context, database)
  const clock = withDatabase
    ? startClockWatch(database, (seconds) => metrics.clockOffset.set(seconds))
    : undefined
  const readiness = async () => {
    const reasons = notReady.flatMap((reason) => reason() ?? [])
    if (withDatabase && !(await isReachable(database))) reasons.push('the database does not answer')
    const shown = conditions().map(({ code, message, since }) => ({ code, message, since }))
    // `troubles` is their name of the version before, for what still reads it.
    return { ready: reasons.length === 0, reasons, conditions: shown, troubles: shown }
  }
  const ownHosts = [config.baseUrl, config.statusBaseUrl].map((url) => new URL(url).hostname)
  const isDomain = async (domain: string) =>
    ownHosts.includes(domain) ||
    (withDatabase && (await findPublicPage(domains, { domain })) !== undefined)
  const server = createInternalServer(metrics.registry, readiness, isDomain)
  const { internalHost: host, internalPort: port } = config
  const part = await listen('internal', server, { host, port })
  return {
    name: 'internal',
    async stop() {
      await part.stop()
      await clock?.stop()
      await Promise.all([database.close(), domains.close()])
    },
  }
}
