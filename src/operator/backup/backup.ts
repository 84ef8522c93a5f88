// `upvane backup` and `upvane restore`.
import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { migrate, readMigrations } from '../../store/core/migrate.ts'
import {
  countRows,
  createMissingRoles,
  forgetRestoredProcesses,
  inspectTarget,
  type RowCounts,
  type Snapshot,
  withSnapshot,
} from '../../store/operating/backup.ts'
import { recordAsOwner, recordCommand } from '../cli/audit.ts'
import type { CommandContext } from '../cli/command.ts'
import { UsageError } from '../cli/flags.ts'
import { type LibpqEnvironment, libpqEnvironment } from '../cli/libpq-environment.ts'
import { BackupError, requireProgram, runProgram } from '../cli/postgres-programs.ts'
import {
  type BackupRecord,
  exists,
  hashFile,
  PRIVATE,
  readRecord,
  recordPath,
  requireUnchanged,
  writeRecord,
} from './record.ts'
import { runRestore } from './run-restore.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const MAX_DIFFERENCES = 5
const NO_SUCH_TABLE = '42P01'

type BackupOutcome = {
  file: string
  record: string
  schema: string
  bytes: number
  sha256: string
  tables: number
  rows: number
}
type RestoreOutcome = {
  schema: string
  tables: number
  rows: number
  createdRoles: string[]
  applied: string[]
}

/** Where a timer makes backups, the service reports one that fails or is missing. */
export async function backUp(context: CommandContext): Promise<BackupOutcome> {
  const isScheduled = context.flags['scheduled'] === true
  try {
    return await writeBackup(context, isScheduled)
  } catch (error) {
    if (isScheduled) await recordFailure(context)
    throw error
  }
}

/** Through the service's login, since that of the owner may be what failed. The first error says more than a second one. */
async function recordFailure({ engine }: CommandContext): Promise<void> {
  const line = { action: 'backup failed', detail: { scheduled: true } }
  await recordCommand(engine, line).catch(() => {})
}

async function writeBackup(
  { args, config, environment }: CommandContext,
  isScheduled: boolean,
): Promise<BackupOutcome> {
  const { migrateDatabaseUrl: url } = config
  const outcome = await dumpDatabase(fileOf(args), url, environment)
  const { schema, bytes, sha256, rows } = outcome
  const line = { action: 'backup', detail: { schema, bytes, sha256, rows, scheduled: isScheduled } }
  await recordAsOwner(url, line).catch(unlessOlder)
  return outcome
}

/** Into two new files. `url`: of the account that owns the tables. */
export async function dumpDatabase(
  file: string,
  url: string,
  environment: NodeJS.ProcessEnv,
): Promise<BackupOutcome> {
  for (const path of [file, recordPath(file)])
    if (exists(path))
      throw new UsageError(`${path} exists already. A backup never overwrites a file.`)
  const libpq = libpqEnvironment(url, environment)
  return withSnapshot(url, async (snapshot) => {
    await requireProgram('pg_dump', libpq, snapshot.serverMajor)
    await requireProgram('pg_restore', libpq, snapshot.serverMajor)
    return dump(file, snapshot, libpq)
  })
}

/** A version without an operator log is backed up before its upgrade. */
function unlessOlder(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === NO_SUCH_TABLE)) throw error
}

export async function restore({ args, config, environment }: CommandContext) {
  const { migrateDatabaseUrl: url, databaseUrl: serviceUrl } = config
  const file = fileOf(args)
  const outcome = await restoreDatabase(file, { url, serviceUrl }, environment)
  const { schema, tables, rows, applied } = outcome
  const { sha256 } = readRecord(file)
  await recordAsOwner(url, { action: 'restore', detail: { schema, sha256, tables, rows, applied } })
  return outcome
}

/** `url`: of the account that will own the tables; `serviceUrl`: of the service's. */
export async function restoreDatabase(
  file: string,
  { url, serviceUrl }: { url: string; serviceUrl: string },
  environment: NodeJS.ProcessEnv,
): Promise<RestoreOutcome> {
  const record = readRecord(file)
  requireKnownSchema(record)
  await requireUnchanged(file, record)
  const libpq = libpqEnvironment(url, environment)
  const { serverMajor, objects } = await inspectTarget(url)
  requireEmpty(objects)
  await runProgram('pg_restore', { args: ['--list', file], environment: libpq })
  const createdRoles = await createMissingRoles(url)
  await runRestore(file, libpq, serverMajor)
  // Before migrations, which may change rows.
  requireSameRows(record.rows, await countRows(url))
  const applied = await migrate({ url, directory: MIGRATIONS, serviceUrl })
  await forgetRestoredProcesses(url)
  return { schema: record.schema, ...totalsOf(record.rows), createdRoles, applied }
}

