// The file next to a dump that describes its contents: <dump>.json.
import { createHash } from 'node:crypto'
import { createReadStream, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { RowCounts } from '../../store/operating/backup.ts'
import { UsageError } from '../cli/flags.ts'

const FORMAT = 'upvane-backup/1'
const MAX_BYTES = 256 * 1024
export const PRIVATE = 0o600

export type BackupRecord = {
  format: typeof FORMAT
  createdAt: string
  /** The newest migration in the dump. */
  schema: string
  postgres: number
  sha256: string
  bytes: number
  rows: RowCounts
}

export const recordPath = (file: string): string => `${file}.json`

export function writeRecord(
  file: string,
  record: Omit<BackupRecord, 'format' | 'createdAt'>,
): void {
  const whole: BackupRecord = { format: FORMAT, createdAt: new Date().toISOString(), ...record }
  const text = `${JSON.stringify(whole, null, 1)}\n`
  writeFileSync(recordPath(file), text, { flag: 'wx', mode: PRIVATE, flush: true })
}

export function readRecord(file: string): BackupRecord {
  const path = recordPath(file)
  const record = parse(path)
  if (!isRecord(record))
    throw new UsageError(`${path} is not the description of a backup that this version can read.`)
  return record
}

/** Fails unless the dump matches its record byte for byte. */
export async function requireUnchanged(file: string, record: BackupRecord): Promise<void> {
  if (!exists(file)) throw new UsageError(`${file} does not exist.`)
  if (statSync(file).size === record.bytes && (await hashFile(file)) === record.sha256) return
  throw new UsageError(
    `${file} is not the file that upvane backup wrote: its SHA-256 differs from the one in ${recordPath(file)}. Copy it again, or use another backup.`,
  )
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  return hash.digest('hex')
}

/** Also true for a broken symlink. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): UsageError {
  const reason = error instanceof Error ? error.message : String(error)
  return new UsageError(`${path} cannot be read: ${reason}`)
}

function parse(path: string): unknown {
  if (!exists(path))
    throw new UsageError(
      `${path} does not exist. upvane backup writes it next to the dump when the dump is complete; keep both together.`,
    )
  try {
    return statSync(path).size > MAX_BYTES ? undefined : JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is BackupRecord {
  if (typeof value !== 'object' || value === null) return false
  const { format, schema, postgres, sha256, bytes, rows } = value as Partial<BackupRecord>
  return (
    format === FORMAT &&
    typeof schema === 'string' &&
    Number.isInteger(postgres) &&
    typeof sha256 === 'string' &&
    Number.isInteger(bytes) &&
    typeof rows === 'object' &&
    rows !== null &&
    Object.values(rows).every((count) => Number.isInteger(count))
  )
}
