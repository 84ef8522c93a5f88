import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CommandError } from '../command.ts'
import { readConnection } from './connection.ts'
import { assertProfileName, profilesPath, readProfiles, writeProfiles } from './profiles.ts'

const KEY = 'upv_planted1234567890'
const WORK = { url: 'https://work.example.com', key: KEY }

function freshPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-profiles-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return join(directory, 'nested', 'profiles.json')
}

/** Refused with this code, in words that do not hold the key. */
const refused = (exitCode: number, message: RegExp) => (error: unknown) =>
  error instanceof CommandError &&
  error.exitCode === exitCode &&
  message.test(error.message) &&
  !error.message.includes(KEY)

test('what is written is read again, and only its owner can read it', async (t) => {
  const path = freshPath(t)
  assert.deepEqual(await readProfiles(path), { selected: null, byName: new Map() })
  const written = { selected: 'work', byName: new Map([['work', WORK]]) }
  await writeProfiles(path, written)
  assert.deepEqual(await readProfiles(path), written)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  await writeProfiles(path, { selected: null, byName: new Map() })
  assert.deepEqual(readdirSync(dirname(path)), ['profiles.json'], 'nothing temporary is left')
})

for (const mode of [0o640, 0o604, 0o660, 0o644])
  test(`a file with mode ${mode.toString(8)} is refused, with the command that fixes it`, async (t) => {
    const path = freshPath(t)
    await writeProfiles(path, { selected: 'work', byName: new Map([['work', WORK]]) })
    chmodSync(path, mode)
    await assert.rejects(readProfiles(path), refused(1, /chmod 600/))
  })

for (const text of [
  '',
  'x',
  '[]',
  'null',
  '{"version":2,"profiles":{}}',
  `{"version":1,"profiles":{"a":{"key":"${KEY}"}}}`,
])
  test(`a file that is no file of profiles is refused: ${text.slice(0, 20)}`, async (t) => {
    const path = freshPath(t)
    await writeProfiles(path, { selected: null, byName: new Map() })
    writeFileSync(path, text)
    await assert.rejects(readProfiles(path), refused(1, /is not a file of profiles/))
  })

test('names of profiles', () => {
  for (const name of ['default', 'work', 'a.b_c-1']) assert.equal(assertProfileName(name), name)
  for (const name of ['', 'a b', '../x', 'x'.repeat(51), 'a\n'])
    assert.throws(() => assertProfileName(name), refused(2, /profile name/))
})

// biome-ignore format: a table is read by its columns
const paths: [env: Record<string, string>, path: string][] = [
  [{ UPVANE_PROFILES_FILE: '/x/y.json', HOME: '/home/a' }, '/x/y.json'],
  [{ XDG_CONFIG_HOME: '/cfg', HOME: '/home/a' },           '/cfg/upvane/profiles.json'],
  [{ HOME: '/home/a' },                                    '/home/a/.config/upvane/profiles.json'],
]
for (const [env, path] of paths)
  test(`${JSON.stringify(env)}: ${path}`, () => assert.equal(profilesPath(env), path))

test('which service and key: profile by name, environment, selected profile; never mixed', async (t) => {
  const path = freshPath(t)
  const home = { url: 'https://home.example.com', key: 'upv_home' }
  await writeProfiles(path, {
    selected: 'work',
    byName: new Map([
      ['work', WORK],
      ['home', home],
    ]),
  })
  const base = { UPVANE_PROFILES_FILE: path }
  const inEnv = { ...base, UPVANE_URL: 'https://env.example.com', UPVANE_API_KEY: 'upv_env' }
  const fromEnv = { url: 'https://env.example.com', key: 'upv_env' }
  assert.deepEqual(await readConnection(base, undefined), WORK)
  assert.deepEqual(await readConnection(base, 'home'), home)
  assert.deepEqual(await readConnection({ ...base, UPVANE_PROFILE: 'home' }, undefined), home)
  assert.deepEqual(await readConnection(inEnv, undefined), fromEnv)
  assert.deepEqual(await readConnection(inEnv, 'home'), home)

  const { UPVANE_URL: _url, ...onlyKey } = inEnv
  const { UPVANE_API_KEY: _key, ...onlyUrl } = inEnv
  await assert.rejects(readConnection(onlyKey, undefined), refused(2, /UPVANE_URL is not/))
  await assert.rejects(readConnection(onlyUrl, undefined), refused(2, /UPVANE_API_KEY is not/))
  await assert.rejects(readConnection(base, 'lab'), refused(2, /no profile "lab".*work, home/))
  const old = { ...onlyKey, UPVANE_BASE_URL: 'https://old.example.com' }
  assert.deepEqual(await readConnection(old, undefined), {
    url: 'https://old.example.com',
    key: 'upv_env',
  })
})

test('without anything it says how to sign in; an address must be one, without credentials', async () => {
  const none = { UPVANE_PROFILES_FILE: '/nonexistent/profiles.json' }
  await assert.rejects(readConnection(none, undefined), refused(2, /upv login/))
  for (const UPVANE_URL of ['x', 'ftp://x', `https://me:${KEY}@x.example.com`]) {
    const env = { ...none, UPVANE_API_KEY: KEY, UPVANE_URL }
    await assert.rejects(readConnection(env, undefined), refused(2, /UPVANE_URL/))
  }
})
