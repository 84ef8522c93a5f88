import { isApiError } from '@upvane/sdk'
import { assertUrl, readUrl } from '../account/connection.ts'
import {
  assertProfileName,
  type Profile,
  profilesPath,
  readProfiles,
  writeProfiles,
} from '../account/profiles.ts'
import { readKey } from '../account/read-key.ts'
import { createClient } from '../api/client.ts'
import { type Command, CommandError, defineCommand } from '../command.ts'
import { printList } from '../terminal/output.ts'
import { note, print } from '../terminal/text.ts'

const DEFAULT_PROFILE = 'default'

const login = defineCommand({
  name: 'login',
  summary: 'store an API key for the next commands',
  options: {
    url: { value: 'URL', text: 'address of the service (UPVANE_URL)' },
    profile: { value: 'NAME', text: `name it, to have several (${DEFAULT_PROFILE})` },
  },
  notes: [
    `It asks for the key, or reads it from standard input. The key is checked before it is stored, in a file that
only you can read. The profile becomes the one that commands use.`,
  ],
  examples: [
    'upv login --url https://upvane.example.com',
    'upv login --url https://upvane.example.com --profile work < key.txt',
  ],
  async run({ options, env }) {
    const name = assertProfileName(options.profile ?? DEFAULT_PROFILE)
    const given = options.url ?? readUrl(env)
    if (given === undefined) throw new CommandError(2, 'give --url, or set UPVANE_URL.')
    const url = assertUrl(options.url === undefined ? 'UPVANE_URL' : '--url', given)
    if (isPlainRemote(url)) note('upv: this address is not https: the key can be read on its way.')
    const path = profilesPath(env)
    // Before the question: a file that cannot be used should not cost an answer.
    const { byName } = await readProfiles(path)
    const profile = { url, key: await readKey(`API key for ${url}: `) }
    await assertAccepted(profile)
    await writeProfiles(path, { selected: name, byName: new Map(byName).set(name, profile) })
    print(`Signed in to ${url}. Profile "${name}" is stored in ${path}.`)
  },
})

async function assertAccepted(profile: Profile): Promise<void> {
  try {
    await createClient(profile).monitors.list().page({ limit: 1 })
  } catch (error) {
    if (isApiError(error, 'unauthorized'))
      throw new CommandError(1, `${profile.url} refused the key. Nothing was stored.`)
    throw error
  }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

function isPlainRemote(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && !LOOPBACK.has(hostname)
}

const logout = defineCommand({
  name: 'logout',
  summary: 'delete a stored API key from this machine',
  options: { profile: { value: 'NAME', text: 'this one instead of the selected one' } },
  notes: ['The key itself stays valid. Revoke it in the dashboard if nobody needs it anymore.'],
  async run({ options, env }) {
    const path = profilesPath(env)
    const { selected, byName } = await readProfiles(path)
    const name = options.profile ?? selected ?? DEFAULT_PROFILE
    if (!byName.has(name)) throw new CommandError(1, `there is no profile "${name}".`)
    const left = new Map(byName)
    left.delete(name)
    await writeProfiles(path, { selected: selected === name ? null : selected, byName: left })
    print(`Deleted profile "${name}".`)
  },
})

type Shown = { name: string; url: string; selected: boolean }

const list = defineCommand({
  name: 'profiles list',
  summary: 'list the stored profiles, without their keys',
  printsJson: true,
  async run({ options, env }) {
    const { selected, byName } = await readProfiles(profilesPath(env))
    const shown = [...byName].map(
      ([name, { url }]): Shown => ({ name, url, selected: name === selected }),
    )
    const listing = {
      columns: [{ title: 'PROFILE' }, { title: 'URL', shrinksTo: 20 }, { title: 'SELECTED' }],
      toRow: (each: Shown) => [each.name, each.url, each.selected ? 'yes' : ''],
      none: 'No profiles. "upv login" creates one.',
    }
    printList(shown, listing, options.json)
  },
})

const use = defineCommand({
  name: 'profiles use',
  summary: 'select the profile that commands use',
  arguments: [{ name: 'profile', text: 'its name' }],
  async run({ args: [name = ''], env }) {
    const path = profilesPath(env)
    const { byName } = await readProfiles(path)
    if (!byName.has(name)) throw new CommandError(1, `there is no profile "${name}".`)
    await writeProfiles(path, { selected: name, byName })
    print(`Commands use profile "${name}" now.`)
  },
})

export const ACCOUNT_COMMANDS: readonly Command[] = [login, logout, list, use]
