import { hostname } from 'node:os'
import type { Bus } from '../bus/bus.ts'
import { createLocalBus } from '../bus/local-bus.ts'
import { openNatsBus } from '../bus/nats-bus.ts'
import { natsFault, signInOf } from '../bus/nats-fault.ts'
import { allowsAnonymousAccess } from '../bus/nats-options.ts'
import { joinBuses } from '../bus/whole-bus.ts'
import type { Config } from '../platform/config/config.ts'
import type { Log } from '../platform/observability/log.ts'
import { PassingStartError } from '../platform/process/start-error.ts'

const NOT_SHARED =
  'NATS does not let this process serve jobs: its probe runs checks for its own scheduler alone. If other processes ' +
  'have schedulers, permit what deploy/nats-probe-example.conf does, or run upvane nats setup again'

/** Between processes if NATS is configured, otherwise within this process. `isWhole`: it runs every role. */
export async function openBus(config: Config, log: Log, isWhole = false): Promise<Bus> {
  const { natsUrl, natsCaFile, natsCredsFile, natsIdentity, natsProxy: proxy } = config
  const onError = (err: unknown) => log.warn({ err }, 'bus problem')
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
  const network = await openNatsBus({
    url: natsUrl,
    proxy,
    ...signedIn,
    ...(natsCaFile === undefined ? {} : { caFile: natsCaFile }),
    name: `upvane ${hostname()} ${process.pid}`,
    onError,
  }).catch(({ message }: Error) => {
    throw new PassingStartError(natsFault(message, signInOf(signedIn)))
  })
  if (!isWhole) return network
  const onRefused = (err: Error) => log.warn({ reason: err.message }, NOT_SHARED)
  return joinBuses({ inner: createLocalBus({ onError }), network, onRefused })
}
