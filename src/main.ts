#!/usr/bin/env node
// The operator's command, and the only place where the rooms are wired together.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AbuseGuard } from './api/abuse-guard.ts'
import { assertComplete } from './api/bind.ts'
import { clientAddress } from './api/client-address.ts'
import { renderDocs } from './api/docs-page.ts'
import { documentSurface, redirectSurface } from './api/documents.ts'
import { incidentOperations } from './api/incidents.ts'
import { createInternalServer } from './api/internal-server.ts'
import { monitorOperations } from './api/monitors.ts'
import { publicApi } from './api/public-api.ts'
import { Router } from './api/router.ts'
import { createApiServer } from './api/server.ts'
import { makeOpenapi } from './contract/openapi.ts'
import { OPERATIONS } from './contract/operations.ts'
import { startJanitor } from './engine/janitor.ts'
import { type Flags, parseCommand, UsageError } from './operator/flags.ts'
import { createKey, listKeys, stopKey } from './operator/keys.ts'
import { createOrganization, listOrganizations } from './operator/organizations.ts'
import { rotateKeys } from './operator/rotate-keys.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { listen, type Part, runUntilStopped } from './platform/lifecycle.ts'
import { type Log, openLog } from './platform/log.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { Database, type Role } from './store/db.ts'
import { isMigrated, migrate } from './store/migrate.ts'
import { OrganizationSecrets } from './store/organization-secrets.ts'
import { Tenants } from './store/tenants.ts'
import { isReachable } from './store/upkeep.ts'

const ROOT = join(import.meta.dirname, '..')
const MIGRATIONS = join(ROOT, 'migrations')
const OPERATOR_CONNECTIONS = 2
const JANITOR_CONNECTIONS = 2
// Its own connection: a busy pool is no reason to call a process dead.
const READINESS_CONNECTIONS = 1

const ROLES = ['api', 'janitor'] as const
type ServiceRole = (typeof ROLES)[number]

const HELP = `upvane: uptime monitoring

  upvane start                    every role in one process
  upvane ${ROLES.join(' | ').padEnd(24)} one role
  upvane migrate                  bring the database to this version
  upvane config check             read the configuration and name every problem
  upvane org create --name N [--plan P] [--subscription S]
  upvane org list
  upvane key create --org ID --name N [--access FULL|READ_ONLY] [--expires-in 90d]
  upvane key list --org ID
  upvane key disable|revoke --id ID
  upvane rotate-keys              wrap every organization's key with the current master key

  --json prints one line for machines. Configuration comes from the environment: docs/operating.md.`

