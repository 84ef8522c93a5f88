// What every role of a process shares.
import type { Bus } from '../bus/bus.ts'
import type { Config } from '../platform/config.ts'
import type { EventLoopWatch } from '../platform/event-loop-watch.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { Database, type Role } from '../store/db.ts'

/** `notReady` names a reason while the role cannot do its work. */
export type Context = {
  config: Config
  log: Log
  metrics: Metrics
  eventLoop: EventLoopWatch
  bus: Bus
}
export type NotReady = () => string | undefined

export function openPool(
  { config, log, metrics }: Pick<Context, 'config' | 'log' | 'metrics'>,
  name: string,
  role: Role,
  connections: number,
): Database {
  // One line when connections break and one when they are back, however many there are.
  let isBroken = false
  const onConnect = () => {
    if (isBroken) log.info({ pool: name }, 'connected to the database again')
    isBroken = false
  }
  const onError = (err: Error) => {
    if (!isBroken) log.warn({ err, pool: name }, 'database connection broke')
    isBroken = true
  }
  const database = new Database({ url: config.databaseUrl, role, connections, onConnect }, onError)
  metrics.watchPool(name, () => database.stats)
  return database
}
