import { execFileSync } from 'node:child_process'
import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Account } from './temporary-directory.ts'

// Debian keeps server programs where the PATH of an ordinary user does not look.
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin']

/** The folder of PostgreSQL's server programs: Debian's newest, or else one on the PATH. */
export function getPostgresFolder(): string {
  const versions = globSync('/usr/lib/postgresql/*/bin').toSorted(
    (a, b) => versionOf(b) - versionOf(a),
  )
  return getFolder('initdb', 'postgresql-15', [...versions, ...pathFolders()])
}

export function getNatsServer(): string {
  const name = 'nats-server'
  return join(getFolder(name, 'nats-server', [...pathFolders(), ...SYSTEM_FOLDERS]), name)
}

/** PostgreSQL refuses to run as root, so root lends it the account that Debian made for it. */
export function getPostgresAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch (cause) {
    throw new Error('No user "postgres": install the Debian package postgresql-15.', { cause })
  }
}

function idOf(option: '-u' | '-g'): number {
  return Number(
    execFileSync('id', [option, 'postgres'], { stdio: ['ignore', 'pipe', 'pipe'] }).toString(),
  )
}

function getFolder(name: string, debianPackage: string, folders: string[]): string {
  const folder = folders.find((candidate) => isExecutable(join(candidate, name)))
  if (folder === undefined)
    throw new Error(`${name} was not found: install the Debian package ${debianPackage}.`)
  return folder
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
  return Number(folder.split('/').at(-2))
}
