// PostgreSQL for one test file: migrated, and cloned for each test that needs its own database.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createOrganization } from '../../src/operator/organizations/organizations.ts'
import { type MasterKeys, parseMasterKeys } from '../../src/platform/crypto/encryption.ts'
import { Database, type Protocol } from '../../src/store/core/db.ts'
import { OrganizationSecrets } from '../../src/store/core/organization-secrets.ts'
import { Tenants } from '../../src/store/core/tenants.ts'
import {
  MIGRATED,
  openMigratedServer,
  startMigratedPostgres,
} from '../../tools/migrated-postgres.ts'
import type { Postgres } from '../../tools/services/postgres.ts'
import { toUuid } from './public-id.ts'

const CONNECTIONS = 8
/** Of the test process. The suite `plain` runs files that others run, too. */
export const PROTOCOL: Protocol = process.env['DATABASE_PROTOCOL'] === 'plain' ? 'plain' : 'fast'

export type TestDatabase = {
  name: string
  /** Connected as the superuser, whom no policy restricts. */
  admin: pg.Client
  app: Database
  engine: Database
  masterKeys: MasterKeys
  tenants: Tenants
  /** Returns its UUID. */
  createOrganization(plan?: string): Promise<string>
  close(): Promise<void>
}

export type DbFixture = {
  postgres: Postgres
  openDatabase(options?: { connections?: number }): Promise<TestDatabase>
  stop(): Promise<void>
}

type DbOptions = {
  /** For files that change or measure the server itself: its roles, settings, connections, transaction ids or WAL. */
  own?: boolean
  settings?: Record<string, string>
}

export async function startDbFixture({ settings, own }: DbOptions = {}): Promise<DbFixture> {
  const postgres =
    own || settings !== undefined
      ? await startMigratedPostgres({ settings: settings ?? {} })
      : await openMigratedServer()
  const opened: TestDatabase[] = []
  return {
    postgres,
    async openDatabase({ connections = CONNECTIONS } = {}) {
      const name = `test_${opened.length}`
      await postgres.createDatabase(name, { template: MIGRATED })
      const database = await openTestDatabase(postgres, name, connections)
      opened.push(database)
      return database
    },
    async stop() {
      for (const database of opened) await database.close()
      await postgres.stop()
    },
  }
}

async function openTestDatabase(
  postgres: Postgres,
  name: string,
  connections: number,
): Promise<TestDatabase> {
  const admin = new pg.Client({ connectionString: postgres.databaseUrl(name, 'postgres') })
  await admin.connect()
  const url = postgres.databaseUrl(name)
  const app = new Database({ url, protocol: PROTOCOL, role: 'upvane_app', connections }, () => {})
  const engine = new Database(
    { url, protocol: PROTOCOL, role: 'upvane_engine', connections: 2 },
    () => {},
  )
  const masterKeys = newMasterKeys('first')
  const secrets = new OrganizationSecrets(masterKeys)
  let closed = false
  return {
    name,
    admin,
    app,
    engine,
    masterKeys,
    tenants: new Tenants(app, secrets),
    async createOrganization(plan = 'UNLIMITED') {
      return toUuid((await createOrganization(engine, secrets, { name: 'Test', plan })).id)
    },
    async close() {
      if (closed) return
      closed = true
      await Promise.all([admin.end(), app.close(), engine.close()])
    },
  }
}

/** The first name is the current one. */
export function newMasterKeys(...names: string[]): MasterKeys {
  const entries = names.map((name) => `${name}:${randomBytes(32).toString('base64')}`)
  const keys = parseMasterKeys(entries.join(','))
  if (typeof keys === 'string') throw new Error(keys)
  return keys
}
