// The context that all roles of a process share.
import type { Bus } from '../bus/bus.ts'
import type { ConditionFinding } from '../domain/operating/condition.ts'
import type { Config } from '../platform/config/config.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { EventLoopWatch } from '../platform/observability/event-loop-watch.ts'
import type { Log } from '../platform/observability/log.ts'
import type { Tracer } from '../platform/observability/tracer.ts'
import type { WorkSignal } from '../platform/process/work-signal.ts'
import { Database, type DatabaseRole } from '../store/core/db.ts'

export type Context = {
  config: Config
  log: Log
  metrics: Metrics
  eventLoop: EventLoopWatch
  /** Undefined: tracing is off. */
  tracer: Tracer | undefined
  bus: Bus
  /** Wakes the loops of this process when it has committed work for them. Without it, they poll. */
  signal?: WorkSignal | undefined
  /** The product's version. */
  version: string
}
/** The reason why this process cannot serve, if any. */
export type NotReady = () => string | undefined
/** The problems that a role finds in its own work. */
export type Finder = () => ConditionFinding[]

export function openPool(
  { config, log, metrics, signal }: Pick<Context, 'config' | 'log' | 'metrics' | 'signal'>,
  name: string,
  role: DatabaseRole,
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
  const onWriteRefused = (code: string) => metrics.writeRefused(code)
  const { databaseUrl: url, databaseProtocol: protocol } = config
  const options = { url, protocol, role, connections, onConnect, onWriteRefused, signal }
  const database = new Database(options, onError)
  metrics.watchPool(name, () => database.stats)
  return database
}
