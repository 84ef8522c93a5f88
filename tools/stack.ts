// The product on private servers: its own PostgreSQL and optionally NATS, migrated, with organizations and keys, and as
// many processes as a test needs. Everything stops with the process that started it.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Demo, fillDemo } from './accounts.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import {
  createMigratedDatabase,
  MIGRATED,
  openMigratedPostgres,
  startMigratedPostgres,
} from './migrated-postgres.ts'
import { type Nats, startNats } from './services/nats.ts'
import { findFreePort } from './services/ports.ts'
import { type Postgres, startPostgres } from './services/postgres.ts'
import { openTemporaryDirectory } from './services/temporary-directory.ts'

const ROOT = join(import.meta.dirname, '..')
// Generous: an exit is noticed at once, and a busy machine is slow.
const READY_SECONDS = 60
const POLL_MS = 50
const LOG_LINES = 20

export type Environment = Record<string, string>
/** NATS is started unless it is disabled, because single roles need it. */
export type StackOptions = {
  nats?: boolean
  durable?: boolean
  rateLimit?: number
  env?: Environment
  /** Falls back to the PostgreSQL from npm if none is installed. */
  mayEmbedPostgres?: boolean
  /** Not the PostgreSQL that test files share: this stack stops, freezes, measures or configures it. */
  ownPostgres?: boolean
}

export type Service = {
  baseUrl: string
  internalUrl: string
  process: ChildProcess
  /** Sends SIGTERM and waits. Returns the exit code. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

/** What the product needs of PostgreSQL, whether it is one server or a cluster. */
type DatabaseServer = Pick<Postgres, 'databaseUrl'>

type PreparedProduct = Demo & {
  /** The superuser's URL of the product's database. */
  databaseUrl: string
  env: Environment
}

export type Stack = PreparedProduct & {
  postgres: Postgres
  nats: Nats | undefined
  /** Where the processes run and write their logs. */
  directory: string
  /** Starts one process of the product and waits until it is ready. */
  start(command?: string, options?: { port?: number; env?: Environment }): Promise<Service>
  stop(): Promise<void>
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const postgres = await startDatabase(options)
  const nats = options.nats === false ? undefined : await startNats()
  // Not in PostgreSQL's directory: its watchdog runs under PostgreSQL's account and may not stop processes of another.
  const home = openTemporaryDirectory('upvane-services-', 'none.pid')
  const services: Service[] = []
  try {
    const product = await prepareProduct(postgres, nats?.url, options)
    const { env } = product
    const stop = async () => {
      await Promise.all(services.map((service) => service.stop()))
      await Promise.all([home.close(), postgres.stop(), nats?.stop()])
    }
    const start: Stack['start'] = async (command = 'start', { port, env: more = {} } = {}) => {
      const service = await startService(command, home.path, { ...env, ...more }, port)
      services.push(service)
      return service
    }
    return { ...product, postgres, nats, directory: home.path, start, stop }
  } catch (error) {
    await Promise.all([home.close(), postgres.stop(), nats?.stop()])
    throw error
  }
}

async function startDatabase({
  durable = false,
  mayEmbedPostgres,
  ownPostgres,
}: StackOptions): Promise<Postgres> {
  if (durable || ownPostgres) return startMigratedPostgres({ durable })
  if (mayEmbedPostgres !== true) return openMigratedPostgres()
  // Started once and for a long time: a copy for the next time would only cost disk.
  const postgres = await startPostgres({ durable, mayEmbed: true })
  try {
    await createMigratedDatabase(postgres)
    return postgres
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/** Fills the migrated database with organizations and keys. */
export async function prepareProduct(
  postgres: DatabaseServer,
  natsUrl: string | undefined,
  options: StackOptions,
): Promise<PreparedProduct> {
  const env = environmentOf(postgres, natsUrl, options)
  const databaseUrl = postgres.databaseUrl(MIGRATED, 'postgres')
  const demo = await fillDemo(toConnection({ databaseUrl, env }))
  return { ...demo, databaseUrl, env }
}

export const toConnection = ({ databaseUrl, env }: Pick<Stack, 'databaseUrl' | 'env'>) => ({
  databaseUrl: env['DATABASE_URL'] ?? '',
  adminUrl: databaseUrl,
  masterKeys: env['MASTER_KEYS'] ?? '',
})

function environmentOf(
  postgres: DatabaseServer,
  natsUrl: string | undefined,
  options: StackOptions,
): Environment {
  const { DATABASE_PROTOCOL: protocol, NODE_OPTIONS: nodeOptions } = process.env
  const loopback = '127.0.0.0/8,::1/128'
  return {
    PATH: process.env['PATH'] ?? '',
    ...COMPILE_CACHE,
    DATABASE_URL: postgres.databaseUrl(MIGRATED),
    MIGRATE_DATABASE_URL: postgres.databaseUrl(MIGRATED, 'upvane_owner'),
    MASTER_KEYS: `try:${randomBytes(32).toString('base64')}`,
    HOST: '127.0.0.1',
    PROBE_ALLOW_CIDRS: loopback,
    WEBHOOK_ALLOW_CIDRS: loopback,
    WEBHOOK_ALLOW_HTTP: 'true',
    RATE_LIMIT_REQUESTS: String(options.rateLimit ?? 120),
    ...(protocol !== undefined && { DATABASE_PROTOCOL: protocol }),
    ...(nodeOptions !== undefined && { NODE_OPTIONS: nodeOptions }),
    ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
    ...options.env,
  }
}

export async function startService(
  command: string,
  directory: string,
  env: Environment,
  wantedPort?: number,
): Promise<Service> {
  const port = wantedPort || (await findFreePort())
  const internalPort = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const internalUrl = `http://127.0.0.1:${internalPort}`
  const logFile = join(directory, `service-${port}.log`)
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), command], {
    // The watchdog stops every process that runs there.
    cwd: directory,
    stdio: ['ignore', log, log],
    env: { BASE_URL: baseUrl, ...env, PORT: String(port), INTERNAL_PORT: String(internalPort) },
  })
  await waitUntilReady(internalUrl, child).catch((error: Error) => {
    const lastLines = readFileSync(logFile, 'utf8').split('\n').slice(-LOG_LINES).join('\n')
    throw new Error(`${error.message}. Its log ends with:\n${lastLines}`)
  })
  return {
    baseUrl,
    internalUrl,
    process: child,
    async stop() {
      child.kill('SIGTERM')
      return ended(child)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended(child)
    },
  }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

async function waitUntilReady(internalUrl: string, child: ChildProcess): Promise<void> {
  for (let waitedMs = 0; waitedMs < READY_SECONDS * 1000; waitedMs += POLL_MS) {
    if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode}`)
    const ready = await fetch(`${internalUrl}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`The service was not ready after ${READY_SECONDS} s`)
}
