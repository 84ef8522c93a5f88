// Fetches pg_dump, pg_restore and psql of a major version that is not installed, from Debian's newer releases.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findDebianMirror } from './debian-mirror.ts'
import { isOneOf, isOwnDirectory } from './services/own-directory.ts'

const RELEASES: Record<string, string> = { 17: 'trixie', 18: 'forky' }
// No Debian release has it; newer programs work with older servers.
const NEWER: Record<string, string> = { 16: '17' }
// Includes their C library, because they need a newer one than older systems have.
const LIBRARIES = [
  'libc6',
  'libpq5',
  'libldap2',
  'libsasl2-2',
  'libgssapi-krb5-2',
  'libkrb5-3',
  'libk5crypto3',
  'libkrb5support0',
  'libcom-err2',
  'libkeyutils1',
  'libssl3t64',
  'liblz4-1',
  'libzstd1',
  'zlib1g',
  'libreadline8t64',
  'libtinfo6',
]
const PROGRAMS = ['pg_dump', 'pg_restore', 'psql']

/** The folder of programs for servers of this major version; undefined if there are none. */
export function findClientPrograms(serverMajor: string): string | undefined {
  const major = NEWER[serverMajor] ?? serverMajor
  const installed = `/usr/lib/postgresql/${major}/bin`
  if (globSync(join(installed, 'pg_dump')).length > 0) return installed
  const release = RELEASES[major]
  if (release === undefined || process.platform !== 'linux') return undefined
  const uid = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `upvane-postgres-clients-${major}-${uid}`)
  if (!isOwnDirectory(folder, uid)) download(folder, major, release)
  return join(folder, 'bin')
}

function download(folder: string, major: string, release: string): void {
  const draft = mkdtempSync(`${folder}.draft-`)
  try {
    chmodSync(draft, 0o755)
    for (const name of ['lists/partial', 'cache/archives/partial', 'packages', 'root', 'bin'])
      mkdirSync(join(draft, name), { recursive: true })
    writeFileSync(join(draft, 'sources.list'), `deb ${findDebianMirror()} ${release} main\n`)
    const apt = aptOptions(draft)
    const names = [`postgresql-client-${major}`, ...LIBRARIES]
    execFileSync('apt-get', [...apt, 'update'], { stdio: 'inherit' })
    execFileSync('apt-get', [...apt, 'download', ...names], { cwd: join(draft, 'packages') })
    for (const file of globSync(join(draft, 'packages/*.deb')))
      execFileSync('dpkg-deb', ['-x', file, join(draft, 'root')])
    for (const name of PROGRAMS) writeWrapper(draft, folder, { name, major })
    for (const name of ['lists', 'cache', 'packages'])
      rmSync(join(draft, name), { recursive: true })
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process finished first, which is fine.
    if (!isOneOf(error, ['ENOTEMPTY', 'EEXIST'])) throw error
  }
}

/** Neither uses nor changes the system's own sources and lists. Signatures are still checked. */
function aptOptions(draft: string): string[] {
  const settings = {
    'Dir::Etc::sourcelist': join(draft, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Dir::State::lists': join(draft, 'lists'),
    'Dir::Cache': join(draft, 'cache'),
    'APT::Sandbox::User': 'root',
  }
  return ['-qq', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])]
}

type Program = { name: string; major: string }

function writeWrapper(draft: string, folder: string, { name, major }: Program): void {
  const [loader] = globSync(join(draft, 'root/usr/lib/*-linux-gnu/ld-linux-*.so.*'))
  if (loader === undefined) throw new Error('libc6 has no loader')
  const libraries = join(folder, 'root', loader.slice(join(draft, 'root').length), '..')
  const program = join(folder, `root/usr/lib/postgresql/${major}/bin/${name}`)
  const path = join(draft, 'bin', name)
  writeFileSync(
    path,
    `#!/bin/sh\nexec ${join(libraries, basename(loader))} --library-path ${libraries} ${program} "$@"\n`,
  )
  chmodSync(path, 0o755)
}
