// The service with its own PostgreSQL, from this checkout instead of the image: a directory that is a mount of its own, and
// the programs of a chosen major version.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { getPostgres } from '../../tools/services/executables.ts'
import { findFreePort } from '../../tools/services/ports.ts'
import { signal } from '../../tools/services/processes.ts'
import { ROOT } from './release.ts'
import { type Ran, run, tryRun } from './shell.ts'

const MAIN = join(ROOT, 'src/main.ts')
const WARM = join(ROOT, 'tools/warm-compile-cache.ts')
// They name the directory of sockets.
const URLS = ['database_url', 'migrate_database_url'].map((name) => join('secrets', name))
const WAIT_SECONDS = 90
const SETTINGS = { RATE_LIMIT_REQUESTS: '100000000', PROBE_ALLOW_CIDRS: '127.0.0.0/8' }

type Environment = Record<string, string>

const directories: string[] = []
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

export class OwnData {
  readonly directory: string
  output = ''
  url = ''
  key = ''
  #child: ChildProcess | undefined
  #compiled = ''

  /** `size`: of the disk that holds it, as mount names it. */
  static async open(t: { after(end: () => Promise<void>): void }, size = '1g'): Promise<OwnData> {
    const data = new OwnData()
    await run(['mount', '-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'none', data.directory])
    const { uid, gid } = getAccount()
    chownSync(data.directory, uid, gid)
    compiled ??= compileAs(uid, gid)
    data.#compiled = await compiled
    t.after(async () => {
      await data.kill()
      spawnSync('umount', ['--lazy', data.directory])
      rmSync(data.directory, { recursive: true })
    })
    return data
  }

  private constructor() {
    this.directory = mkdtempSync(join(tmpdir(), 'upvane-own-data-'))
  }

  /** What is kept when nothing runs, for `restore`. */
  async save(): Promise<Saved> {
    const copy = makeDirectory('upvane-saved-data-')
    await run(['cp', '--archive', `${this.directory}/.`, copy])
    const { directory, key } = this
    return { copy, directory, key }
  }

  /** The same data, as if they had been made here. */
  async restore({ copy, directory, key }: Saved): Promise<void> {
    await run(['cp', '--archive', `${copy}/.`, this.directory])
    const [before, now] = [directory, this.directory].map(encodeURIComponent) as [string, string]
    for (const url of URLS.map((file) => join(this.directory, file)))
      writeFileSync(url, readFileSync(url, 'utf8').replace(before, now))
    this.key = key
  }

  async start(programs: string, environment: Environment = {}): Promise<void> {
    const [port, internalPort] = [await findFreePort(), await findFreePort()]
    this.url = `http://127.0.0.1:${port}`
    this.output = ''
    const ports = { PORT: String(port), INTERNAL_PORT: String(internalPort) }
    const env = this.#environment(programs, { ...ports, ...SETTINGS, ...environment })
    const child = spawn(process.execPath, [MAIN, 'start'], {
      ...getAccount(),
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (this.output += text))
    await this.#wait(async () => {
      const found = await fetch(`http://127.0.0.1:${internalPort}/readyz`).catch(() => undefined)
      return found?.ok === true
    })
  }

  /** A start that ends by itself. */
  tryStart(programs: string, environment: Environment = {}): Promise<Ran> {
    return this.command(programs, ['start'], environment)
  }

  command(programs: string, typed: readonly string[], environment: Environment = {}): Promise<Ran> {
    const { uid, gid } = getAccount()
    const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    const env = this.#environment(programs, environment)
    return tryRun([...as, process.execPath, MAIN, ...typed], { env })
  }

  async operate(programs: string, ...typed: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.command(programs, typed)
    if (code !== 0) throw new Error(stderr)
    return stdout
  }

  async api(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': this.key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  /** The token of the link to the first account. */
  async setUpToken(): Promise<string> {
    const find = () => /"link":"[^"]+\/setup#([^"]+)"/.exec(this.output)?.[1]
    await this.#wait(() => Promise.resolve(find() !== undefined))
    return find() ?? ''
  }

  async stop(): Promise<number | null> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null) return child?.exitCode ?? null
    child.kill('SIGTERM')
    // The sleep of upvane-nightly.sh still holds its output; in a container it would end with the first process.
    await once(child, 'exit')
    return child.exitCode
  }

  /** Every process at once, as when a container is killed. */
  async kill(): Promise<void> {
    const child = this.#child
    for (const pid of findUsers(this.directory)) signal(pid, 'SIGKILL')
    await tryRun(['fuser', '--kill', '--mount', this.directory])
    while (child !== undefined && child.exitCode === null && child.signalCode === null)
      await delay(20)
  }

  #environment(programs: string, more: Environment): NodeJS.ProcessEnv {
    const PATH = [programs, '/usr/bin', '/bin'].join(delimiter)
    const NODE_COMPILE_CACHE = this.#compiled
    return { PATH, NODE_COMPILE_CACHE, UPVANE_DATA: this.directory, ...more }
  }

  async #wait(isDone: () => Promise<boolean>): Promise<void> {
    for (const deadline = Date.now() + WAIT_SECONDS * 1000; Date.now() < deadline; ) {
      if (await isDone()) return
      if (this.#child?.exitCode !== null) break
      await delay(50)
    }
    throw new Error(`The service did not get there:\n${this.output}`)
  }
}

export type Saved = { copy: string; directory: string; key: string }

let compiled: Promise<string> | undefined

/** Without a cache of their account, its processes would each compile all of their modules again. */
async function compileAs(uid: number, gid: number): Promise<string> {
  const NODE_COMPILE_CACHE = makeDirectory('upvane-compiled-')
  chownSync(NODE_COMPILE_CACHE, uid, gid)
  const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  await run([...as, process.execPath, WARM], { env: { ...process.env, NODE_COMPILE_CACHE } })
  return NODE_COMPILE_CACHE
}

/** Deleted when this process exits. */
function makeDirectory(prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix))
  directories.push(directory)
  return directory
}

/** PostgreSQL refuses to run as root. */
export function getAccount(): { uid: number; gid: number } {
  const { account } = getPostgres()
  if (account === undefined) throw new Error('These tests run as root.')
  return account
}

/** PostgreSQL overwrites its environment, but has files open. */
function findUsers(directory: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && environmentOf(pid).includes(`=${directory}\0`))
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}
