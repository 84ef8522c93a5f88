// What every role of a process shares.
import type { Bus } from '../bus/bus.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { Database, type Role } from '../store/db.ts'

/** `notReady` names a reason while the role cannot do its work. */
export type Context = { config: Config; log: Log; metrics: Metrics; bus: Bus }
export type NotReady = () => string | undefined

export function openPool(
  { config, log, metrics }: Pick<Context, 'config' | 'log' | 'metrics'>,
  name: string,
  role: Role,
  connections: number,
): Database {
  const database = new Database({ url: config.databaseUrl, role, connections }, (err) =>
    log.warn({ err }, 'idle database connection broke'),
  )
  metrics.watchPool(name, () => database.stats)
  return database
}
