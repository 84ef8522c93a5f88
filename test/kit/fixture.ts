// A private copy of the product for one test file: its own database, one API process, a client, and direct database
// access for what the API cannot show or create.
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Environment, type Service, type Stack, startStack } from '../../tools/stack.ts'
import { hashKey, makeKey } from './api-key.ts'
import { Client } from './client.ts'
import { type Database, openDatabase } from './database.ts'
import { toUuid } from './ids.ts'

const PLENTY = 1_000_000
// Tests send requests faster than people do.
const NO_APP_LIMITS = {
  APP_REQUESTS_PER_SESSION: '0',
  APP_REQUESTS_PER_ORGANIZATION: '0',
  APP_REQUESTS_PER_NETWORK: '0',
}
const MAIN = join(import.meta.dirname, '../../src/main.ts')
const run = promisify(execFile)

export type Organization = { id: string; uuid: string; api: Client; key: string }
type KeyOptions = { access?: 'FULL' | 'READ_ONLY'; expiresAt?: Date; name?: string }

export type ProductFixture = {
  stack: Stack
  service: Service
  /** Uses the full key of the demo organization. */
  api: Client
  keys: Stack['keys']
  orgId: string
  db: Database
  /** Another process of the product on the same database. */
  startApi(env?: Environment): Promise<Client>
  createOrganization(plan?: string, subscription?: string): Promise<Organization>
  createKey(orgId: string, options?: KeyOptions): Promise<string>
  stop(): Promise<void>
}

export type ProductOptions = { rateLimit?: number; env?: Environment; command?: 'api' | 'start' }

/** Disables the rate limit unless the test is about it. With `start` one process has every role. */
export async function startProduct(options: ProductOptions = {}) {
  const { rateLimit = PLENTY, env = {}, command = 'api' } = options
  const stack = await startStack({
    nats: true,
    rateLimit,
    env: { LOG_LEVEL: 'warn', ...NO_APP_LIMITS, ...env },
  })
  const db = openDatabase(stack.databaseUrl)
  const service = await stack.start(command)
  const clients: Client[] = []
  const readLog = () => logsIn(stack.directory)
  const client = (baseUrl: string, key: string) => {
    const created = new Client({ baseUrl, key, rateLimit, readLog })
    clients.push(created)
    return created
  }
  const api = client(service.baseUrl, stack.keys.full)
  const createKey = (orgId: string, key: KeyOptions = {}) => insertKey(db, orgId, key)
  const fixture: ProductFixture = {
    stack,
    service,
    api,
    keys: stack.keys,
    orgId: stack.organizationId,
    db,
    createKey,
    async startApi(more = {}) {
      const started = await stack.start('api', { env: more })
      return client(started.baseUrl, stack.keys.full)
    },
    async createOrganization(plan = 'UNLIMITED', subscription = 'ACTIVE') {
      const id = await makeOrganization(stack.env, plan, subscription)
      const key = await createKey(id)
      return { id, uuid: toUuid(id), key, api: api.as(key) }
    },
    async stop() {
      for (const each of clients) each.close()
      await db.close()
      await stack.stop()
    },
  }
  return fixture
}

/** By the operator's command: only the product can create an organization's encryption key. */
async function makeOrganization(env: Environment, plan: string, subscription: string) {
  const flags = ['--name', 'Bench', '--plan', plan, '--subscription', subscription, '--json']
  const { stdout } = await run(process.execPath, [MAIN, 'org', 'create', ...flags], { env })
  return (JSON.parse(stdout) as { id: string }).id
}

export async function insertKey(db: Database, orgId: string, options: KeyOptions): Promise<string> {
  const { access = 'FULL', expiresAt = null, name = 'Bench key' } = options
  const key = makeKey()
  await db.run(
    `insert into api_keys (id, org_id, name, access, hash, last4, expires_at)
     values (new_uuid(), $1, $2, $3, $4, $5, $6)`,
    [toUuid(orgId), name, access, hashKey(key), key.slice(-4), expiresAt],
  )
  return key
}

const LOG_TAIL = 4000

function logsIn(directory: string): string {
  const files = globSync(join(directory, 'service-*.log'))
  return files.map((file) => readFileSync(file, 'utf8').slice(-LOG_TAIL)).join('\n')
}