try {
  const { words, flags } = parseCommand(process.argv.slice(2))
  if (words.length === 0 || flags['help'] === true) print(HELP)
  else await run(words, flags)
} catch (error) {
  if (!(error instanceof UsageError || error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

async function run(words: readonly string[], flags: Flags): Promise<void> {
  const command = words.join(' ')
  if (command === 'start') return serve(ROLES)
  const role = ROLES.find((name) => name === command)
  if (role !== undefined) return serve([role])

  const config = readConfig(process.env)
  if (command === 'config check') return report(flags, { configuration: 'sound' })
  if (command === 'migrate') {
    const applied = await migrate({
      url: config.migrateDatabaseUrl,
      directory: MIGRATIONS,
      serviceUrl: config.databaseUrl,
    })
    return report(flags, { applied })
  }
  return report(flags, await operate(command, flags, config))
}

async function operate(command: string, flags: Flags, config: Config): Promise<unknown> {
  const database = openDatabase(config, 'upvane_engine', OPERATOR_CONNECTIONS, () => {})
  const secrets = new OrganizationSecrets(config.masterKeys)
  try {
    switch (command) {
      case 'org create':
        return await createOrganization(database, secrets, flags)
      case 'org list':
        return await listOrganizations(database)
      case 'key create':
        return await createKey(database, flags)
      case 'key list':
        return await listKeys(database, flags)
      case 'key disable':
        return await stopKey(database, flags, 'disable')
      case 'key revoke':
        return await stopKey(database, flags, 'revoke')
      case 'rotate-keys':
        return await rotateKeys(database, secrets)
      default:
        throw new UsageError(`There is no command "${command}". Try upvane --help.`)
    }
  } finally {
    await database.close()
  }
}

async function serve(roles: readonly ServiceRole[]): Promise<void> {
  const config = readConfig(process.env)
  const { log, close } = openLog(config.logLevel)
  const metrics = createMetrics()
  if (!(await isMigrated(config.databaseUrl, MIGRATIONS)))
    throw new UsageError('The database is not at this version. Run upvane migrate first.')

  const parts: Part[] = []
  if (roles.includes('janitor')) parts.push(...startJanitorRole(config, log, metrics))
  if (roles.includes('api')) parts.push(...(await startApiRole(config, log, metrics)))
  parts.push(await startInternalServer(config, metrics))
  log.info({ roles, pid: process.pid }, 'started')
  await runUntilStopped(parts, log)
  close()
}

async function startInternalServer(config: Config, metrics: Metrics): Promise<Part> {
  const database = openDatabase(config, 'upvane_app', READINESS_CONNECTIONS, () => {})
  const server = createInternalServer(metrics.registry, async () => {
    const ready = await isReachable(database)
    return { ready, reasons: ready ? [] : ['the database does not answer'] }
  })
  const { internalHost: host, internalPort: port } = config
  const part = await listen('internal', server, { host, port })
  return { name: 'internal', stop: () => part.stop().then(() => database.close()) }
}

async function startApiRole(config: Config, log: Log, metrics: Metrics): Promise<Part[]> {
  const database = openDatabase(config, 'upvane_app', config.databaseConnections, onBreak(log))
  metrics.watchPool('api', () => database.stats)
  const bound = [...monitorOperations, ...incidentOperations]
  assertComplete(OPERATIONS, bound)

  const openapi = readFileSync(join(ROOT, 'openapi.json'), 'utf8')
  const reference = renderDocs(makeOpenapi(OPERATIONS, { serverUrl: config.baseUrl }))
  const api = publicApi({
    database,
    tenants: new Tenants(database, new OrganizationSecrets(config.masterKeys)),
    router: new Router(bound),
    abuseGuard: new AbuseGuard(config.unauthenticatedLimitPerMinute),
    clientAddress: clientAddress(config.trustedProxies),
    rateLimitRequests: config.rateLimitRequests,
    baseUrl: config.baseUrl,
    log,
    metrics,
  })
  const server = createApiServer(
    [
      { prefix: '/api/v1', serve: api },
      documentSurface('/openapi.json', { type: 'application/json; charset=utf-8', body: openapi }),
      documentSurface('/docs', { type: 'text/html; charset=utf-8', body: reference }),
      redirectSurface('/', '/docs'),
    ],
    config.rateLimitRequests,
  )
  const part = await listen('api', server, config)
  log.info({ port: part.port }, 'listening')
  return [{ name: 'api database', stop: () => database.close() }, part]
}

function startJanitorRole(config: Config, log: Log, metrics: Metrics): Part[] {
  const database = openDatabase(config, 'upvane_engine', JANITOR_CONNECTIONS, onBreak(log))
  metrics.watchPool('janitor', () => database.stats)
  const janitor = startJanitor({ database, log })
  return [
    { name: 'janitor database', stop: () => database.close() },
    { name: 'janitor', stop: janitor.stop },
  ]
}

function openDatabase(
  { databaseUrl: url }: Config,
  role: Role,
  connections: number,
  onError: (error: Error) => void,
): Database {
  return new Database({ url, role, connections }, onError)
}

function onBreak(log: Log) {
  return (err: Error) => log.warn({ err }, 'idle database connection broke')
}

function report(flags: Flags, outcome: unknown): void {
  print(flags['json'] === true ? JSON.stringify(outcome) : JSON.stringify(outcome, null, 2))
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
