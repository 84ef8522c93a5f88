// The environment, read once and checked whole: a process either starts with a sound configuration or
// names every problem at once.
import { readFileSync } from 'node:fs'
import { type AlertConfig, readAlertConfig } from './alert-config.ts'
import { type MasterKeys, parseMasterKeys } from './encryption.ts'
import { type OidcConfig, readOidcConfig } from './oidc-config.ts'
import { readSelfWatchConfig, type SelfWatchConfig } from './self-watch-config.ts'
import { isSender, parseSmtpUrl, type SmtpConfig } from './smtp-config.ts'
import { readStreamConfig, type StreamConfig } from './stream-config.ts'

export type Config = Readonly<{
  databaseUrl: string
  migrateDatabaseUrl: string
  databaseConnections: number
  baseUrl: string
  /** Where status pages are read; another host than the dashboard's keeps what tenants write away from it. */
  statusBaseUrl: string
  host: string
  port: number
  internalHost: string
  internalPort: number
  trustedProxies: readonly string[]
  rateLimitRequests: number
  unauthenticatedLimitPerMinute: number
  masterKeys: MasterKeys
  /** Undefined: everything runs in one process and nothing is carried between machines. */
  natsUrl: string | undefined
  region: string
  shardLeaseSeconds: number
  probeCapacity: number
  probeCapacityPerOrganization: number
  probeAllowCidrs: readonly string[]
  probeControlTargets: readonly string[]
  probeDnsServers: readonly string[]
  rdapBootstrapUrl: string
  whoisServer: string
  webhookAllowCidrs: readonly string[]
  webhookAllowHttp: boolean
  webhookRetryScheduleSeconds: readonly number[]
  alerts: AlertConfig
  /** Undefined: no mail is sent, and nothing offers to send one. */
  smtp: SmtpConfig | undefined
  /** Undefined: people sign in with a password alone. */
  oidc: OidcConfig | undefined
  /** Who has the first account, when nobody has one yet; undefined: whoever opens the link that is printed. */
  admin: FirstAdmin | undefined
  selfWatch: SelfWatchConfig
  streams: StreamConfig
  resultRetentionDays: number
  logLevel: LogLevel
}>

