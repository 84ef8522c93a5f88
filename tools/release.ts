// `npm run release -- 0.2.0`: builds all artifacts of a version into one directory.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packTree } from './release/archive.ts'
import { writeChecksums } from './release/checksums.ts'
import { buildImage } from './release/image.ts'
import { packCli, packWorkspaceSdk } from './release/packages.ts'
import { findReleaseProblems } from './release/problems.ts'
import { makeSbom } from './release/sbom.ts'
import { ARCHITECTURES, hasRuntime, stageRelease } from './release/stage.ts'
import { commitSeconds, isDirty } from './release/tree.ts'

const USAGE = `npm run release -- <version> [options]

  Builds the archives, the npm packages of SDK and CLI, the image, an SBOM and SHA256SUMS. Publishes nothing.

  --dry-run           accept uncommitted changes and a version that package.json does not have yet
  --output DIR        instead of release/<version>
  --arch x64,arm64    instead of every architecture
  --base-image REF    Debian for the image, instead of docker.io/library/debian:bookworm-slim
  --no-image          leave the image out`

const ROOT = join(import.meta.dirname, '..')
const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    'dry-run': { type: 'boolean', default: false },
    output: { type: 'string' },
    arch: { type: 'string', default: ARCHITECTURES.join(',') },
    'base-image': { type: 'string', default: 'docker.io/library/debian:bookworm-slim' },
    image: { type: 'boolean', default: true },
    help: { type: 'boolean', default: false },
  },
})
const [version = ''] = positionals
const wanted = ARCHITECTURES.filter((name) => options.arch.split(',').includes(name))
if (options.help || !VERSION.test(version) || wanted.length === 0) {
  console.error(USAGE)
  process.exit(options.help ? 0 : 2)
}

const problems = findReleaseProblems(ROOT, version)
if (isDirty(ROOT)) problems.push('The working tree has uncommitted changes.')
for (const problem of problems)
  console.error(options['dry-run'] ? `would fail: ${problem}` : problem)
if (problems.length > 0 && !options['dry-run']) process.exit(1)

const output = resolve(options.output ?? join(ROOT, 'release', version))
rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
const staging = join(output, '.staging')
const seconds = commitSeconds(ROOT)
let isComplete = true

for (const arch of wanted) {
  if (!hasRuntime(ROOT, arch)) {
    isComplete = false
    console.error(`not built: linux-${arch}, for package-lock.json has no node-linux-${arch}`)
    continue
  }
  const name = `upvane-${version}`
  const tree = join(staging, arch, name)
  await stageRelease({ root: ROOT, tree, version, arch })
  writeFileSync(join(tree, 'sbom.cdx.json'), makeSbom(readLock(), version, arch))
  writeFileSync(join(output, `${name}-linux-${arch}.cdx.json`), makeSbom(readLock(), version, arch))
  await packTree(tree, join(output, `${name}-linux-${arch}.tar.gz`), seconds)
  if (!options.image) continue
  const image = { tree, version, arch, seconds, base: options['base-image'], output }
  const problem = buildImage(image)
  if (problem === undefined) continue
  isComplete = false
  console.error(`not built: the image for ${arch}: ${problem}`)
}
packWorkspaceSdk({ root: ROOT, version, output })
packCli({ root: ROOT, version, output })
rmSync(staging, { recursive: true, force: true })
console.log(writeChecksums(output))
console.log(`${output}${isComplete ? '' : ' (incomplete, see above)'}`)
process.exitCode = isComplete || options['dry-run'] ? 0 : 1

function readLock(): string {
  const lock = join(ROOT, 'package-lock.json')
  if (!existsSync(lock)) throw new Error('There is no package-lock.json.')
  return readFileSync(lock, 'utf8')
}
