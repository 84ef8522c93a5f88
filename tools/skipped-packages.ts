// npm on an old Node silently skips optional packages whose engines exclude that Node. One of them is the native part
// of the dashboard's build, which would fail later with a stack trace. As a command, exits with 1 if any is missing.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = {
  optional?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
}

// Without it nothing can be built, whatever else npm skipped.
const BUILDER = 'node_modules/vite'
const NATIVE_PARTS = /@rolldown\/binding-|\/lightningcss-/
const MAX_NAMED = 3

/** Paths of packages that the lock file requires for building on this machine, but that are not installed. */
export function findSkippedPackages(
  lockText: string,
  isThere: (path: string) => boolean,
  { platform, arch }: { platform: string; arch: string } = process,
): string[] {
  const { packages } = JSON.parse(lockText) as { packages: Record<string, Locked> }
  const fits = (allowed: string | string[] | undefined, own: string) =>
    allowed === undefined || [allowed].flat().includes(own)
  const wanted = Object.entries(packages)
    .filter(([path, { optional }]) => optional === true && NATIVE_PARTS.test(path))
    .filter(([, { os, cpu, libc }]) => fits(os, platform) && fits(cpu, arch) && fits(libc, 'glibc'))
    .map(([path]) => path)
  return [BUILDER, ...wanted].filter((path) => !isThere(path))
}

export function explainSkippedPackages(paths: readonly string[], npm = 'npm'): string {
  if (paths.includes(BUILDER))
    return (
      'The packages that build the dashboard are not installed. Run "npm ci" without --omit=dev, ' +
      'or install a release archive, which has the dashboard built.'
    )
  const names = paths.slice(0, MAX_NAMED).map((path) => path.replace(/^.*node_modules\//, ''))
  return (
    `${npm.split(' ').slice(0, 2).join(' on ')} left out ${paths.length} packages (${names.join(', ')}, …): ` +
    'npm skips optional packages that need a newer Node than the one it runs on. ' +
    'Run "npm run install:complete", which installs everything with the Node that comes with this project.'
  )
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const skipped = findSkippedPackages(lock, (path) => existsSync(join(root, path)))
  if (skipped.length > 0) {
    console.error(explainSkippedPackages(skipped, process.env['npm_config_user_agent']))
    process.exitCode = 1
  }
}
