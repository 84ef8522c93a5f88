// Runs commands as people do: in a shell, with "upv" in the path.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'

const MAIN = join(import.meta.dirname, '../../../cli/src/main.ts')
const MAX_OUTPUT = 10 * 1024 * 1024
const run = promisify(execFile)

type Shell = (
  folder: string,
  script: string,
  env?: Readonly<Record<string, string>>,
) => Promise<{ stdout: string; stderr: string }>

/** The script must succeed. */
export function openShell(root: string): Shell {
  const bin = join(root, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'upv'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`)
  chmodSync(join(bin, 'upv'), 0o755)
  const always = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    ...COMPILE_CACHE,
    // Tests must not use the profiles of the person who runs them.
    UPVANE_PROFILES_FILE: '/nonexistent/profiles.json',
    NO_COLOR: '1',
  }
  return (folder, script, env = {}) =>
    run('sh', ['-e', '-c', script], {
      cwd: folder,
      env: { ...always, ...env },
      maxBuffer: MAX_OUTPUT,
    }).catch((error: unknown) => assert.fail(`${script.slice(0, 2000)}\n${String(error)}`))
}
