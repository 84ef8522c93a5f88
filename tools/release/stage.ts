// Builds the directory inside an archive: the server's sources and packages, the built dashboard, the Node runtime, the
// files of deploy/ and the documentation. A host that unpacks it needs no npm.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { runNpm } from './npm.ts'
import { commitId, listFiles } from './tree.ts'

export const ARCHITECTURES = ['x64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]
type Staging = { root: string; tree: string; version: string; arch: Architecture }

const SOURCES = [
  'src',
  'migrations',
  'deploy',
  'docs',
  'openapi.json',
  'openapi-ext.json',
  'LICENSE',
]
const NOTES = [
  'README.md',
  'CHANGELOG.md',
  'UPGRADE.md',
  'SECURITY.md',
  'SUPPORT.md',
  'benchmarks/README.md',
]
// A host needs only the binary and the license from npm's Node package.
const RUNTIME_REST = ['include', 'share', 'lib', 'CHANGELOG.md', 'README.md']

export function hasRuntime(root: string, arch: Architecture): boolean {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>
  }
  return `node_modules/node-linux-${arch}` in lock.packages
}

export async function stageRelease(staging: Staging): Promise<void> {
  const { root, tree, version, arch } = staging
  mkdirSync(tree, { recursive: true })
  for (const file of listFiles(root, [...SOURCES, ...NOTES]))
    if (!file.endsWith('.test.ts')) copy(join(root, file), join(tree, file))
  installPackages(staging)
  buildDashboard(root, join(tree, 'web/dist'))
  writeManifest(root, tree, version)
  writeFileSync(join(tree, 'RELEASE'), `upvane ${version} linux-${arch} ${commitId(root)}\n`)
}

function installPackages({ root, tree, arch }: Staging): void {
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copy(join(root, file), join(tree, file))
  const target = ['--os=linux', `--cpu=${arch}`, '--libc=glibc']
  runNpm(
    ['ci', '--omit=dev', '--ignore-scripts', '--no-progress', '--prefer-offline', ...target],
    tree,
  )
  rmSync(join(tree, 'package-lock.json'))
  rmSync(join(tree, '.npmrc'))
  const modules = join(tree, 'node_modules')
  rmSync(join(modules, '.package-lock.json'), { force: true })
  removeDanglingLinks(modules)
  const runtime = join(modules, `node-linux-${arch}`)
  for (const name of RUNTIME_REST) rmSync(join(runtime, name), { recursive: true, force: true })
  if (!existsSync(join(runtime, 'bin/node')))
    throw new Error(`npm did not install node-linux-${arch}. A newer npm may be needed.`)
  linkRuntime(modules, arch)
}

/** npm links the workspaces, whose directories are not in the archive. */
function removeDanglingLinks(modules: string): void {
  for (const entry of globSync(['*', '@*/*', '.bin/*'], { cwd: modules })) {
    const path = join(modules, entry)
    if (lstatSync(path).isSymbolicLink() && !existsSync(path)) rmSync(path)
  }
}

/** The path used by units and scripts, independent of the architecture. */
function linkRuntime(modules: string, arch: Architecture): void {
  const link = join(modules, '.bin/node')
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(`../node-linux-${arch}/bin/node`, link)
}

function buildDashboard(root: string, target: string): void {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = ['build', 'web', '--logLevel', 'warn', '--outDir', target, '--emptyOutDir']
  execFileSync(process.execPath, [vite, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
}

/** Only what a host needs: no scripts that use packages it does not have. */
function writeManifest(root: string, tree: string, version: string): void {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >
  const { name, description, license, type, engines, bin } = own
  const manifest = { name, version, private: true, description, license, type, engines, bin }
  writeFileSync(join(tree, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  if (lstatSync(from).isSymbolicLink()) cpSync(from, to, { verbatimSymlinks: true })
  else copyFileSync(from, to)
}
