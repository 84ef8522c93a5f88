// The environment, read once and validated as a whole: a process either starts with a valid configuration or reports
// every problem at once.
import type { MasterKeys } from '../crypto/encryption.ts'
import { type AlertConfig, readAlertConfig } from './alert-config.ts'
import { type BusConfig, readBusConfig } from './bus-config.ts'
import {
  ConfigReader,
  type ConfigSetting,
  type Environment,
  type FirstAdmin,
  NO_KEYS,
} from './config-reader.ts'
import {
  contactProblem,
  hostAndPortProblem,
  hostProblem,
  nat64PrefixProblem,
  networkProblem,
  resolverProblem,
  serverProblem,
} from './config-values.ts'
import { type LimitConfig, readLimitConfig } from './limit-config.ts'
import { type OidcConfig, readOidcConfig } from './oidc-config.ts'
import { readSelfWatchConfig, type SelfWatchConfig } from './self-watch-config.ts'
import type { SmtpConfig } from './smtp-config.ts'
import { readStreamConfig, type StreamConfig } from './stream-config.ts'
import { readTraceConfig, type TraceConfig } from './trace-config.ts'

export const DATABASE_CONNECTIONS = { fallback: 20, min: 2, max: 500 }

export type Config = Readonly<{
  databaseUrl: string
  migrateDatabaseUrl: string
  databaseConnections: number
  databaseProtocol: (typeof PROTOCOLS)[number]
  baseUrl: string
  /** Where status pages are served. A host other than the dashboard's isolates tenants' content from it. */
  statusBaseUrl: string
  host: string
  port: number
  internalHost: string
  internalPort: number
  trustedProxies: readonly string[]
  /** Where people report vulnerabilities, as URIs. If empty, there is no security.txt. */
  securityContacts: readonly string[]
  rateLimitRequests: number
  unauthenticatedLimitPerMinute: number
  masterKeys: MasterKeys
  region: string
  egressDoubtSeconds: number
  shardLeaseSeconds: number
  probeCapacity: number
  probeCapacityPerOrganization: number
  probeAllowCidrs: readonly string[]
  /** Prefixes under which an IPv6 address maps to an IPv4 address. */
  nat64Prefixes: readonly string[]
  probeControlTargets: readonly string[]
  probeDnsServers: readonly string[]
  rdapBootstrapUrl: string
  whoisServer: string
  webhookAllowCidrs: readonly string[]
  /** Private networks that webhooks of status page subscribers may reach. */
  subscriberAllowCidrs: readonly string[]
  webhookAllowHttp: boolean
  webhookRetryScheduleSeconds: readonly number[]
  alerts: AlertConfig
  /** Undefined: no email is sent or offered. */
  smtp: SmtpConfig | undefined
  /** Undefined: people sign in only with a password. */
  oidc: OidcConfig | undefined
  /** The first account, created if there is none. Undefined: the printed setup link creates it. */
  admin: FirstAdmin | undefined
  selfWatch: SelfWatchConfig
  /** Where the operator's page reads which version is the newest. Undefined: it does not. */
  updateUrl: string | undefined
  streams: StreamConfig
  limits: LimitConfig
  /** Undefined: no traces are exported. */
  traces: TraceConfig | undefined
  resultRetentionDays: number
  /** For the audit logs of organizations and of the operator. */
  auditRetentionDays: number
  shutdownDrainSeconds: number
  logLevel: LogLevel
}> &
  BusConfig

