// Other versions of the product: earlier ones from git's history, and this one with one more migration.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { startStack } from '../../../tools/stack.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024

/** The last commit with this migration as its newest. 0021 is the first released schema. */
export const EARLIER = {
  '0016': '73ad84b6992165cf42e695f7f93b6b8481f4247f',
  '0021': '3781a78917f2fb3208719cbb17f7ba285d334004',
} as const

export type Version = { directory: string; remove(): void }

/** A shallow clone or a released archive has no history. In CI a shallow clone is a mistake: its tests would all be skipped. */
export function isInHistory(
  commit: string,
  cwd = ROOT,
  isCi = Boolean(process.env['CI']),
): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{tree}`], { cwd, stdio: 'ignore' })
    return true
  } catch {
    if (isCi && isShallow(cwd)) throw new Error(`CI has a shallow clone without commit ${commit}`)
    return false
  }
}

function isShallow(cwd: string): boolean {
  const { stdout } = spawnSync('git', ['rev-parse', '--is-shallow-repository'], { cwd })
  return String(stdout ?? '').trim() === 'true'
}

export function checkOut(commit: string): Version {
  const version = openVersion()
  const archive = execFileSync('git', ['archive', '--format=tar', commit], {
    cwd: ROOT,
    maxBuffer: MAX_ARCHIVE_BYTES,
  })
  execFileSync('tar', ['-x', '-C', version.directory], { input: archive })
  return version
}

/** This version with a migration that its sources do not have. */
export function withMigration(sql: string): Version {
  const version = openVersion()
  for (const name of ['src', 'migrations', 'package.json'])
    cpSync(join(ROOT, name), join(version.directory, name), { recursive: true })
  const migrations = join(version.directory, 'migrations')
  const next = String(readdirSync(migrations).length + 1).padStart(4, '0')
  writeFileSync(join(migrations, `${next}-planted.sql`), sql)
  return version
}

export async function stackOf({ directory }: Version): Promise<typeof startStack> {
  const module = (await import(join(directory, 'tools/stack.ts'))) as {
    startStack: typeof startStack
  }
  return module.startStack
}

// The packages of this version serve the others too: they need no more than it does.
function openVersion(): Version {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-version-'))
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  return { directory, remove: () => rmSync(directory, { recursive: true }) }
}
