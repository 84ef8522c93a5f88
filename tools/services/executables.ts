// Finds the server programs on this machine, and the account they run under.
import { execFileSync } from 'node:child_process'
import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findEmbeddedPostgres } from './embedded-postgres.ts'
import type { Account } from './temporary-directory.ts'

// Debian installs server programs outside an ordinary user's PATH.
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin']
// Debian, Homebrew on Apple silicon, Homebrew on Intel.
const POSTGRES_FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
]
const VERSION = /([0-9]+)\/bin$/
// Debian's own account first; the other exists on every Linux.
const ACCOUNTS = ['postgres', 'nobody']

const NO_POSTGRES =
  'PostgreSQL was not found. Install it: on Debian with "apt install postgresql-15", on macOS with "brew install postgresql@17".'
const NO_EMBEDDED =
  'npm has no PostgreSQL for this machine either, or "npm ci" was run with --omit=optional or --omit=dev.'
const NO_NATS =
  'nats-server was not found. Install it: on Debian with "apt install nats-server", on macOS with "brew install nats-server".'

/** A program the user can install; the message says how. */
export class MissingProgramError extends Error {}

export type PostgresPrograms = { folder: string; account: Account; isEmbedded: boolean }

/** The server programs of an installed PostgreSQL. `mayEmbed` falls back to the one from npm: a beta without psql
 * and pg_dump, only good enough to try the product. */
export function getPostgres(mayEmbed = false): PostgresPrograms {
  const installed = findPostgresFolder()
  if (installed !== undefined)
    return { folder: installed, account: getAccount(), isEmbedded: false }
  if (!mayEmbed) throw new MissingProgramError(NO_POSTGRES)
  const embedded = findEmbeddedPostgres()
  if (embedded === undefined) throw new MissingProgramError(`${NO_POSTGRES} ${NO_EMBEDDED}`)
  return { folder: embedded, account: getAccount(), isEmbedded: true }
}

/** The folder of an installed PostgreSQL's programs, including pg_dump. */
export function getPostgresFolder(): string {
  return getPostgres().folder
}

export function getNatsServer(): string {
  const found = findProgram('nats-server')
  if (found === undefined) throw new MissingProgramError(NO_NATS)
  return found
}

/** The path of an installed program. */
export function findProgram(name: string): string | undefined {
  const folder = findFolder(name, [...pathFolders(), ...SYSTEM_FOLDERS])
  return folder && join(folder, name)
}

/** The newest in the usual places, or one on the PATH. Tests of other versions set their folder. */
function findPostgresFolder(): string | undefined {
  const named = process.env['TEST_POSTGRES_FOLDER']
  if (named) return findFolder('initdb', [named])
  const usual = globSync(POSTGRES_FOLDERS).toSorted((a, b) => versionOf(b) - versionOf(a))
  return findFolder('initdb', [...usual, ...pathFolders()])
}

/** PostgreSQL refuses to run as root, so root runs it under another account. */
function getAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ACCOUNTS) {
    const [uid, gid] = [findId('-u', name), findId('-g', name)]
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new MissingProgramError(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody". Use another account.',
  )
}

function findId(option: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'pipe'] }))
  } catch {
    return undefined
  }
}

function findFolder(name: string, folders: string[]): string | undefined {
  return folders.find((candidate) => isExecutable(join(candidate, name)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
}

function versionOf(folder: string): number {
  return Number(VERSION.exec(folder)?.[1] ?? 0)
}
