// Finds reasons not to release a version.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isPinned } from './provenance.ts'
import { isDirty, tagsHere } from './tree.ts'
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
    ...findChangelogProblems(read('CHANGELOG.md'), version),
    ...findUpgradeProblems(read('UPGRADE.md'), version, migrations),
  ]
}

/** What else a release must have that others install: a build for oneself needs none of it. */
export function findPublishingProblems(
  root: string,
  {
    version,
    baseImage,
    key,
  }: { version: string; baseImage: string | undefined; key: string | undefined },
): string[] {
  const problems: string[] = []
  if (isDirty(root)) problems.push('The working tree has uncommitted changes.')
  if (!tagsHere(root).includes(`v${version}`)) problems.push(`The commit has no tag v${version}.`)
  if (baseImage !== undefined && !isPinned(baseImage))
    problems.push(`The base image ${baseImage} is not pinned: name it with @sha256:….`)
  if (key === undefined) problems.push('Nothing is signed: name the key with --sign-key.')
  return problems
}

/** The newest section is the one that is released, and it has a date. */
export function findChangelogProblems(text: string, version: string): string[] {
  const [newest] = text.matchAll(/^## \[([^\]]+)\] - (.+)$/gm)
  if (newest?.[1] !== version)
    return [`CHANGELOG.md: the newest section is ${newest?.[1] ?? 'missing'}, not ${version}.`]
  const date = newest[2] ?? ''
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? [] : [`CHANGELOG.md: ${version} has no date: ${date}.`]
}
