// Asks arethetypeswrong whether every kind of project finds the types of the packed SDK: node sdk/try-types.ts
// Downloads it and a TypeScript of its own from npm, so no suite runs it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CHECKER = '@arethetypeswrong/cli@0.18.5'
const directory = mkdtempSync(join(tmpdir(), 'upvane-types-'))
try {
  const archive = run(process.execPath, [join(import.meta.dirname, 'pack.ts'), directory]).trim()
  const flags = ['--silent', '--no-save', '--ignore-scripts', '--prefix', directory]
  run('npm', ['install', ...flags, CHECKER])
  // The package is ESM only. A `require` of it works from Node 22.12 on, which the checker does not know yet.
  const attw = join(directory, 'node_modules/.bin/attw')
  process.stdout.write(run(attw, ['--profile', 'esm-only', '--format', 'ascii', archive]))
} finally {
  rmSync(directory, { recursive: true })
}

/** Throws if the command fails, with what it printed. */
function run(command: string, args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8' })
}