export function formatBackup({ file, record, schema, bytes, tables, rows }: BackupOutcome): string {
  return `Backed up ${rows} rows of ${tables} tables, schema ${schema}, ${bytes} bytes:
  ${file}
  ${record}
Keep both files together. The master keys are not in them: keep a copy of MASTER_KEYS in another place.`
}

export function formatRestore({ schema, tables, rows, applied }: RestoreOutcome): string {
  const migrations =
    applied.length === 0 ? 'No migration was needed.' : `Then applied ${applied.join(', ')}.`
  return `Restored ${rows} rows of ${tables} tables, schema ${schema}. ${migrations}
Next:
  1. Set MASTER_KEYS to the keys that were in use when the backup was created.
  2. Run upvane org list and check that your organizations are there.
  3. Start Upvane. Checks and alerts begin at once; see "Try a restore" in docs/operating/backup.md for a copy that alerts nobody.`
}

function fileOf([file]: readonly string[]): string {
  if (file === undefined || file === '')
    throw new UsageError('Name the file, such as /var/backups/upvane.dump.')
  return resolve(file)
}

async function dump(
  file: string,
  { id, schema, serverMajor, rows }: Snapshot,
  environment: LibpqEnvironment,
): Promise<BackupOutcome> {
  const descriptor = create(file)
  try {
    const args = ['--format=custom', '--no-password', `--snapshot=${id}`]
    await runProgram('pg_dump', { args, environment, outputTo: descriptor })
    fsyncSync(descriptor)
    await requireContents(file, rows, environment)
    const sha256 = await hashFile(file)
    const { size: bytes } = statSync(file)
    writeRecord(file, { schema, postgres: serverMajor, sha256, bytes, rows })
    return { file, record: recordPath(file), schema, bytes, sha256, ...totalsOf(rows) }
  } catch (error) {
    rmSync(file, { force: true })
    // Such as a full disk.
    if (error instanceof Error && 'syscall' in error)
      throw new BackupError(`The backup failed, and its file was deleted: ${error.message}`)
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** Reads the dump back: it must contain every table that was counted. */
async function requireContents(
  file: string,
  rows: RowCounts,
  environment: LibpqEnvironment,
): Promise<void> {
  const list = await runProgram('pg_restore', { args: ['--list', file], environment })
  const missing = Object.keys(rows).filter((name) => !list.includes(` TABLE public ${name} `))
  if (missing.length > 0) throw new BackupError(`The dump lacks ${missing.join(', ')}.`)
}

function create(file: string): number {
  try {
    return openSync(file, 'wx', PRIVATE)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The file cannot be created: ${reason}`)
  }
}

function requireKnownSchema({ schema }: BackupRecord): void {
  const known = readMigrations(MIGRATIONS).map(({ name }) => name)
  if (known.includes(schema)) return
  throw new UsageError(
    `The backup is newer than this version of Upvane: its schema is ${schema}, and this version knows ${known.at(-1)}. Restore it with the version that wrote it, or a newer one.`,
  )
}

function requireSameRows(expected: RowCounts, found: RowCounts): void {
  const tables = Object.keys({ ...expected, ...found })
  const different = tables.filter((table) => expected[table] !== found[table])
  if (different.length === 0) return
  const shown = different
    .slice(0, MAX_DIFFERENCES)
    .map((table) => `${table} ${found[table] ?? 'missing'} instead of ${expected[table] ?? 'none'}`)
  throw new BackupError(
    `The restored rows are not those of the backup: ${shown.join(', ')}. Do not use this database; drop it and restore again.`,
  )
}

export function requireEmpty(objects: number): void {
  if (objects > 0) throw new UsageError(notEmpty(objects))
}

function notEmpty(objects: number): string {
  return `The database that MIGRATE_DATABASE_URL names is not empty: it has ${objects} tables, indexes, functions or other objects. Restore into a new database: create database upvane owner upvane_owner template template0 encoding 'UTF8' locale 'C.UTF-8'`
}

function totalsOf(counts: RowCounts): { tables: number; rows: number } {
  const values = Object.values(counts)
  return { tables: values.length, rows: values.reduce((sum, count) => sum + count, 0) }
}
