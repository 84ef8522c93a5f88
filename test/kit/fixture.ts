// The product for one test file: its own copy, or the one that the files of a suite share, a client, and direct database
// access for what the API cannot show or create.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addOrganization } from '../../tools/accounts.ts'
import {
  type Environment,
  type Service,
  type Stack,
  startStack,
  toConnection,
} from '../../tools/stack.ts'
import { attachProduct, TEST_DEFAULTS } from '../../tools/tests/shared-product.ts'
import { hashKey, makeKey } from './api-key.ts'
import { Client } from './client.ts'
import { type Database, openDatabase } from './database.ts'
import { toUuid } from './ids.ts'

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

export type ProductOptions = {
  rateLimit?: number
  env?: Environment
  command?: 'api' | 'start'
  /** Not the product that the files of a suite share: this file stops, measures or overloads it, or counts rows of everybody. */
  own?: boolean
}

/** Disables the rate limit unless the test is about it. With `start` one process has every role. */
export async function startProduct(options: ProductOptions = {}) {
  const { rateLimit = TEST_DEFAULTS.rateLimit } = options
  const { stack, service } = await startOrAttach(options)
  const db = openDatabase(stack.databaseUrl)
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
      const id = await addOrganization(toConnection(stack), { name: 'Bench', plan, subscription })
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

async function startOrAttach({ rateLimit, env = {}, command = 'api', own }: ProductOptions) {
  const isShareable = !own && rateLimit === undefined
  const shared = isShareable ? await attachProduct({ command, added: env }) : undefined
  if (shared !== undefined) return shared
  const stack = await startStack({
    rateLimit: rateLimit ?? TEST_DEFAULTS.rateLimit,
    env: { ...TEST_DEFAULTS.env, ...env },
    ...(own && { ownPostgres: true }),
  })
  return { stack, service: await stack.start(command) }
}

export async function insertKey(db: Database, orgId: string, options: KeyOptions): Promise<string> {
  const { access = 'FULL', expiresAt = null, name = 'Test key' } = options
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
