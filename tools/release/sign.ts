// Signs a release with the program minisign. The key stays where it is; a password is asked for on the terminal.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SUMS } from './checksums.ts'

/** The comment is part of what is signed: an older release cannot be passed off as a newer one. */
export function signRelease(
  output: string,
  { keyFile, version, commit }: { keyFile: string; version: string; commit: string },
): void {
  const comment = `upvane ${version} ${commit}`
  const args = ['-S', '-s', keyFile, '-m', join(output, SUMS), '-t', comment]
  const { status, error } = spawnSync('minisign', args, { stdio: ['inherit', 2, 2] })
  if (error !== undefined) throw new Error('minisign is not installed: apt install minisign')
  if (status !== 0) throw new Error(`minisign ended with ${status}. Nothing was signed.`)
}
