// The server's connection limits, with metrics and warnings for the operator.
import { proxyTest } from '../api/http/client-address.ts'
import { limitConnections } from '../api/http/connection-limit.ts'
import type { Context } from './context.ts'

const WARN_EVERY_MS = 60_000
const ADVICE = 'if it is your proxy, add it to TRUSTED_PROXIES'

type Server = Parameters<typeof limitConnections>[0]

export function limitServerConnections(server: Server, { config, log, metrics }: Context): void {
  let warnedMs = Number.NEGATIVE_INFINITY
  limitConnections(server, {
    max: config.limits.connections,
    maxPerNetwork: config.limits.connectionsPerNetwork,
    isProxy: proxyTest(config.trustedProxies),
    onRefused(network) {
      metrics.connectionsRefused.inc({ limit: network === undefined ? 'PROCESS' : 'NETWORK' })
      if (performance.now() - warnedMs < WARN_EVERY_MS) return
      warnedMs = performance.now()
      if (network === undefined) log.warn('too many connections are open: new ones are refused')
      else log.warn({ network }, `too many connections from one network: ${ADVICE}`)
    },
  })
}
