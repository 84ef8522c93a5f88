// `upvane doctor`: checks everything the service needs and says how to fix each problem.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type DoctorFinding,
  type DoctorLine,
  exitCodeOf,
  fail,
  formatLines,
  hideSecrets,
  judgeClock,
  judgeMigrations,
  judgePartitions,
  judgeProbes,
  judgeRoles,
  judgeTls,
  ok,
  warn,
} from '../../domain/operating/doctor.ts'
import { isBeyond } from '../../domain/operating/self-watch.ts'
import { mergeReports } from '../../domain/operating/trouble.ts'
import { measureClockOffset } from '../../engine/self-watch/clock-watch.ts'
import { DEFAULT_PROBE_FILE } from '../../platform/config/bus-config.ts'
import { type Config, ConfigError, readConfig } from '../../platform/config/config.ts'
import { ConnectionError } from '../../store/core/connect.ts'
import type { Database } from '../../store/core/db.ts'
import { listPending } from '../../store/core/migrate.ts'
import { measureDatabase } from '../../store/history/retention.ts'
import { readConnectionStatus } from '../../store/operating/doctor.ts'
import { type ListedProbe, listProbes } from '../../store/operating/probes.ts'
import { findProcesses } from '../../store/operating/processes.ts'
import { findNeededRegions } from '../../store/operating/self-watch.ts'
import type { Command, CommandContext } from '../cli/command.ts'
import { operatorFault } from '../cli/operator-fault.ts'
import {
  checkDisks,
  checkFiles,
  checkNats,
  checkPing,
  checkRelay,
  type DoctorCheck,
} from './local.ts'
import { isProbeHost, probeChecks, probeFileOf } from './probe-host.ts'

type Installation = { root: string; migrations: string }
export type Diagnosis = { isSound: boolean; checks: DoctorLine[] }

// Slightly longer than the connection timeout, so that its own message comes first.
const DEADLINE_MS = 5_500
const PROBE_READ_WAIT_MS = 500
const MAX_PROBE_READS = 9
const DEFAULT_WATERMARK_PERCENT = 85
const FIRST = 'Not checked, because of what is wrong above. Fix that, then run upvane doctor again.'

export function doctorCommand(installation: Installation): Command {
  return {
    name: 'doctor',
    summary: 'check everything the service needs and say what to do',
    manual: [
      'Checks the configuration, files with secrets, the database (login, pooler, TLS, roles, version, partitions, size),\nmaster keys, the clock, NATS, probes by region, the mail relay, ping, disks, and the troubles that running processes\nreport. Changes nothing and sends no email. Each check takes up to 5 s.',
      'Prints a line for each: ok, warn or fail; warn and fail say what to do. Run it as the account of the service, on a\nmachine that has DATABASE_URL: runuser -u upvane -- upvane doctor. On a machine that only runs a probe it checks what\na probe needs, and skip stands before what it leaves out.',
      'Exits with 1 when a check fails, and with 2 when the configuration is wrong; warnings do not count.',
    ],
    examples: ['upvane doctor', 'upvane doctor --json'],
    changes: false,
    reportsFileProblems: true,
    run: (context) => diagnose(context, installation),
    format: ({ checks }: Diagnosis) => formatLines(checks),
    exitCode: ({ checks }: Diagnosis) => exitCodeOf(checks),
  }
}

export async function diagnose(
  context: CommandContext,
  installation: Installation,
): Promise<Diagnosis> {
  const isProbe = isProbeHost(context.environment, DEFAULT_PROBE_FILE)
  const { config, problems } = readConfiguration(context, isProbe)
  const configuration = problems.map((problem) =>
    fail(
      `${problem}${problem.endsWith('?') ? '' : '.'} Change it in the environment or in the file that UPVANE_ENV_FILE names.`,
    ),
  )
  const { databaseDiskPath, watermarkPercent = DEFAULT_WATERMARK_PERCENT } = config?.selfWatch ?? {}
  const paths = [installation.root, ...(databaseDiskPath === undefined ? [] : [databaseDiskPath])]
  const files = {
    ...context.environment,
    PROBE_FILE: '',
    ...(isProbe && config && probeFileOf(config)),
  }
  const connections =
    config === undefined ? [] : isProbe ? probeChecks(config) : serviceChecks(config)
  const groups = await Promise.all([
    runCheck(['configuration', () => (configuration.length > 0 ? configuration : [ok('sound')])]),
    runCheck(['files', () => checkFiles(files)]),
    ...(config === undefined || isProbe ? [] : [checkDatabase(context, installation.migrations)]),
    ...connections.map(runCheck),
    runCheck(['ping', checkPing]),
    runCheck(['disk', () => checkDisks(paths, watermarkPercent)]),
  ])
  const secrets = config === undefined ? [] : secretsOf(config)
  const checks = groups
    .flat()
    .map((line) => ({ ...line, message: hideSecrets(line.message, secrets) }))
  return { isSound: exitCodeOf(checks) === 0, checks }
}

function serviceChecks(config: Config): DoctorCheck[] {
  return [
    ['NATS', () => checkNats(config)],
    ['mail relay', () => checkRelay(config)],
  ]
}

function readConfiguration(
  context: CommandContext,
  isProbe: boolean,
): {
  config: Config | undefined
  problems: readonly string[]
} {
  // Settings missing from an unreadable file are not separate problems.
  const { fileProblems } = context
  if (fileProblems.length > 0) return { config: undefined, problems: fileProblems }
  try {
    const { environment } = context
    const config = isProbe ? readConfig(environment, { withDatabase: false }) : context.config
    return { config, problems: [] }
  } catch (error) {
    if (error instanceof ConfigError) return { config: undefined, problems: error.problems }
    throw error
  }
}

