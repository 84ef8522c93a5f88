import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isInHistory } from './versions.ts'

const directory = mkdtempSync(join(tmpdir(), 'history-'))
after(() => rmSync(directory, { recursive: true }))

const git = (cwd: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...words], {
    cwd,
    encoding: 'utf8',
  }).trim()

test('a commit that is missing skips its tests, except in a shallow clone of CI, where it fails', () => {
  git(directory, 'init', '-q', 'full')
  const full = join(directory, 'full')
  git(full, 'commit', '-q', '--allow-empty', '-m', 'First')
  const first = git(full, 'rev-parse', 'HEAD')
  git(full, 'commit', '-q', '--allow-empty', '-m', 'Second')
  git(directory, 'clone', '-q', '--depth', '1', `file://${full}`, 'shallow')
  const shallow = join(directory, 'shallow')
  assert.equal(isInHistory(first, full, true), true)
  assert.equal(isInHistory('0'.repeat(40), full, true), false)
  assert.equal(isInHistory(first, shallow, false), false)
  assert.equal(isInHistory(first, directory, true), false, 'an archive has no history')
  assert.throws(() => isInHistory(first, shallow, true), /shallow clone/)
})
