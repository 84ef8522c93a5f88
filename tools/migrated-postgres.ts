// A private PostgreSQL that has a migrated database already: a copy of one from an earlier run, because migrating takes a
// second of CPU time, and tests start hundreds.
import { createHash } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, readMigrations } from '../src/store/core/migrate.ts'
import { isOneOf, isOwnDirectory } from './services/own-directory.ts'
import {
  findPostgres,
  type Postgres,
  type PostgresOptions,
  startPostgres,
} from './services/postgres.ts'
import { openShared } from './services/shared-postgres.ts'

/** The migrated database. */
export const MIGRATED = 'upvane'
export const MIGRATIONS = join(import.meta.dirname, '../migrations')
const PREFIX = 'upvane-migrated-'
const KEPT_MS = 2 * 86_400_000
const HASH_CHARACTERS = 12

type DatabaseServer = Pick<Postgres, 'createDatabase' | 'databaseUrl'>

export async function startMigratedPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  return startPostgres({ ...options, copyOf: await getMigrated() })
}

/** Where databases can be created from `MIGRATED`: the server that test files share, or an own one. */
export async function openMigratedServer(): Promise<Postgres> {
  return openShared() ?? startMigratedPostgres()
}

/** As `startMigratedPostgres`, on the server that test files share, if there is one. */
export async function openMigratedPostgres(): Promise<Postgres> {
  const shared = openShared()
  if (shared === undefined) return startMigratedPostgres()
  await shared.createDatabase(MIGRATED, { template: MIGRATED })
  return shared
}

/** Creates the database on a server that is no copy, and migrates it. */
export async function createMigratedDatabase(postgres: DatabaseServer): Promise<void> {
  await postgres.createDatabase(MIGRATED)
  await migrate({
    url: postgres.databaseUrl(MIGRATED, 'upvane_owner'),
    directory: MIGRATIONS,
    serviceUrl: postgres.databaseUrl(MIGRATED),
  })
}

async function getMigrated(): Promise<string> {
  const { version, uid } = await findPostgres()
  const hash = createHash('sha256')
  for (const { name, sha256 } of readMigrations(MIGRATIONS)) hash.update(`${name} ${sha256}\n`)
  const digest = hash.digest('hex').slice(0, HASH_CHARACTERS)
  // Migrations create partitions from today on.
  const today = new Date().toISOString().slice(0, 10)
  const directory = join(tmpdir(), `${PREFIX}${version}-${uid}-${today}-${digest}`)
  if (!isOwnDirectory(directory, uid)) await makeMigrated(directory)
  return directory
}

// Created aside and renamed when complete. If two processes create it at once, the second finds it there.
async function makeMigrated(directory: string): Promise<void> {
  removeOld()
  const postgres = await startPostgres()
  try {
    await createMigratedDatabase(postgres)
    const draft = await postgres.copyData()
    renameSync(draft, directory)
  } catch (error) {
    if (!isOneOf(error, ['ENOTEMPTY', 'EEXIST'])) throw error
  } finally {
    await postgres.stop()
  }
}

/** Of other days, versions and states of the migrations. */
function removeOld(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const path = join(tmpdir(), name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && Date.now() - stats.mtimeMs > KEPT_MS)
      rmSync(path, { recursive: true, force: true })
  }
}
