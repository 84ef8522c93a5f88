// The artifacts of this checkout, built once for all tests of a run.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { EARLIER, isInHistory } from '../fault/upgrade/versions.ts'
import { findObstacle } from './abilities.ts'
import { getBareDebian } from './base.ts'
import { run } from './shell.ts'

export const ROOT = join(import.meta.dirname, '../..')
export const { version: VERSION } = manifest
const BASE_IMAGE = 'docker.io/library/debian:bookworm-slim'

/** Whether the image is among the artifacts. */
export const canBuildImages = findObstacle('containers') === undefined

type Release = { directory: string; archive: string; printed: string }
type Storage = { env: NodeJS.ProcessEnv }

const home = mkdtempSync(join(tmpdir(), 'upvane-release-'))
let images = ''
process.once('exit', () => {
  rmSync(home, { recursive: true, force: true })
  if (images === '') return
  spawnSync('umount', [join(images, 'graph/overlay')])
  rmSync(images, { recursive: true, force: true })
})
let first: Promise<Release> | undefined
let storage: Promise<Storage> | undefined

export function getRelease(): Promise<Release> {
  first ??= buildRelease('first')
  return first
}

/** The key that releases of this run are signed with. */
export const PUBLIC_KEY = join(home, 'release.pub')
const SECRET_KEY = join(home, 'release.key')

/** Signed. Includes the image if this machine can build one. */
export async function buildRelease(name: string): Promise<Release> {
  const directory = join(home, name)
  if (!existsSync(SECRET_KEY))
    await run(['minisign', '-G', '-W', '-p', PUBLIC_KEY, '-s', SECRET_KEY])
  const env = canBuildImages ? (await getStorage()).env : process.env
  const options = canBuildImages ? [] : ['--no-image']
  const args = [VERSION, '--dry-run', '--arch=x64', `--output=${directory}`, ...options]
  args.push(`--sign-key=${SECRET_KEY}`)
  if (isInHistory(EARLIER['0021'])) args.push(`--previous=${EARLIER['0021']}`)
  const printed = await run([process.execPath, join(ROOT, 'tools/release.ts'), ...args], { env })
  return { directory, archive: join(directory, `upvane-${VERSION}-linux-x64.tar.gz`), printed }
}

/** An image store for this run only, containing a bare Debian: nothing is pulled. */
export function getStorage(): Promise<Storage> {
  storage ??= openStorage()
  return storage
}

async function openStorage(): Promise<Storage> {
  images = mkdtempSync('/var/tmp/upvane-images-')
  const config = join(images, 'storage.conf')
  const graph = join(images, 'graph')
  const lines = [
    '[storage]',
    'driver = "overlay"',
    `graphroot = "${graph}"`,
    `runroot = "${images}/run"`,
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const env = { ...process.env, CONTAINERS_STORAGE_CONF: config, BUILDAH_ISOLATION: 'chroot' }
  const bare = await getBareDebian()
  const podman = `podman --cgroup-manager cgroupfs import --quiet - ${BASE_IMAGE}`
  await run(['bash', '-eo', 'pipefail', '-c', `tar -C ${bare} -c . | ${podman}`], { env })
  return { env }
}