export type FirstAdmin = Readonly<{ email: string; password: string; organization: string }>

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const MAX_RETRIES = 50
const MIN_PASSWORD = 12
const MAX_PASSWORD = 128
const NO_KEYS: MasterKeys = { current: '', byId: new Map() }

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`)
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>
type Bounds = { fallback: number; min: number; max: number }

/** A probe has no database and knows no master key: `withDatabase: false` asks for neither. */
export function readConfig(environment: Environment, { withDatabase = true } = {}): Config {
  const read = new Reader(environment)
  const databaseUrl = withDatabase ? read.url('DATABASE_URL', ['postgres:', 'postgresql:']) : ''
  const baseUrl = read.url('BASE_URL', ['http:', 'https:'], 'http://localhost:8080')
  const config: Config = {
    databaseUrl,
    migrateDatabaseUrl: read.url('MIGRATE_DATABASE_URL', ['postgres:', 'postgresql:'], databaseUrl),
    databaseConnections: read.integer('DATABASE_CONNECTIONS', { fallback: 20, min: 2, max: 500 }),
    baseUrl: baseUrl.replace(/\/$/, ''),
    statusBaseUrl: read.url('STATUS_BASE_URL', ['http:', 'https:'], baseUrl).replace(/\/$/, ''),
    host: read.text('HOST', '0.0.0.0'),
    port: read.integer('PORT', { fallback: 8080, min: 0, max: 65_535 }),
    internalHost: read.text('INTERNAL_HOST', '127.0.0.1'),
    internalPort: read.integer('INTERNAL_PORT', { fallback: 9090, min: 0, max: 65_535 }),
    trustedProxies: read.list('TRUSTED_PROXIES'),
    rateLimitRequests: read.integer('RATE_LIMIT_REQUESTS', { fallback: 120, min: 1, max: 1e8 }),
    unauthenticatedLimitPerMinute: read.integer('UNAUTHENTICATED_LIMIT_PER_MINUTE', {
      fallback: 3000,
      min: 0,
      max: 1e8,
    }),
    masterKeys: withDatabase ? read.masterKeys('MASTER_KEYS') : NO_KEYS,
    natsUrl: read.text('NATS_URL', '') || undefined,
    region: read.name('REGION', 'default'),
    shardLeaseSeconds: read.integer('SHARD_LEASE_SECONDS', { fallback: 10, min: 2, max: 300 }),
    probeCapacity: read.integer('PROBE_CAPACITY', { fallback: 8000, min: 1, max: 100_000 }),
    probeCapacityPerOrganization: read.integer('PROBE_CAPACITY_PER_ORGANIZATION', {
      fallback: 4000,
      min: 1,
      max: 100_000,
    }),
    probeAllowCidrs: read.list('PROBE_ALLOW_CIDRS'),
    probeControlTargets: read.list('PROBE_CONTROL_TARGETS'),
    probeDnsServers: read.list('PROBE_DNS_SERVERS'),
    rdapBootstrapUrl: read.url(
      'RDAP_BOOTSTRAP_URL',
      ['https:', 'http:'],
      'https://data.iana.org/rdap/dns.json',
    ),
    whoisServer: read.text('WHOIS_SERVER', 'whois.iana.org'),
    webhookAllowCidrs: read.list('WEBHOOK_ALLOW_CIDRS'),
    webhookAllowHttp: read.oneOf('WEBHOOK_ALLOW_HTTP', ['true', 'false'], 'false') === 'true',
    webhookRetryScheduleSeconds: read.seconds('WEBHOOK_RETRY_SCHEDULE_SECONDS'),
    ...read.people(),
    resultRetentionDays: read.integer('RESULT_RETENTION_DAYS', { fallback: 30, min: 1, max: 3650 }),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return Object.freeze(config)
}

class Reader {
  readonly problems: string[] = []
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  text(name: string, fallback?: string): string {
    const value = this.#raw(name) ?? fallback
    if (value === undefined) this.problems.push(`${name} is required`)
    return value ?? ''
  }

  integer(name: string, { fallback, min, max }: Bounds): number {
    const text = this.#raw(name)
    if (text === undefined) return fallback
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    this.problems.push(`${name} must be a whole number from ${min} to ${max}`)
    return fallback
  }

  url(name: string, protocols: readonly string[], fallback?: string): string {
    const text = this.text(name, fallback)
    const url = URL.parse(text)
    if (text !== '' && !(url && protocols.includes(url.protocol)))
      this.problems.push(`${name} must be a URL that starts with ${protocols.join(' or ')}//`)
    return text
  }

  /** A word that may stand in a subject, a metric or an address. */
  name(name: string, fallback: string): string {
    const text = this.text(name, fallback)
    if (!/^[a-z0-9-]{1,32}$/.test(text))
      this.problems.push(`${name} must be 1 to 32 lower-case letters, digits or hyphens`)
    return text
  }

  list(name: string): string[] {
    const text = this.#raw(name) ?? ''
    return text.split(',').flatMap((part) => part.trim() || [])
  }

  /** Waits between attempts, such as `5,30,120`; empty means the product's own. */
  seconds(name: string): number[] {
    const values = this.list(name).map(Number)
    if (values.some((value) => !(value > 0)) || values.length > MAX_RETRIES)
      this.problems.push(
        `${name} must be up to ${MAX_RETRIES} positive numbers separated by commas`,
      )
    return values
  }

  oneOf<V extends string>(name: string, values: readonly V[], fallback: V): V {
    const text = this.#raw(name)
    const value = values.find((candidate) => candidate === text)
    if (text !== undefined && value === undefined)
      this.problems.push(`${name} must be one of ${values.join(', ')}`)
    return value ?? fallback
  }

  smtp(urlName: string, fromName: string): SmtpConfig | undefined {
    const url = this.#raw(urlName)
    if (url === undefined) return undefined
    const relay = parseSmtpUrl(url)
    if (typeof relay === 'string') this.problems.push(`${urlName} ${relay}`)
    const from = this.text(fromName)
    if (from !== '' && !isSender(from))
      this.problems.push(
        `${fromName} must be the address mails come from, such as status@example.com`,
      )
    return typeof relay === 'string' ? undefined : { relay, from }
  }

  people(): Pick<Config, 'alerts' | 'smtp' | 'oidc' | 'admin' | 'selfWatch' | 'streams'> {
    const smtp = this.smtp('SMTP_URL', 'SMTP_FROM')
    const alerts = readAlertConfig(this)
    const selfWatch = readSelfWatchConfig(this, smtp !== undefined)
    const streams = readStreamConfig(this)
    const oidc = readOidcConfig(this)
    return { alerts, smtp, streams, oidc, admin: this.admin(), selfWatch }
  }

  admin(): FirstAdmin | undefined {
    const email = this.text('ADMIN_EMAIL', '')
    const password = this.text('ADMIN_PASSWORD', '')
    if (email === '' && password === '') return undefined
    if (!isSender(email))
      this.problems.push('ADMIN_EMAIL must be an address such as ana@example.com')
    if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD)
      this.problems.push(`ADMIN_PASSWORD must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`)
    return { email, password, organization: this.text('ADMIN_ORGANIZATION', 'My organization') }
  }

  masterKeys(name: string): MasterKeys {
    const keys = parseMasterKeys(this.text(name))
    if (typeof keys !== 'string') return keys
    if (this.#raw(name) !== undefined) this.problems.push(`${name} ${keys}`)
    return NO_KEYS
  }

  /** Any variable may be given as NAME_FILE, so that secrets need not stand in the environment. */
  #raw(name: string): string | undefined {
    const direct = this.#environment[name]
    const file = this.#environment[`${name}_FILE`]
    if (direct !== undefined && file !== undefined)
      this.problems.push(`${name} and ${name}_FILE are both set; one is enough`)
    if (file === undefined) return direct === '' ? undefined : direct
    try {
      return readFileSync(file, 'utf8').trim()
    } catch {
      const problem = `${name}_FILE names a file that cannot be read`
      if (!this.problems.includes(problem)) this.problems.push(problem)
      return undefined
    }
  }
}
