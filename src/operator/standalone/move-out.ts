// `upvane move-out`: everything in the database of the container, to another PostgreSQL.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from '../../platform/observability/log.ts'
import { inspectTarget } from '../../store/operating/backup.ts'
import { dumpDatabase, requireEmpty, restoreDatabase } from '../backup/backup.ts'
import { recordAsOwner } from '../cli/audit.ts'
import type { Command, CommandContext } from '../cli/command.ts'
import { UsageError } from '../cli/flags.ts'
import {
  copyIn,
  inspectData,
  makeCopyDirectory,
  openData,
  postgresIn,
  removeLeftovers,
} from './data-directory.ts'
import { isSet, SECRET_FILES, secretsIn, useOwnDatabase } from './own-database.ts'
import { findServer } from './programs.ts'
import { runServer } from './upgrade.ts'

type MovedOut = { directory: string; schema: string; tables: number; rows: number }

const TARGET = ['DATABASE_URL', 'MIGRATE_DATABASE_URL']
const INTERRUPTED = 130

export const MOVE_OUT: Command = {
  name: 'move-out',
  summary: 'copy the database of the container to another PostgreSQL',
  manual: [
    'For a container that was stopped and has its own PostgreSQL. DATABASE_URL and MIGRATE_DATABASE_URL name the new database,\nas they will for the service; it must be empty, and of the same or a newer major version.',
    'Copies all or nothing, compares the number of rows in each table, and says what to set. The data in the volume stay as\nthey are.',
  ],
  examples: [
    'docker run --rm -v upvane:/data -e DATABASE_URL=… -e MIGRATE_DATABASE_URL=… upvane move-out',
  ],
  changes: true,
  run: moveOut,
  format: formatMovedOut,
}

async function moveOut(context: CommandContext): Promise<MovedOut> {
  const { environment } = context
  const directory = requireData(environment)
  useOwnDatabase(environment, directory)
  const { migrateDatabaseUrl: url, databaseUrl: serviceUrl } = context.config
  const own = join(secretsIn(directory), SECRET_FILES.MIGRATE_DATABASE_URL)
  const lock = openData(directory)
  // The first process of a container gets no signal that it does not ask for. What is running ends with it.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => process.exit(INTERRUPTED))
  removeLeftovers(directory)
  const major = inspectData(directory).dataMajor ?? 0
  const server = findServer(major)
  if (server === undefined)
    throw new UsageError(
      `The data are of PostgreSQL ${major}, whose programs this image lacks. Use the image that they were last used with.`,
    )
  await requireTarget(url, serviceUrl, major)
  const { log, close } = openLog('info')
  const file = join(copyIn(directory), 'upvane.dump')
  try {
    makeCopyDirectory(directory)
    await runServer({ directory, lock, log, server }, () =>
      dumpDatabase(file, readFileSync(own, 'utf8').trim(), environment),
    )
    const restored = await restoreDatabase(file, { url, serviceUrl }, environment)
    const { schema, tables, rows } = restored
    await recordAsOwner(url, { action: 'move-out', detail: { schema, tables, rows } })
    return { directory, schema, tables, rows }
  } finally {
    rmSync(copyIn(directory), { recursive: true, force: true })
    close()
  }
}

/** The directory of a container that has data to move. */
function requireData(environment: NodeJS.ProcessEnv): string {
  const directory = environment['UPVANE_DATA'] ?? ''
  if (directory === '')
    throw new UsageError(
      'Only a container with its own PostgreSQL has something to move. Elsewhere use upvane backup and upvane restore.',
    )
  const missing = TARGET.filter((name) => !isSet(environment, name))
  if (missing.length > 0)
    throw new UsageError(
      `Set ${missing.join(' and ')} to the new database: move-out needs the addresses of the service's account and of the account that will own the tables.`,
    )
  const hasData = [secretsIn(directory), join(postgresIn(directory), 'PG_VERSION')].every((path) =>
    existsSync(path),
  )
  if (!hasData) throw new UsageError(`${directory} has no database to move.`)
  return directory
}

/** Before anything is copied. */
async function requireTarget(url: string, serviceUrl: string, major: number): Promise<void> {
  const { serverMajor, objects } = await inspectTarget(url)
  if (serverMajor < major)
    throw new UsageError(
      `The new database is of PostgreSQL ${serverMajor}, and the data are of PostgreSQL ${major}. Move to PostgreSQL ${major} or newer.`,
    )
  requireEmpty(objects)
  // The service's login has no privileges there yet, but it must be able to connect.
  await inspectTarget(serviceUrl)
}

function formatMovedOut({ directory, schema, tables, rows }: MovedOut): string {
  return `Copied ${rows} rows of ${tables} tables, schema ${schema}. The data in ${directory} are as they were.
Next:
  1. Start the container again with DATABASE_URL as now and with MASTER_KEYS, the content of ${directory}/secrets/master_keys;
     or with the same volume and MASTER_KEYS_FILE=${directory}/secrets/master_keys. PostgreSQL then no longer starts inside.
  2. Run upvane migrate before you start a newer version, with MIGRATE_DATABASE_URL as now.
  3. Back up the new database every night: see docs/operating/backup.md. The container no longer does.
  4. Keep your copy of the master keys, and delete the volume when everything works.
`
}
