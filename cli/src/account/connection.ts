// Which service a command speaks to, and with which key. Both always come from the same place, so that a key never
// reaches a service it is not for.
import { CommandError, type Environment } from '../command.ts'
import { note } from '../terminal/text.ts'
import { type Profile, profilesPath, readProfiles } from './profiles.ts'

const OLD_NAME = 'UPVANE_BASE_URL'

/** The profile that was asked for; else the environment; else the selected profile. */
export async function readConnection(
  env: Environment,
  profile: string | undefined,
  defaultUrl?: string,
): Promise<Profile> {
  const wanted = profile ?? env['UPVANE_PROFILE']
  if (wanted) return readProfile(env, wanted)
  const key = env['UPVANE_API_KEY']
  const url = readUrl(env)
  if (key) {
    const found = url ?? defaultUrl
    if (found === undefined)
      throw new CommandError(2, 'UPVANE_API_KEY is set, but UPVANE_URL is not.')
    return { url: assertUrl('UPVANE_URL', found), key }
  }
  if (url !== undefined) throw new CommandError(2, 'UPVANE_URL is set, but UPVANE_API_KEY is not.')
  return readProfile(env, undefined)
}

/** The address in the environment, also by the name it had before. */
export function readUrl(env: Environment): string | undefined {
  const url = env['UPVANE_URL']
  if (url) return url
  const old = env[OLD_NAME]
  if (!old) return undefined
  note(`upv: ${OLD_NAME} is now UPVANE_URL. The old name still works in this version.`)
  return old
}

export function assertUrl(source: string, text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new CommandError(2, `${source} is not a URL such as https://upvane.example.com.`)
  if (url.username !== '' || url.password !== '')
    throw new CommandError(2, `${source} must not hold a user name or a password.`)
  return text
}

async function readProfile(env: Environment, wanted: string | undefined): Promise<Profile> {
  const { selected, byName } = await readProfiles(profilesPath(env))
  const name = wanted ?? selected
  const found = name === null ? undefined : byName.get(name)
  if (found !== undefined) return found
  if (wanted === undefined)
    throw new CommandError(2, 'run "upv login" first, or set UPVANE_URL and UPVANE_API_KEY.')
  const names = [...byName.keys()].join(', ')
  const known = names === '' ? 'There is none.' : `There are: ${names}.`
  throw new CommandError(2, `there is no profile "${wanted}". ${known}`)
}
