// A process of the service: the parts that all roles share, and the roles it runs.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config, listSettings, readConfig } from '../platform/config/config.ts'
import { fingerprintSettings } from '../platform/config/config-fingerprints.ts'
import { watchEventLoop } from '../platform/metrics/event-loop-metrics.ts'
import { createMetrics } from '../platform/metrics/metrics.ts'
import { openLog } from '../platform/observability/log.ts'
import { Tracer } from '../platform/observability/tracer.ts'
import { lowerHelperPriority } from '../platform/process/helper-threads.ts'
import { type Part, runUntilStopped } from '../platform/process/lifecycle.ts'
import { StartError } from '../platform/process/start-error.ts'
import { WorkSignal } from '../platform/process/work-signal.ts'
import { Database } from '../store/core/db.ts'
import { isMigrated } from '../store/core/migrate.ts'
import { OrganizationSecrets } from '../store/core/organization-secrets.ts'
import { openBus } from './bus.ts'
import type { Context, Finder, NotReady } from './context.ts'
import { startInternalServer } from './internal-server.ts'
import { withJoinedProbe } from './joined-probe.ts'
import { NEEDS_BUS, ROLES, type ServiceRole } from './roles.ts'
import { startSelfWatchRole } from './self-watch.ts'

const LEAVE_MS = 3_000

/** The product's version and its directory; `onStarted` is called when every role runs. */
type Installed = { version: string; root: string; onStarted?(): void }

/** Runs these roles in this process until it is stopped. */
export async function serve(
  roles: readonly ServiceRole[],
  { version, root, onStarted }: Installed,
): Promise<void> {
  const withDatabase = roles.some((role) => role !== 'probe')
  const config = readServiceConfig(roles, withDatabase)
  lowerHelperPriority()
  const { log, close } = openLog(config.logLevel)
  const metrics = createMetrics(version)
  if (withDatabase) await assertDatabase(config, join(root, 'migrations'))
  const eventLoop = watchEventLoop(log, metrics.registry)
  const bus = await openBus(config, log, isWhole(roles))
  metrics.watchBus(() => bus.isConnected())
  const tracer =
    config.traces && new Tracer({ ...config.traces, registry: metrics.registry, log, version })
  const signal = new WorkSignal()
  const context: Context = { config, log, metrics, eventLoop, tracer, bus, signal, version }
  let isStopping = false
  const finders: Finder[] = []
  const settings = fingerprintSettings(listSettings(process.env), withoutProbe(roles))
  const selfWatch = await startSelfWatchRole(context, {
    version,
    roles,
    settings,
    withDatabase,
    root,
    isWhole: isWhole(roles),
    // Work that a process stops on purpose is not a finding.
    finders: [() => (isStopping ? [] : finders.flatMap((find) => find()))],
  })
  const parts: Part[] = [
    ...(tracer ? [{ name: 'traces', stop: () => tracer.stop() }] : []),
    { name: 'bus', stop: () => bus.close() },
    selfWatch.part,
  ]
  await orLeave(selfWatch.part, async () => {
    finders.push(...(await startRoles(roles, context, parts)))
    // First in the list and so the last to stop: a load balancer reads here that the rest is stopping.
    const notReady = [() => (isStopping ? 'stopping' : undefined), ...withoutBus(bus, withDatabase)]
    const internal = { withDatabase, notReady, conditions: selfWatch.conditions }
    parts.unshift(await startInternalServer(context, internal))
    selfWatch.begin()
  })
  log.info({ version, roles, pid: process.pid }, 'started')
  onStarted?.()
  eventLoop.startReporting()
  await waitForStop(parts, context, () => void (isStopping = true))
  close()
}

function waitForStop(parts: Part[], { log, config }: Context, onStopping: () => void) {
  return runUntilStopped(parts, log, { onStopping, drainSeconds: config.shutdownDrainSeconds })
}

/** A probe gets its work only over the bus; the other roles have work without it. */
function withoutBus(bus: Context['bus'], withDatabase: boolean): NotReady[] {
  return withDatabase ? [] : [() => (bus.isConnected() ? undefined : 'no bus')]
}

/** Otherwise others would count a process that could not start as running for a while. */
async function orLeave(selfWatch: Part, start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    await Promise.race([selfWatch.stop(), delay(LEAVE_MS)])
    throw error
  }
}

function readServiceConfig(roles: readonly ServiceRole[], withDatabase: boolean): Config {
  const read = readConfig(process.env, { withDatabase })
  const config = withDatabase ? read : withJoinedProbe(read)
  if (config.natsUrl === undefined && roles.some((role) => NEEDS_BUS.has(role)) && !isWhole(roles))
    throw new StartError('Roles in separate processes need NATS_URL. Without it use upvane start.')
  return config
}

/** With another schema version or without the right master keys, a service would fail request by request. */
async function assertDatabase(config: Config, migrations: string): Promise<void> {
  if (!(await isMigrated(config.databaseUrl, migrations)))
    throw new StartError('The database is not at this version. Run upvane migrate first.')
  const { databaseUrl: url, databaseProtocol: protocol } = config
  const database = new Database({ url, protocol, role: 'upvane_engine', connections: 2 }, () => {})
  const closed = await new OrganizationSecrets(config.masterKeys)
    .findUndecryptable(database)
    .finally(() => database.close())
  if (closed !== undefined)
    throw new StartError(
      `MASTER_KEYS does not open secrets in the database that were closed with its key "${closed}".`,
    )
}

/** In dependency order; they stop in reverse. Only the modules of these roles are loaded. */
async function startRoles(
  roles: readonly ServiceRole[],
  context: Context,
  parts: Part[],
): Promise<Finder[]> {
  const finders: Finder[] = []
  if (roles.includes('janitor')) {
    const { startJanitorRole } = await import('./janitor.ts')
    parts.push(...startJanitorRole(context))
  }
  if (roles.includes('dispatcher')) {
    const { startDispatcherRole } = await import('./dispatcher.ts')
    const dispatcher = startDispatcherRole(context)
    parts.push(...dispatcher.parts)
    finders.push(dispatcher.findings)
  }
  // The scheduler listens before the probe announces itself, and stops before it.
  const scheduler = roles.includes('scheduler') ? await startScheduler(context) : undefined
  if (roles.includes('probe')) {
    const { startProbeRole } = await import('./probe.ts')
    const settings = fingerprintSettings(listSettings(process.env), ['probe'])
    parts.push(...(await startProbeRole(context, settings)))
  }
  if (scheduler !== undefined) {
    parts.push(...scheduler.parts)
    finders.push(scheduler.findings)
  }
  if (roles.includes('api')) parts.push(...(await startApi(context)))
  return finders
}

async function startScheduler(context: Context) {
  const { startSchedulerRole } = await import('./scheduler.ts')
  return startSchedulerRole(context)
}

async function startApi(context: Context): Promise<Part[]> {
  const { startApiRole } = await import('./api/api.ts')
  const { startProbeJoins } = await import('./probe-joins.ts')
  return [...(await startApiRole(context)), ...(await startProbeJoins(context))]
}

/** Probes are compared per region, by their announcements. */
function withoutProbe(roles: readonly ServiceRole[]): ServiceRole[] {
  return roles.filter((role) => role !== 'probe')
}

function isWhole(roles: readonly ServiceRole[]): boolean {
  return roles.length === ROLES.length
}
