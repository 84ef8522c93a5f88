#!/usr/bin/env node
// The operator's command, and the only place where the modules are wired together.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_TOKEN_CHARACTERS } from './bus/probe-token.ts'
import { type Command, CommandContext } from './operator/cli/command.ts'
import { leadingWords, readCommandLine } from './operator/cli/command-line.ts'
import { type Flags, UsageError } from './operator/cli/flags.ts'
import { manualOf } from './operator/cli/manual.ts'
import { explainFault } from './operator/cli/operator-fault.ts'
import { MIGRATIONS, OPERATOR_COMMANDS } from './operator/commands.ts'
import { type Config, ConfigError, listSettings, readConfig } from './platform/config/config.ts'
import { fingerprintSettings } from './platform/config/config-fingerprints.ts'
import { loadEnvironmentFile } from './platform/config/env-file.ts'
import { watchEventLoop } from './platform/metrics/event-loop-metrics.ts'
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts'
import { type Log, openLog } from './platform/observability/log.ts'
import { Tracer } from './platform/observability/tracer.ts'
import { type Part, runUntilStopped } from './platform/process/lifecycle.ts'
import { Database, type DatabaseRole } from './store/core/db.ts'
import { isMigrated } from './store/core/migrate.ts'
import { OrganizationSecrets } from './store/core/organization-secrets.ts'
import { startApiRole } from './wiring/api.ts'
import { openBus } from './wiring/bus.ts'
import type { Context, Finder, NotReady } from './wiring/context.ts'
import { startDispatcherRole } from './wiring/dispatcher.ts'
import { startInternalServer } from './wiring/internal-server.ts'
import { startJanitorRole } from './wiring/janitor.ts'
import { findProbeFile, JoinError, joinByToken, withJoinedProbe } from './wiring/joined-probe.ts'
import { startProbeRole } from './wiring/probe.ts'
import { startProbeJoins } from './wiring/probe-joins.ts'
import { startSchedulerRole } from './wiring/scheduler.ts'
import { startSelfWatchRole } from './wiring/self-watch.ts'

const ROOT = join(import.meta.dirname, '..')
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string
}
const OPERATOR_CONNECTIONS = 2

const ROLES = ['api', 'scheduler', 'probe', 'janitor', 'dispatcher'] as const
type ServiceRole = (typeof ROLES)[number]
const NEEDS_BUS: ReadonlySet<ServiceRole> = new Set(['api', 'scheduler', 'probe'])

const SERVICE_COMMANDS: readonly Command[] = [
  {
    name: 'start',
    summary: 'run every role in one process',
    manual: ['Runs until SIGTERM or SIGINT. Needs no NATS_URL.'],
    changes: false,
    run: () => serve(ROLES),
  },
  ...ROLES.map(
    (role): Command => ({
      name: role,
      summary: `run the role ${role} alone${NEEDS_BUS.has(role) ? '; needs NATS_URL' : ''}`,
      changes: false,
      run: () => serve([role]),
    }),
  ),
]
const PROBE_JOIN: Command = {
  name: 'probe join',
  summary: 'join as a probe of another installation, and run',
  options: {
    'token-file': { value: 'FILE', text: 'read the token there; default is standard input' },
    'no-start': { text: 'join and exit; upvane probe runs it later' },
  },
  manual: [
    'Reads the token that upvane region add printed. Afterwards upvane probe needs no token and no NATS_URL: who it\nis stands in PROBE_FILE, /var/lib/upvane/probe.json by default. Keep that file; it is the key of this probe.',
    'The probe opens one connection, to NATS, and accepts none.',
  ],
  examples: ['upvane probe join < token', 'upvane probe join --token-file /run/token --no-start'],
  changes: false,
  run: ({ flags }) => joinAsProbe(flags),
}
const COMMANDS: readonly Command[] = [...SERVICE_COMMANDS, PROBE_JOIN, ...OPERATOR_COMMANDS]

try {
  await runCommandLine(process.argv.slice(2))
} catch (error) {
  const fault = await explainFault(error, findDatabaseUrl())
  if (fault !== undefined) {
    process.stderr.write(`${fault}\n`)
    // Exits immediately: parts that have started would keep the process alive.
    process.exit(1)
  }
  const isExplained =
    error instanceof UsageError || error instanceof ConfigError || error instanceof JoinError
  if (!isExplained) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

/** Empty if the configuration itself is invalid. */
function findDatabaseUrl(): string {
  try {
    return readConfig(process.env).databaseUrl
  } catch {
    return ''
  }
}

async function runCommandLine(typed: readonly string[]): Promise<void> {
  const words = leadingWords(typed)
  if (typed.includes('--version')) return print(`upvane ${VERSION} (Node ${process.versions.node})`)
  if (words[0] === 'help') return print(manualOf(COMMANDS, words.slice(1)))
  if (words.length === 0 || typed.includes('--help') || typed.includes('-h'))
    return print(manualOf(COMMANDS, words))
  const { command, flags, args } = readCommandLine(COMMANDS, typed)
  const problems = loadEnvironmentFile(process.env)
  if (problems.length > 0 && !command.reportsFileProblems) throw new ConfigError(problems)
  const context = new CommandContext(flags, args, process.env, problems)
  const outcome = await command.run(context).finally(() => context.close())
  if (outcome !== undefined) report(command, flags, outcome)
}

async function joinAsProbe(flags: Flags): Promise<unknown> {
  const { probeFile } = readConfig(process.env, { withDatabase: false })
  const known = findProbeFile(probeFile)
  const isJoined = known !== undefined && known.jwt !== ''
  const { name, region } = isJoined
    ? known
    : await joinByToken(probeFile, await readToken(flags['token-file']))
  process.stderr.write(`${isJoined ? 'Already joined' : 'Joined'} ${region} as ${name}.\n`)
  return flags['no-start'] === true ? { name, region } : serve(['probe'])
}

async function readToken(file: string | boolean | undefined): Promise<string> {
  if (typeof file === 'string') {
    try {
      return readFileSync(file, 'utf8').slice(0, MAX_TOKEN_CHARACTERS + 1)
    } catch {
      throw new UsageError(`${file} cannot be read.`)
    }
  }
  if (process.stdin.isTTY) process.stderr.write('Paste the token and press Enter:\n')
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk)
    if (text.includes('\n') || text.length > MAX_TOKEN_CHARACTERS) break
  }
  return text
}

