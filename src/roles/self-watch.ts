// Who hears how the installation itself is doing. Both ways are the operator's own, so they may lead anywhere.
import { operatorMail } from '../engine/operator-mail.ts'
import { type SelfWatchDeps, startSelfWatch } from '../engine/self-watch.ts'
import { callAddress } from '../outbound/call-address.ts'
import { createOutbound } from '../outbound/create-outbound.ts'
import type { Part } from '../platform/lifecycle.ts'
import { SelfWatchMetrics } from '../platform/self-watch-metrics.ts'
import { type Context, type NotReady, openPool } from './context.ts'

const USER_AGENT = 'Upvane/1 (self-watch)'
const EVERYWHERE = ['0.0.0.0/0', '::/0']

/** Beside the janitor. `notReady` is what the roles of the same process say of themselves. */
export function startSelfWatchRole(
  context: Omit<Context, 'bus'>,
  notReady: readonly NotReady[],
): Part[] {
  const { config, log, metrics } = context
  const { everySeconds, lateSeconds } = config.selfWatch
  const database = openPool(context, 'self_watch', 'upvane_engine', 1)
  const mail = operatorMail(config, log, () => metrics.mailFailures.inc({ kind: 'operator' }))
  const watch = startSelfWatch({
    database,
    log,
    metrics: new SelfWatchMetrics(metrics.registry),
    everySeconds,
    lateSeconds,
    ownTroubles: () => notReady.flatMap((reason) => reason() ?? []),
    call: caller(context),
    tell: mail?.tell,
  })
  return [
    { name: 'self-watch database', stop: () => database.close() },
    ...(mail ? [{ name: 'operator mail', stop: async () => mail.close() }] : []),
    { name: 'self-watch', stop: watch.stop },
  ]
}

function caller({ config }: Omit<Context, 'bus'>): SelfWatchDeps['call'] {
  const { heartbeatUrl } = config.selfWatch
  if (heartbeatUrl === undefined) return undefined
  const { probeDnsServers: dnsServers } = config
  const { guard } = createOutbound({ allowCidrs: EVERYWHERE, dnsServers, userAgent: USER_AGENT })
  const url = new URL(heartbeatUrl)
  const failUrl = new URL(url)
  failUrl.pathname = `${url.pathname.replace(/\/$/, '')}/fail`
  return async (signal, troubles) => {
    const status = await callAddress(guard, signal === 'WELL' ? url : failUrl, troubles.join('\n'))
    if (status < 200 || status > 299) throw new Error(`The heartbeat was answered with ${status}`)
  }
}