const PROTOCOLS = ['fast', 'plain'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`)
    this.problems = problems
  }
}

type Options = { withDatabase?: boolean }

export function readConfig(environment: Environment, options: Options = {}): Config {
  const read = new ConfigReader(environment)
  const config = readAll(read, options)
  read.refuseMisspellings()
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return Object.freeze(config)
}

/** Every variable with its effective value, secrets hidden. `fromFile`: those that came from UPVANE_ENV_FILE. */
export function listSettings(
  environment: Environment,
  fromFile?: ReadonlySet<string>,
): ConfigSetting[] {
  const read = new ConfigReader(environment, fromFile)
  readAll(read, {})
  return read.settings
}

/** A probe has no database and no master key: `withDatabase: false` requires neither. */
function readAll(read: ConfigReader, { withDatabase = true }: Options): Config {
  const databaseUrl = withDatabase ? read.url('DATABASE_URL', ['postgres:', 'postgresql:']) : ''
  const baseUrl = read.origin('BASE_URL', 'http://localhost:8080')
  return {
    databaseUrl,
    migrateDatabaseUrl: read.url('MIGRATE_DATABASE_URL', ['postgres:', 'postgresql:'], databaseUrl),
    databaseConnections: read.integer('DATABASE_CONNECTIONS', DATABASE_CONNECTIONS),
    databaseProtocol: read.oneOf('DATABASE_PROTOCOL', PROTOCOLS, 'fast'),
    baseUrl,
    statusBaseUrl: read.origin('STATUS_BASE_URL', baseUrl),
    host: read.checked('HOST', '0.0.0.0', hostProblem),
    port: read.integer('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    internalHost: read.checked('INTERNAL_HOST', '127.0.0.1', hostProblem),
    internalPort: read.integer('INTERNAL_PORT', { fallback: 8099, min: 0, max: 65_535 }),
    trustedProxies: read.list('TRUSTED_PROXIES', networkProblem),
    securityContacts: read.list('SECURITY_CONTACT', contactProblem),
    rateLimitRequests: read.integer('RATE_LIMIT_REQUESTS', { fallback: 120, min: 1, max: 1e8 }),
    unauthenticatedLimitPerMinute: read.integer('UNAUTHENTICATED_LIMIT_PER_MINUTE', {
      fallback: 3000,
      min: 0,
      max: 1e8,
    }),
    masterKeys: withDatabase ? read.masterKeys('MASTER_KEYS') : NO_KEYS,
    ...readBusConfig(read),
    region: read.name('REGION', 'default'),
    egressDoubtSeconds: read.integer('EGRESS_DOUBT_SECONDS', { fallback: 180, min: 5, max: 180 }),
    shardLeaseSeconds: read.integer('SHARD_LEASE_SECONDS', { fallback: 10, min: 2, max: 300 }),
    probeCapacity: read.integer('PROBE_CAPACITY', { fallback: 8000, min: 1, max: 100_000 }),
    probeCapacityPerOrganization: read.integer('PROBE_CAPACITY_PER_ORGANIZATION', {
      fallback: 4000,
      min: 1,
      max: 100_000,
    }),
    probeAllowCidrs: read.list('PROBE_ALLOW_CIDRS', networkProblem),
    nat64Prefixes: read.list('NAT64_PREFIXES', nat64PrefixProblem),
    probeControlTargets: read.list('PROBE_CONTROL_TARGETS', hostAndPortProblem),
    probeDnsServers: read.list('PROBE_DNS_SERVERS', resolverProblem),
    rdapBootstrapUrl: read.url(
      'RDAP_BOOTSTRAP_URL',
      ['https:', 'http:'],
      'https://data.iana.org/rdap/dns.json',
    ),
    whoisServer: read.checked('WHOIS_SERVER', 'whois.iana.org', serverProblem),
    ...readWebhooks(read),
    ...readPeople(read),
    resultRetentionDays: read.integer('RESULT_RETENTION_DAYS', { fallback: 30, min: 1, max: 3650 }),
    shutdownDrainSeconds: read.integer('SHUTDOWN_DRAIN_SECONDS', { fallback: 0, min: 0, max: 300 }),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  }
}

function readWebhooks(
  read: ConfigReader,
): Pick<
  Config,
  'webhookAllowCidrs' | 'subscriberAllowCidrs' | 'webhookAllowHttp' | 'webhookRetryScheduleSeconds'
> {
  return {
    webhookAllowCidrs: read.list('WEBHOOK_ALLOW_CIDRS', networkProblem),
    subscriberAllowCidrs: read.list('SUBSCRIBER_ALLOW_CIDRS', networkProblem),
    webhookAllowHttp: read.oneOf('WEBHOOK_ALLOW_HTTP', ['true', 'false'], 'false') === 'true',
    webhookRetryScheduleSeconds: read.seconds('WEBHOOK_RETRY_SCHEDULE_SECONDS'),
  }
}

function readPeople(
  read: ConfigReader,
): Pick<
  Config,
  | 'auditRetentionDays'
  | 'alerts'
  | 'smtp'
  | 'oidc'
  | 'admin'
  | 'selfWatch'
  | 'updateUrl'
  | 'streams'
  | 'limits'
  | 'traces'
> {
  const smtp = read.smtp('SMTP_URL', 'SMTP_FROM')
  const alerts = readAlertConfig(read)
  const selfWatch = readSelfWatchConfig(read, smtp !== undefined)
  const streams = readStreamConfig(read)
  const oidc = readOidcConfig(read)
  const limits = readLimitConfig(read)
  const days = { fallback: 400, min: 30, max: 3650 }
  const auditRetentionDays = read.integer('AUDIT_RETENTION_DAYS', days)
  const traces = readTraceConfig(read)
  const admin = read.admin()
  const updateUrl = read.url('UPDATE_URL', ['https:', 'http:'], '') || undefined
  const watching = { selfWatch, updateUrl, traces }
  return { auditRetentionDays, alerts, smtp, streams, limits, oidc, admin, ...watching }
}
