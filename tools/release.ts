// `npm run release -- 0.2.0`: builds all artifacts of a version into one directory.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packTree } from './release/archive.ts'
import { hashFiles, sha256, writeChecksums } from './release/checksums.ts'
import { buildImage } from './release/image.ts'
import { packCli, packWorkspaceSdk } from './release/packages.ts'
import { findPublishingProblems, findReleaseProblems } from './release/problems.ts'
import { describeSource, PROVENANCE } from './release/provenance.ts'
import { makeSbom } from './release/sbom.ts'
import { describeChanges } from './release/sbom-changes.ts'
import { signRelease } from './release/sign.ts'
import { ARCHITECTURES, hasRuntime, stageRelease } from './release/stage.ts'
import { commitId, commitSeconds, previousTag, readAt } from './release/tree.ts'

const USAGE = `npm run release -- <version> [options]

  Builds the archives, the npm packages of SDK and CLI, the image, an SBOM, provenance and SHA256SUMS, and signs them.
  Publishes nothing.

  --dry-run           build although it could not be published: uncommitted, not tagged, not pinned or not signed
  --sign-key FILE     sign with this secret key of minisign
  --previous REF      list the packages that changed since then, instead of since the last tag of a version
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
    'sign-key': { type: 'string' },
    previous: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const [version = ''] = positionals
const wanted = ARCHITECTURES.filter((name) => options.arch.split(',').includes(name))
if (options.help || !VERSION.test(version) || wanted.length === 0) {
  console.error(USAGE)
  process.exit(options.help ? 0 : 2)
}

const baseImage = options['base-image']
const { 'sign-key': key } = options
const problems = [
  ...findReleaseProblems(ROOT, version),
  ...findPublishingProblems(ROOT, {
    version,
    key,
    baseImage: options.image ? baseImage : undefined,
  }),
]
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
  const image = { tree, version, arch, seconds, base: baseImage, output }
  const problem = buildImage(image)
  if (problem === undefined) continue
  isComplete = false
  console.error(`not built: the image for ${arch}: ${problem}`)
}
packWorkspaceSdk({ root: ROOT, version, output })
packCli({ root: ROOT, version, output })
rmSync(staging, { recursive: true, force: true })
const commit = commitId(ROOT)
writeChangedPackages(options.previous ?? previousTag(ROOT))
const hashes = hashFiles(output)
const provenance = describeSource({ hashes, version, commit, baseImage, lock: readLock() })
writeFileSync(join(output, PROVENANCE), provenance)
hashes.set(PROVENANCE, sha256(provenance))
console.log(writeChecksums(output, hashes))
if (key !== undefined) signRelease(output, { keyFile: key, version, commit })
console.log(`${output}${isComplete ? '' : ' (incomplete, see above)'}`)
process.exitCode = isComplete || options['dry-run'] ? 0 : 1

function writeChangedPackages(previous: string | undefined): void {
  if (previous === undefined) {
    console.error(
      'not written: the list of changed packages, for there is no tag of an earlier version',
    )
    return
  }
  // Of one architecture: the others differ only in the runtime's name.
  const [arch = 'x64'] = wanted
  const sbomOf = (lock: string) => makeSbom(lock, version, arch)
  const before = sbomOf(readAt(ROOT, previous, 'package-lock.json'))
  const file = join(output, `upvane-${version}-changed-packages.md`)
  writeFileSync(file, describeChanges(before, sbomOf(readLock())))
}

function readLock(): string {
  const lock = join(ROOT, 'package-lock.json')
  if (!existsSync(lock)) throw new Error('There is no package-lock.json.')
  return readFileSync(lock, 'utf8')
}
