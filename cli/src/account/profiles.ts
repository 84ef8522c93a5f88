// The file with the keys of `upv login`. Only its owner may read it.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError, type Environment } from '../command.ts'

export type Profile = { url: string; key: string }
type Profiles = { selected: string | null; byName: ReadonlyMap<string, Profile> }

type Stored = { version: 1; selected: string | null; profiles: Record<string, Profile> }

const FOR_OTHERS = 0o077
const MAX_BYTES = 1024 * 1024
const NAME = /^[A-Za-z0-9._-]{1,50}$/
const EMPTY: Profiles = { selected: null, byName: new Map() }

export function profilesPath(env: Environment): string {
  const given = env['UPVANE_PROFILES_FILE']
  if (given) return given
  const base = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  return join(base, 'upvane', 'profiles.json')
}

export function assertProfileName(name: string): string {
  if (NAME.test(name)) return name
  throw new CommandError(2, 'a profile name has 1 to 50 letters, digits and the characters . _ -')
}

/** Empty if there is no file. */
export async function readProfiles(path: string): Promise<Profiles> {
  const file = await openIfThere(path)
  if (file === undefined) return EMPTY
  try {
    await assertPrivate(file, path)
    return parseProfiles(await file.readFile('utf8'), path)
  } finally {
    await file.close()
  }
}

/** Replaces the file in one step, so that a crash leaves the old one or the new one. */
export async function writeProfiles(path: string, { selected, byName }: Profiles): Promise<void> {
  const stored: Stored = { version: 1, selected, profiles: Object.fromEntries(byName) }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(stored, null, 2)}\n`)
    await file.sync()
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT') return undefined
    throw new CommandError(1, `${path} cannot be read (${code}).`)
  }
}

// Asks the open file, not the path: that cannot be exchanged in between.
async function assertPrivate(file: FileHandle, path: string): Promise<void> {
  const { mode, uid, size } = await file.stat()
  if (size > MAX_BYTES) throw new CommandError(1, `${path} is too large for a file of profiles.`)
  if (process.platform === 'win32') return
  if (uid !== process.getuid?.())
    throw new CommandError(1, `${path} belongs to another user. It was not read.`)
  if ((mode & FOR_OTHERS) === 0) return
  const fix = `Run "chmod 600 ${path}", and replace the keys if they may have been read.`
  throw new CommandError(1, `${path} holds API keys and other users can read it. ${fix}`)
}

function parseProfiles(text: string, path: string): Profiles {
  const advice = 'Delete it and run "upv login".'
  const wrong = new CommandError(1, `${path} is not a file of profiles. ${advice}`)
  let stored: Partial<Stored>
  try {
    stored = Object(JSON.parse(text)) as Partial<Stored>
  } catch {
    throw wrong
  }
  const entries = Object.entries(Object(stored.profiles) as Record<string, unknown>)
  if (stored.version !== 1 || !entries.every(isProfileEntry)) throw wrong
  const selected = typeof stored.selected === 'string' ? stored.selected : null
  return { selected, byName: new Map(entries as [string, Profile][]) }
}

function isProfileEntry([, value]: [string, unknown]): boolean {
  const { url, key } = Object(value) as Partial<Profile>
  return typeof url === 'string' && typeof key === 'string'
}
