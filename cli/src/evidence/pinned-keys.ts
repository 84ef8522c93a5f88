// The public keys of installations, as `upv evidence-key --pin` stored them.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { profilesPath } from '../account/profiles.ts'
import { CommandError, type Environment } from '../command.ts'
import { toPublicKey } from './verify-evidence.ts'

type PinnedKeys = ReadonlyMap<string, string>

const keysPath = (env: Environment): string =>
  join(dirname(profilesPath(env)), 'evidence-keys.json')

/** By the address of the installation. Empty if there is no file. */
export async function readPinnedKeys(env: Environment): Promise<PinnedKeys> {
  const path = keysPath(env)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw new CommandError(1, `${path} cannot be read (${error.code}).`)
  })
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>)
    const keys = entries.map(([url, key]) => [url, toPublicKey(String(key)) ?? fail()] as const)
    return new Map(keys)
  } catch {
    throw new CommandError(1, `${path} is damaged. Delete it and pin the keys again.`)
  }
}

function fail(): never {
  throw new TypeError('not a key')
}

/** A key that is pinned is never replaced: that is what it is pinned for. */
export async function pinKey(env: Environment, url: string, publicKey: string): Promise<void> {
  const keys = await readPinnedKeys(env)
  const known = keys.get(url)
  if (known === publicKey) return
  const path = keysPath(env)
  if (known !== undefined)
    throw new CommandError(
      4,
      `another key is pinned for ${url} in ${path}. Find out why it changed.`,
    )
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const stored = Object.fromEntries([...keys, [url, publicKey]])
    await writeFile(temporary, `${JSON.stringify(stored, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