async function serve(roles: readonly ServiceRole[]): Promise<void> {
  const withDatabase = roles.some((role) => role !== 'probe')
  const read = readConfig(process.env, { withDatabase })
  const config = withDatabase ? read : withJoinedProbe(read)
  if (config.natsUrl === undefined && roles.some((role) => NEEDS_BUS.has(role)) && !isWhole(roles))
    throw new UsageError('Roles in separate processes need NATS_URL. Without it use upvane start.')
  const { log, close } = openLog(config.logLevel)
  const metrics = createMetrics(VERSION)
  if (withDatabase) await assertDatabase(config)

  const eventLoop = watchEventLoop(log, metrics.registry)
  const bus = await openBus(config, log)
  metrics.watchBus(() => bus.isConnected())
  const tracer = openTracer(config, log, metrics)
  const context: Context = { config, log, metrics, eventLoop, tracer, bus, version: VERSION }
  let isStopping = false
  // Work that a process stops on purpose is not a finding.
  const finders: Finder[] = []
  const settings = fingerprintSettings(listSettings(process.env), withoutProbe(roles))
  const selfWatch = await startSelfWatchRole(context, {
    version: VERSION,
    roles,
    settings,
    withDatabase,
    root: ROOT,
    finders: [() => (isStopping ? [] : finders.flatMap((find) => find()))],
  })
  const parts: Part[] = [
    ...(tracer ? [{ name: 'traces', stop: () => tracer.stop() }] : []),
    { name: 'bus', stop: () => bus.close() },
    selfWatch.part,
  ]
  finders.push(...(await startRoles(roles, context, parts)))
  const notReady: NotReady[] = [() => (isStopping ? 'stopping' : undefined)]
  // A probe gets its work only over the bus; the other roles have work without it.
  if (!withDatabase) notReady.push(() => (bus.isConnected() ? undefined : 'no bus'))
  const { troubles } = selfWatch
  // First in the list and so the last to stop: a load balancer reads here that the rest is stopping.
  parts.unshift(await startInternalServer(context, { withDatabase, notReady, troubles }))
  log.info({ version: VERSION, roles, pid: process.pid }, 'started')
  eventLoop.startReporting()
  const onStopping = () => {
    isStopping = true
  }
  await runUntilStopped(parts, log, { onStopping, drainSeconds: config.shutdownDrainSeconds })
  close()
}

function openTracer({ traces }: Config, log: Log, { registry }: Metrics): Tracer | undefined {
  return traces && new Tracer({ ...traces, registry, log, version: VERSION })
}

/** With another schema version or without the right master keys, a service would fail request by request. */
async function assertDatabase(config: Config): Promise<void> {
  if (!(await isMigrated(config.databaseUrl, MIGRATIONS)))
    throw new UsageError('The database is not at this version. Run upvane migrate first.')
  const database = openDatabase(config, 'upvane_engine', OPERATOR_CONNECTIONS, () => {})
  const closed = await new OrganizationSecrets(config.masterKeys)
    .findUndecryptable(database)
    .finally(() => database.close())
  if (closed !== undefined)
    throw new UsageError(
      `MASTER_KEYS does not open secrets in the database that were closed with its key "${closed}".`,
    )
}

/** In dependency order; they stop in reverse. */
async function startRoles(
  roles: readonly ServiceRole[],
  context: Context,
  parts: Part[],
): Promise<Finder[]> {
  const finders: Finder[] = []
  if (roles.includes('janitor')) parts.push(...startJanitorRole(context))
  if (roles.includes('dispatcher')) {
    const dispatcher = startDispatcherRole(context)
    parts.push(...dispatcher.parts)
    finders.push(dispatcher.findings)
  }
  // The scheduler listens before the probe announces itself, and stops before it.
  const scheduler = roles.includes('scheduler') ? await startSchedulerRole(context) : undefined
  const probeSettings = fingerprintSettings(listSettings(process.env), ['probe'])
  if (roles.includes('probe')) parts.push(...(await startProbeRole(context, probeSettings)))
  if (scheduler !== undefined) {
    parts.push(...scheduler.parts)
    finders.push(scheduler.findings)
  }
  if (roles.includes('api'))
    parts.push(...(await startApiRole(context)), ...(await startProbeJoins(context)))
  return finders
}

/** Probes are compared per region, by their announcements. */
function withoutProbe(roles: readonly ServiceRole[]): ServiceRole[] {
  return roles.filter((role) => role !== 'probe')
}

function isWhole(roles: readonly ServiceRole[]): boolean {
  return roles.length === ROLES.length
}

function openDatabase(
  { databaseUrl: url }: Config,
  role: DatabaseRole,
  connections: number,
  onError: (error: Error) => void,
): Database {
  return new Database({ url, role, connections }, onError)
}

function report({ format, exitCode }: Command, flags: Flags, outcome: unknown): void {
  // Safe because both are declared next to the command that returns the outcome.
  const own = outcome as never
  if (flags['json'] === true) print(JSON.stringify(outcome))
  else print(format?.(own) ?? JSON.stringify(outcome, null, 2))
  process.exitCode = exitCode?.(own) ?? 0
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
