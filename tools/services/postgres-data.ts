// The data directory of a new PostgreSQL: a copy of one that initdb made once, for initdb takes
// seconds and the copy a fraction of one.
import { execFile } from 'node:child_process'
import { appendFileSync, lstatSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './temporary-directory.ts'

const run = promisify(execFile)

// Loopback and thrown away: nobody needs a password. C.UTF-8 sorts the same on every machine.
const INITDB_OPTIONS = [
  '--no-sync',
  '-U',
  'postgres',
  '-E',
  'UTF8',
  '--locale=C.UTF-8',
  '-A',
  'trust',
]

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  // In the data directory and not in /dev/shm, so that nothing is left there after SIGKILL.
  dynamic_shared_memory_type: 'mmap',
}

// Nothing is meant to survive a power cut here, so nothing waits for the disk.
const FAST_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

export type Home = { folder: string; directory: string; account: Account }

export async function makeDataDirectory(
  home: Home,
  options: { settings: Record<string, string>; durable: boolean },
): Promise<string> {
  const data = join(home.directory, 'data')
  const template = await getTemplate(home)
  await runAs(home, 'cp', ['-a', '--reflink=auto', template, data])
  const settings = {
    ...SETTINGS,
    unix_socket_directories: home.directory,
    ...(options.durable ? {} : FAST_SETTINGS),
    ...options.settings,
  }
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  )
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''))
  return data
}

async function getTemplate(home: Home): Promise<string> {
  const uid = home.account?.uid ?? process.getuid?.() ?? 0
  const { stdout } = await runAs(home, join(home.folder, 'postgres'), ['--version'])
  const version = /\d[\w.]*/.exec(stdout)?.[0] ?? 'unknown'
  const template = join(tmpdir(), `upvane-postgres-template-${version}-${uid}`)
  if (!isOwnDirectory(template, uid)) await makeTemplate(home, template)
  return template
}

// Made aside and renamed when complete: whoever sees the template sees all of it. Of two that
// make it at once, one finds it there already, which is as good.
async function makeTemplate(home: Home, template: string): Promise<void> {
  const draft = join(home.directory, 'template')
  await runAs(home, join(home.folder, 'initdb'), [...INITDB_OPTIONS, '-D', draft])
  try {
    renameSync(draft, template)
  } catch (error) {
    if (!isOneOf(error, ['ENOTEMPTY', 'EEXIST'])) throw error
  }
}

function isOwnDirectory(path: string, uid: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  // The name can be guessed and the folder is everybody's: a stranger's template is not trusted.
  if (!stats.isDirectory() || stats.uid !== uid) throw new Error(`${path} belongs to someone else.`)
  return true
}

function runAs(home: Home, command: string, args: string[]): Promise<{ stdout: string }> {
  return run(command, args, {
    ...home.account,
    cwd: home.directory,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  })
}

function isOneOf(error: unknown, codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
