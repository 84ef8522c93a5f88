// `upvane doctor`: checks everything the service needs and says how to fix each problem.
import {
  type DoctorLine,
  exitCodeOf,
  fail,
  formatLines,
  hideSecrets,
  isHideable,
  ok,
} from '../../domain/operating/doctor.ts'
import { DEFAULT_PROBE_FILE } from '../../platform/config/bus-config.ts'
import { type Config, ConfigError, readConfig } from '../../platform/config/config.ts'
import type { Command, CommandContext } from '../cli/command.ts'
import { checkDatabase } from './database.ts'
import { checkDisks, checkFiles, checkNats, checkPing, checkRelay } from './local.ts'
import { isProbeHost, probeChecks, probeFileOf } from './probe-host.ts'
import { checkBaseUrl, checkProxies } from './public-address.ts'
import { type DoctorCheck, runCheck } from './run-check.ts'
import { findUnit } from './service-unit.ts'

type Installation = { root: string; migrations: string }
export type Diagnosis = { isSound: boolean; checks: DoctorLine[] }

const DEFAULT_WATERMARK_PERCENT = 85

export function doctorCommand(installation: Installation): Command {
  return {
    name: 'doctor',
    summary: 'check everything the service needs and say what to do',
    manual: [
      'Checks the configuration, files with secrets, the database (login, pooler, TLS, roles, version, writes, partitions,\nsize), master keys, the clock, NATS, probes by region, whether BASE_URL leads here, the mail relay, ping, disks, and the\nconditions that running processes report. Changes nothing and sends no email. Each check takes up to 5 s.',
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
    runCheck(['ping', () => checkPing(findUnit())]),
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
    ['BASE_URL', () => checkBaseUrl(config)],
    ['proxy', () => checkProxies(config)],
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
  const { problems } = context.environmentFile
  if (problems.length > 0) return { config: undefined, problems }
  try {
    const { environment } = context
    const config = isProbe ? readConfig(environment, { withDatabase: false }) : context.config
    return { config, problems: [] }
  } catch (error) {
    if (error instanceof ConfigError) return { config: undefined, problems: error.problems }
    throw error
  }
}

/** Passwords in URLs, both encoded and decoded. */
function secretsOf({ databaseUrl, migrateDatabaseUrl, natsUrl = '', smtp }: Config): string[] {
  const addresses = [databaseUrl, migrateDatabaseUrl, ...natsUrl.split(',')]
  const written = addresses.map((address) => URL.parse(address)?.password ?? '')
  const all = [...written, ...written.map(decoded), smtp?.relay.credentials?.password ?? '']
  return [...new Set(all)].filter(isHideable)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
