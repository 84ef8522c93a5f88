import { hostname } from 'node:os'
import type { Bus } from '../bus/bus.ts'
import { createLocalBus } from '../bus/local-bus.ts'
import { openNatsBus } from '../bus/nats-bus.ts'
import { allowsAnonymousAccess } from '../bus/nats-options.ts'
import type { Config } from '../platform/config/config.ts'
import type { Log } from '../platform/observability/log.ts'

/** Between processes if NATS is configured, otherwise within this process. */
export async function openBus(config: Config, log: Log): Promise<Bus> {
  const { natsUrl, natsCaFile, natsCredsFile, natsIdentity } = config
  const onError = (err: unknown) => log.warn({ err }, 'bus trouble')
  if (natsUrl === undefined) return createLocalBus({ onError })
  const signedIn = {
    ...(natsCredsFile === undefined ? {} : { credsFile: natsCredsFile }),
    ...(natsIdentity === undefined ? {} : { identity: natsIdentity }),
    ...(natsIdentity?.ca ? { ca: natsIdentity.ca } : {}),
  }
  if (allowsAnonymousAccess({ url: natsUrl, ...signedIn }))
    log.warn(
      'NATS_URL has no user: anyone who can reach that server can read check jobs, with the credentials ' +
        'of their monitors, and send jobs. Set users and passwords: docs/operating.md',
    )
  return openNatsBus({
    url: natsUrl,
    ...signedIn,
    ...(natsCaFile === undefined ? {} : { caFile: natsCaFile }),
    name: `upvane ${hostname()} ${process.pid}`,
    onError,
  })
}
