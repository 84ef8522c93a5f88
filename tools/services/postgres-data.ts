// Creates the data directory of a new PostgreSQL by copying one from an earlier initdb, because initdb takes seconds
// and a copy a fraction of one.
import { execFile } from 'node:child_process'
import { appendFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PostgresPrograms } from './executables.ts'
import { isOneOf, isOwnDirectory } from './own-directory.ts'

const run = promisify(execFile)
const SETTINGS_FILE = 'postgresql.conf'

// Loopback only and temporary, so no password is needed.
const INITDB_OPTIONS = ['--no-sync', '-U', 'postgres', '-E', 'UTF8', '-A', 'trust']
// Sorts the same on every machine. macOS has no such locale; PostgreSQL has it built in since version 17.
const LOCALE = process.platform === 'darwin' ? 'C' : 'C.UTF-8'
const BUILT_IN_LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  // In the data directory instead of /dev/shm, so nothing is left there after SIGKILL.
  dynamic_shared_memory_type: 'mmap',
}

// Nothing has to survive a power failure here, so nothing waits for the disk.
const FAST_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

type Home = PostgresPrograms & { directory: string }

export async function makeDataDirectory(
  home: Home,
  options: { settings: Record<string, string>; durable: boolean; copyOf: string | undefined },
): Promise<string> {
  const data = join(home.directory, 'data')
  const origin = options.copyOf ?? (await getTemplate(home))
  await runAs(home, 'cp', ['-a', origin, data])
  const settings = {
    ...SETTINGS,
    unix_socket_directories: home.directory,
    ...(options.durable ? {} : FAST_SETTINGS),
    ...options.settings,
  }
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  )
  appendFileSync(join(data, SETTINGS_FILE), lines.join(''))
  return data
}

/** Of a server that is stopped. Its settings are those after initdb. */
export async function copyDataDirectory(home: Home): Promise<string> {
  const copy = join(home.directory, 'copy')
  await runAs(home, 'cp', ['-a', join(home.directory, 'data'), copy])
  const template = await getTemplate(home)
  await runAs(home, 'cp', ['-a', join(template, SETTINGS_FILE), join(copy, SETTINGS_FILE)])
  return copy
}

export async function readVersion(home: Home): Promise<string> {
  const { stdout } = await runAs(home, join(home.folder, 'postgres'), ['--version'])
  return /\d[\w.]*/.exec(stdout)?.[0] ?? 'unknown'
}

async function getTemplate(home: Home): Promise<string> {
  const uid = home.account?.uid ?? process.getuid?.() ?? 0
  const version = await readVersion(home)
  const origin = home.isEmbedded ? 'embedded-' : ''
  const template = join(tmpdir(), `upvane-postgres-template-${version}-${origin}${uid}`)
  if (!isOwnDirectory(template, uid)) await makeTemplate(home, template)
  return template
}

// Created aside and renamed when complete, so the template is never seen half written. If two processes create it at
// once, the second finds it there, which is fine.
async function makeTemplate(home: Home, template: string): Promise<void> {
  const draft = join(home.directory, 'template')
  const locale = home.isEmbedded ? BUILT_IN_LOCALE : [`--locale=${LOCALE}`]
  await runAs(home, join(home.folder, 'initdb'), [...INITDB_OPTIONS, ...locale, '-D', draft])
  try {
    renameSync(draft, template)
  } catch (error) {
    if (!isOneOf(error, ['ENOTEMPTY', 'EEXIST'])) throw error
  }
}

function runAs(home: Home, command: string, args: string[]): Promise<{ stdout: string }> {
  return run(command, args, {
    ...home.account,
    cwd: home.directory,
    env: { PATH: process.env['PATH'], LC_ALL: LOCALE, TZ: 'UTC' },
  })
}
