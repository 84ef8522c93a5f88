// Writes what an import has made. Nothing is overwritten unless that was asked for.
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { CommandError } from '../../command.ts'

export type OutputFile = {
  path: string
  text: string
  /** Only its owner may read it. */
  isSecret?: true
}

export async function writeAll(files: readonly OutputFile[], force: boolean): Promise<void> {
  const existing = files.filter(({ path }) => existsSync(path))
  if (existing.length > 0 && !force)
    throw new CommandError(2, existText(existing.map(({ path }) => path)))
  for (const { path, text, isSecret } of files) await write(path, text, isSecret === true, force)
}

function existText(paths: readonly string[]): string {
  const [last = ''] = paths.slice(-1)
  if (paths.length === 1) return `${last} already exists. --force overwrites it.`
  return `${paths.slice(0, -1).join(', ')} and ${last} already exist. --force overwrites them.`
}

async function write(path: string, text: string, isSecret: boolean, force: boolean): Promise<void> {
  try {
    // A file that exists would keep its permissions.
    if (isSecret && force) await rm(path, { force: true })
    await writeFile(path, text, { mode: isSecret ? 0o600 : 0o666, flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new CommandError(1, `${path} cannot be written (${code}).`)
  }
}

/** Lines for a shell: `NAME='value'`. */
export function toSecretsFile(secrets: ReadonlyMap<string, string>): string {
  const lines = [...secrets].map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`)
  return `# Values for upvane.yaml. Keep this file out of version control.\n${lines.join('')}`
}
