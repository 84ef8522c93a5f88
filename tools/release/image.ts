// Builds the image of one architecture with buildah from the staged directory, as an OCI archive.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packPlain } from './archive.ts'
import type { Architecture } from './stage.ts'

type Image = {
  tree: string
  version: string
  arch: Architecture
  seconds: number
  base: string
  output: string
}

const PLATFORM = { x64: 'amd64', arm64: 'arm64' } as const
const LAST_LINES = 3

/** Returns the reason if it could not be built, or undefined. */
export function buildImage({
  tree,
  version,
  arch,
  seconds,
  base,
  output,
}: Image): string | undefined {
  const platform = PLATFORM[arch]
  const tag = `upvane:${version}-${platform}`
  const built = buildah([
    'build',
    '--format=oci',
    `--platform=linux/${platform}`,
    `--timestamp=${seconds}`,
    '--no-cache',
    `--build-arg=DEBIAN_IMAGE=${base}`,
    `--file=${join(tree, 'deploy/Dockerfile')}`,
    `--tag=${tag}`,
    tree,
  ])
  if (built !== undefined) return built
  // As a directory first, because buildah's own archives contain the time of the build.
  const layout = join(dirname(tree), `image-${platform}`)
  rmSync(layout, { recursive: true, force: true })
  const pushed = buildah(['push', '--quiet', tag, `oci:${layout}:upvane:${version}`])
  if (pushed !== undefined) return pushed
  packPlain(layout, join(output, `upvane-${version}-linux-${platform}.oci.tar`), seconds)
  return undefined
}

function buildah(args: string[]): string | undefined {
  const { status, stderr, error } = spawnSync('buildah', args, {
    encoding: 'utf8',
    stdio: ['ignore', 2, 'pipe'],
  })
  if (error !== undefined) return 'buildah is not installed'
  if (status === 0) return undefined
  return stderr.trim().split('\n').slice(-LAST_LINES).join(' ')
}
