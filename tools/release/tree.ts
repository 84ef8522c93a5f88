// Reads the checkout through git.
import { execFileSync } from 'node:child_process'

function git(root: string, args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

export function isDirty(root: string): boolean {
  return git(root, ['status', '--porcelain']).trim() !== ''
}

/** The only time in the artifacts, so two builds of a commit are identical. */
export function commitSeconds(root: string): number {
  return Number(git(root, ['log', '-1', '--format=%ct']))
}

export function commitId(root: string): string {
  return git(root, ['rev-parse', 'HEAD']).trim()
}

/** Tags of the commit that is checked out. */
export function tagsHere(root: string): string[] {
  return git(root, ['tag', '--points-at', 'HEAD']).split('\n').filter(Boolean)
}

/** The newest earlier tag of a version. Undefined if there is none. */
export function previousTag(root: string): string | undefined {
  const tags = git(root, ['tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*'])
  const here = new Set(tagsHere(root))
  return tags.split('\n').find((tag) => tag !== '' && !here.has(tag))
}

export function readAt(root: string, ref: string, file: string): string {
  return git(root, ['show', `${ref}:${file}`])
}

export function listFiles(root: string, paths: readonly string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...paths]
  return git(root, args)
    .split('\0')
    .filter((file) => file !== '')
    .toSorted()
}
