import { hostname } from 'node:os'
import type { Bus } from '../bus/bus.ts'
import { createLocalBus } from '../bus/local-bus.ts'
import { openNatsBus } from '../bus/nats-bus.ts'
import { isOpenToStrangers } from '../bus/nats-options.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'

/** Between processes when there is a server for it, else inside this one. */
export async function openBus({ natsUrl, natsCaFile }: Config, log: Log): Promise<Bus> {
  const onError = (err: unknown) => log.warn({ err }, 'bus trouble')
  if (natsUrl === undefined) return createLocalBus({ onError })
  if (isOpenToStrangers({ url: natsUrl }))
    log.warn(
      'NATS_URL has no user: anyone who can reach that server can read check jobs, with the credentials ' +
        'of their monitors, and send jobs. Set users and passwords: docs/operating.md',
    )
  return openNatsBus({
    url: natsUrl,
    ...(natsCaFile === undefined ? {} : { caFile: natsCaFile }),
    name: `upvane ${hostname()} ${process.pid}`,
    onError,
  })
}