/** A check that fails or hangs does not affect the others. */
async function runCheck([check, run]: DoctorCheck): Promise<DoctorLine[]> {
  const late = new AbortController()
  const deadline = sleep(DEADLINE_MS, undefined, { signal: late.signal }).then(
    () => [fail('No answer within 5 s. Look at what it connects to, and at the network between.')],
    () => [],
  )
  try {
    const verdicts = await Promise.race([(async () => run())(), deadline])
    return verdicts.map((verdict) => ({ check, ...verdict }))
  } catch (error) {
    return [{ check: isPooler(error) ? 'pooler' : check, ...fail(sentenceOf(error)) }]
  } finally {
    late.abort()
  }
}

const isPooler = (error: unknown) =>
  error instanceof ConnectionError && error.message.includes('pooler')

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return operatorFault(error) ?? `This check could not be done (${message}). Report it as a bug.`
}

/** Step by step: checks that need a role run only once the roles are right. */
async function checkDatabase(context: CommandContext, migrations: string): Promise<DoctorLine[]> {
  const { databaseUrl: url } = context.config
  const asLogin: DoctorLine[] = []
  const reached = await runCheck([
    'database',
    async () => {
      const { version, login, isEncrypted, roles } = await readConnectionStatus(url)
      asLogin.push({ check: 'pooler', ...ok('none: connected directly') })
      asLogin.push(...judgeTls(url, isEncrypted).map((line) => ({ check: 'TLS', ...line })))
      asLogin.push(...judgeRoles(login, roles).map((line) => ({ check: 'roles', ...line })))
      return [ok(`PostgreSQL ${version} answers`)]
    },
  ])
  const before = [...reached, ...asLogin]
  const further: DoctorCheck[] = [
    ['migrations', async () => judgeMigrations(await listPending(url, migrations))],
    ...furtherChecks(context),
  ]
  if (before.some(({ level }) => level === 'fail'))
    return [...before, ...further.map(([check]) => ({ check, ...warn(FIRST) }))]
  return [...before, ...(await Promise.all(further.map(runCheck))).flat()]
}

function furtherChecks(context: CommandContext): DoctorCheck[] {
  const { engine, secrets } = context
  return [
    ['partitions', async () => judgePartitions((await measureDatabase(engine)).daysAhead)],
    ['database size', () => checkSize(context)],
    ['master keys', async () => judgeKeys(await secrets.findUndecryptable(engine))],
    ['clock', async () => judgeClock(await measureClockOffset(engine))],
    [
      'probes',
      async () => {
        const probes = await listProbesSoon(engine)
        const facts = probes.map((probe) => ({ ...probe, isRevoked: probe.revokedAt !== null }))
        return judgeProbes(facts, await findNeededRegions(engine))
      },
    ],
    ['troubles', () => checkTroubles(context)],
  ]
}

/** A scheduler that has just started takes a few seconds to record its probes. */
async function listProbesSoon(engine: Database): Promise<ListedProbe[]> {
  for (let attempt = 1; ; attempt++) {
    const probes = await listProbes(engine)
    if (attempt === MAX_PROBE_READS || probes.some(({ isLive }) => isLive)) return probes
    const processes = await findProcesses(engine)
    if (!processes.some(({ roles }) => roles.includes('scheduler'))) return probes
    await sleep(PROBE_READ_WAIT_MS)
  }
}

async function checkSize({ engine, config }: CommandContext): Promise<DoctorFinding[]> {
  const { databaseLimitBytes: limit, watermarkPercent } = config.selfWatch
  const { sizeBytes } = await measureDatabase(engine)
  if (!isBeyond(sizeBytes, limit, watermarkPercent)) return [ok(`${Math.ceil(sizeBytes / 1e6)} MB`)]
  return [
    fail(
      `The database uses more than ${watermarkPercent} % of DATABASE_SIZE_LIMIT. Enlarge its disk, or lower RESULT_RETENTION_DAYS.`,
    ),
  ]
}

function judgeKeys(closed: string | undefined): DoctorFinding[] {
  if (closed === undefined) return [ok('they open the secrets in the database')]
  return [
    fail(
      `MASTER_KEYS does not open secrets that were closed with its key "${closed}". Give that key back; without it those secrets are lost.`,
    ),
  ]
}

async function checkTroubles({ engine }: CommandContext): Promise<DoctorFinding[]> {
  const processes = await findProcesses(engine)
  if (processes.length === 0)
    return [warn('No process of the service is running. Start it: upvane start.')]
  const reports = processes.map(({ name, troubles }) => ({ process: name, troubles }))
  const troubles = mergeReports(reports)
  return troubles.length === 0
    ? [ok(`none; processes running: ${processes.length}`)]
    : troubles.map(({ code, message }) =>
        fail(`${message} (${code}). See "Who watches the watcher" in docs/operating/health.md.`),
      )
}

// A shorter secret may be a word in our own messages, and redacting it there would reveal it.
const LEAST_SECRET = 8

/** Passwords in URLs, both encoded and decoded. */
function secretsOf({ databaseUrl, migrateDatabaseUrl, natsUrl = '', smtp }: Config): string[] {
  const addresses = [databaseUrl, migrateDatabaseUrl, ...natsUrl.split(',')]
  const written = addresses.map((address) => URL.parse(address)?.password ?? '')
  const all = [...written, ...written.map(decoded), smtp?.relay.credentials?.password ?? '']
  return [...new Set(all)].filter(({ length }) => length >= LEAST_SECRET)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
