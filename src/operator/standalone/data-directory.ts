// The directory that keeps everything: found as it is, closed to others, and used by one container at a time.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DataFound } from '../../domain/operating/standalone.ts'
import { StartError } from '../../platform/process/start-error.ts'
import { SECRET_FILES, secretsIn } from './own-database.ts'
import { findReadableMajors, readProgramMajor } from './programs.ts'

const KEPT = /^postgres\.(\d{1,3})$/
const CLOSED = 0o700
const TAKEN = 75

export const postgresIn = (directory: string): string => join(directory, 'postgres')
export const socketsIn = (directory: string): string => join(directory, 'run')
/** Where a copy of the database is made, such as one of a newer major version. */
export const copyIn = (directory: string): string => join(directory, 'copy')
/** In it, once the copy can replace the database. */
export const completeIn = (directory: string): string => join(copyIn(directory), 'complete')
/** The database that an upgrade replaced. */
export const keptIn = (directory: string, major: number): string =>
  `${postgresIn(directory)}.${major}`
export const backupsIn = (directory: string): string => join(directory, 'backups')

export function inspectData(directory: string): DataFound {
  const secrets = secretsIn(directory)
  const hasSecrets = existsSync(secrets)
  const { bavail, bsize } = statfsSync(directory)
  const [dataMajor, programMajor] = [readDataMajor(postgresIn(directory)), readProgramMajor()]
  return {
    directory,
    isMounted: isMountPoint(directory),
    freeBytes: bavail * bsize,
    hasSecrets,
    missingSecrets: hasSecrets
      ? Object.values(SECRET_FILES).filter((name) => !existsSync(join(secrets, name)))
      : [],
    dataMajor,
    dataBytes: (dataMajor ?? programMajor) < programMajor ? measure(postgresIn(directory)) : 0,
    hasUpgraded: [completeIn(directory), postgresIn(copyIn(directory))].every((path) =>
      existsSync(path),
    ),
    keptMajors: findKeptMajors(directory),
    programMajor,
    readableMajors: findReadableMajors(),
  }
}

/**
 * Returns a file descriptor that holds the lock. PostgreSQL inherits it, so that the lock ends with its last process:
 * the ids in its own lock files are of another container, and say nothing here.
 */
export function openData(directory: string): number {
  return explainWrites(directory, () => {
    chmodSync(directory, CLOSED)
    for (const folder of [socketsIn(directory), backupsIn(directory)])
      mkdirSync(folder, { recursive: true, mode: CLOSED })
    const lock = openSync(join(directory, 'lock'), 'w', 0o600)
    const { status } = spawnSync('flock', ['--nonblock', `--conflict-exit-code=${TAKEN}`, '3'], {
      stdio: ['ignore', 'ignore', 'inherit', lock],
    })
    if (status === TAKEN)
      throw new StartError(`Upvane runs already with ${directory}. Stop the other container first.`)
    if (status !== 0) throw new StartError(`${directory} cannot be locked.`)
    return lock
  })
}

/** What a container that was killed left behind. Only for who holds the lock. */
export function removeLeftovers(directory: string): void {
  explainWrites(directory, () => {
    rmSync(join(postgresIn(directory), 'postmaster.pid'), { force: true })
    rmSync(socketsIn(directory), { recursive: true, force: true })
    mkdirSync(socketsIn(directory), { mode: CLOSED })
  })
}

/** Empty: what is left of an earlier copy is deleted. */
export function makeCopyDirectory(directory: string): void {
  explainWrites(directory, () => {
    rmSync(copyIn(directory), { recursive: true, force: true })
    mkdirSync(copyIn(directory), { mode: CLOSED })
  })
}

/** A disk that refuses is the operator's to change. */
export function explainWrites<T>(directory: string, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    throw new StartError(
      `${directory} cannot be written (${String(error.code)}). It must be on a disk that is not full or read-only, and belong to the account of the container: chown ${process.getuid?.()}:${process.getgid?.()}.`,
    )
  }
}

/** So that a new name survives a power failure. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Since its first start. */
export function readDataAgeSeconds(directory: string): number {
  return (Date.now() - statSync(secretsIn(directory)).mtimeMs) / 1000
}

export function isMountPoint(directory: string): boolean {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  return lines.some((line) => line.split(' ')[4] === directory)
}

function readDataMajor(cluster: string): number | undefined {
  if (!existsSync(cluster)) return undefined
  const file = join(cluster, 'PG_VERSION')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) || 0 : 0
}

export function findKeptMajors(directory: string): number[] {
  return readdirSync(directory).flatMap((name) => {
    const [, major] = KEPT.exec(name) ?? []
    return major === undefined ? [] : [Number(major)]
  })
}

function measure(folder: string): number {
  const { stdout } = spawnSync('du', ['-s', '--block-size=1', folder], { encoding: 'utf8' })
  return Number.parseInt(stdout, 10) || 0
}
