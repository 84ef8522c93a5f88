// Finds reasons not to release a version.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findUpgradeProblems } from './upgrade-notes.ts'

const MANIFESTS = ['package.json', 'sdk/package.json', 'cli/package.json']

export function findReleaseProblems(root: string, version: string): string[] {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const migrations = globSync('migrations/*.sql', { cwd: root }).map((file) => ({
    number: Number(basename(file).slice(0, 4)),
    sql: read(file),
  }))
  const wrong = MANIFESTS.filter((file) => {
    const manifest = JSON.parse(read(file)) as { version: string }
    return manifest.version !== version
  })
  return [
    ...wrong.map((file) => `${file} has another version than ${version}.`),
    ...(read('CHANGELOG.md').includes(`\n## [${version}]`)
      ? []
      : [`CHANGELOG.md has no section "## [${version}]".`]),
    ...findUpgradeProblems(read('UPGRADE.md'), version, migrations),
  ]
}
