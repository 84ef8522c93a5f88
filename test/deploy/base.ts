// A bare Debian 12 and one with the packages that install.md names, created once by debootstrap and cached for later
// runs.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findDebianMirror } from '../../tools/debian-mirror.ts'
import { readBlocks } from './document.ts'
import { run } from './shell.ts'

const CACHE = process.env['UPVANE_DEPLOY_CACHE'] ?? '/var/tmp/upvane-deploy'
const SUITE = 'bookworm'
const SYSTEM = ['systemd', 'systemd-sysv', 'dbus', 'curl']

// What Debian's own image without documents lacks, too.
const SLIM = [
  'var/lib/apt/lists',
  'var/cache/apt',
  'usr/share/locale',
  'usr/share/man',
  'usr/share/info',
]

/** Only Debian's essential packages, as in debian:bookworm-slim: the base of the image. */
export async function getBareDebian(): Promise<string> {
  return cached(`slim-${SUITE}`, async (directory) => {
    const args = [
      '--variant=minbase',
      '--include=ca-certificates',
      SUITE,
      directory,
      findDebianMirror(),
    ]
    await run(['debootstrap', ...args])
    for (const path of SLIM) await run(['bash', '-c', `rm -rf ${directory}/${path}/*`])
    const documents = ['-type', 'f', '!', '-name', 'copyright', '-delete']
    await run(['find', join(directory, 'usr/share/doc'), ...documents])
  })
}

/** With systemd and the packages the documents install, but nothing from Upvane. */
export async function getDebianHost(...documents: readonly string[]): Promise<string> {
  const packages = [...SYSTEM, ...documents.flatMap(packagesOf)]
  const bare = await getBareDebian()
  const key = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)
  return cached(`host-${SUITE}-${key}`, async (directory) => {
    await run(['cp', '--archive', `${bare}/.`, directory])
    const policy = join(directory, 'usr/sbin/policy-rc.d')
    // No service can be started in a chroot.
    writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
    const install = 'apt-get update -q && apt-get install -qy --no-install-recommends'
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
    await run(['chroot', directory, 'sh', '-c', `${install} ${packages.join(' ')}`], { env })
    rmSync(policy)
    writeFileSync(join(directory, 'etc/hostname'), 'test\n')
    // Without an id systemd would assume a first boot and enable every unit.
    await run(['systemd-machine-id-setup', `--root=${directory}`])
  })
}

/**
 * Compose 2, which Debian 12 lacks, from Debian 13, and the packages podman needs for named networks. They are only
 * unpacked: nothing is installed on this machine.
 */
export async function getComposeTools(): Promise<string> {
  return cached('compose-2', async (directory) => {
    const apt = join(directory, 'apt')
    for (const name of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(join(apt, name), { recursive: true })
    const keys = '/usr/share/keyrings/debian-archive-keyring.gpg'
    writeFileSync(join(apt, 'list'), `deb [signed-by=${keys}] ${findDebianMirror()} trixie main\n`)
    const trixie = [
      `-oDir::Etc::sourcelist=${apt}/list`,
      '-oDir::Etc::sourceparts=/dev/null',
      `-oDir::State::lists=${apt}/lists`,
      `-oDir::Cache=${apt}/cache`,
      '-oAPT::Sandbox::User=root',
    ]
    await run(['apt-get', ...trixie, 'update', '-q'])
    await run(['apt-get', ...trixie, 'download', 'docker-compose'], { cwd: apt })
    await run(['apt-get', 'download', 'netavark', 'aardvark-dns'], { cwd: apt })
    await run(['bash', '-ec', `for deb in ${apt}/*.deb; do dpkg -x "$deb" ${directory}; done`])
    rmSync(apt, { recursive: true })
  })
}

function packagesOf(document: string): string[] {
  const commands = readBlocks(document).map(({ text }) => text)
  const found = commands.join('\n').matchAll(/^apt-get install ([^\n]{1,500})$/gm)
  return [...found].flatMap((match) =>
    (match[1] ?? '').split(' ').filter((word) => word !== '' && !word.startsWith('-')),
  )
}

async function cached(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const directory = join(CACHE, name)
  if (existsSync(directory)) return directory
  mkdirSync(CACHE, { recursive: true })
  const unfinished = `${directory}.${process.pid}`
  mkdirSync(unfinished)
  try {
    await make(unfinished)
    renameSync(unfinished, directory)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return directory
}
