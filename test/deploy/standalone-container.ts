// A container of the image with a volume, on the ports of this machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../tools/services/ports.ts'
import { cgroup2 } from './abilities.ts'
import { getStorage, VERSION } from './release.ts'
import { type Ran, run, tryRun } from './shell.ts'

const IMAGE = `localhost/upvane:${VERSION}-amd64`
const LIMITS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=30000:30000']
// Read-only without a /tmp: everything is in the volume.
const CLOSED = ['--read-only', '--read-only-tmpfs=false', '--cap-drop', 'ALL']
const RUN = ['run', '--rm', '--network', 'host', '--cgroups=disabled', ...LIMITS, ...CLOSED]
const WAIT_SECONDS = 90
const SETTINGS = ['RATE_LIMIT_REQUESTS=100000000', 'PROBE_ALLOW_CIDRS=127.0.0.0/8']

let started = 0

export class Standalone {
  output = ''
  readonly volume: string
  readonly ports: readonly [number, number]
  readonly #name = `upvane-alone-${process.pid}-${++started}`
  #child: ChildProcess | undefined

  private constructor(volume: string, ports: readonly [number, number]) {
    this.volume = volume
    this.ports = ports
  }

  static async start(volume: string): Promise<Standalone> {
    const ports = [await findFreePort(), await findFreePort()] as const
    const container = new Standalone(volume, ports)
    const [port, internal] = ports
    const settings = [`PORT=${port}`, `INTERNAL_PORT=${internal}`, ...SETTINGS]
    const passed = settings.flatMap((setting) => ['--env', setting])
    const args = [...RUN, '--name', container.#name, '-v', `${volume}:/data`, ...passed, IMAGE]
    const [program = '', ...rest] = podman(args)
    const { env } = await getStorage()
    container.#child = spawn(program, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [container.#child.stdout, container.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => void (container.output += text))
    return container
  }

  /** For a container that ends by itself. */
  static async tryStart(args: readonly string[], command: readonly string[] = []): Promise<Ran> {
    const { env } = await getStorage()
    return tryRun(podman([...RUN, ...args, IMAGE, ...command]), { env })
  }

  /** Where this machine has the volume. */
  static async pathOf(volume: string): Promise<string> {
    const { env } = await getStorage()
    const args = ['volume', 'inspect', volume, '--format', '{{.Mountpoint}}']
    return (await run(podman(args), { env })).trim()
  }

  static namespaceOf(pid: string): string | undefined {
    try {
      return readlinkSync(`/proc/${pid}/ns/pid`)
    } catch {
      return undefined
    }
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports[0]}`
  }

  /** With the first group of the pattern, or all of it. */
  async waitForOutput(pattern: RegExp): Promise<string> {
    return this.#wait(() => {
      const found = pattern.exec(this.output)
      return Promise.resolve(found?.[1] ?? found?.[0])
    }, `did not print ${pattern}`)
  }

  async waitUntilReady(): Promise<void> {
    const url = `http://127.0.0.1:${this.ports[1]}/readyz`
    await this.#wait(async () => {
      const response = await fetch(url).catch(() => undefined)
      return response?.ok === true ? 'ready' : undefined
    }, 'did not become ready')
  }

  async exec(...command: string[]): Promise<string> {
    const { env } = await getStorage()
    return run(podman(['exec', this.#name, ...command]), { env })
  }

  async api(method: string, path: string, key: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }

  async imageBytes(): Promise<number> {
    const { env } = await getStorage()
    return Number(await run(podman(['image', 'inspect', IMAGE, '--format', '{{.Size}}']), { env }))
  }

  /** As `docker stop` does. */
  async stop(): Promise<{ seconds: number; code: number | null }> {
    const startMs = Date.now()
    const code = await this.#signal('TERM')
    return { seconds: (Date.now() - startMs) / 1000, code }
  }

  /** Every process of it, at once. */
  async kill(): Promise<void> {
    await this.#signal('KILL')
  }

  async end(): Promise<void> {
    if (this.#child?.exitCode === null) await this.kill()
  }

  async #signal(signal: string): Promise<number | null> {
    const child = this.#child
    if (child === undefined) return null
    const { env } = await getStorage()
    if (child.exitCode !== null) return child.exitCode
    const ended = once(child, 'close')
    await this.#wait(async () => {
      // There may be no container yet.
      const { code } = await tryRun(podman(['kill', '--signal', signal, this.#name]), { env })
      return code === 0 ? signal : undefined
    }, 'could not be ended')
    await ended
    return child.exitCode
  }

  async #wait(find: () => Promise<string | undefined>, failure: string): Promise<string> {
    for (const deadline = Date.now() + WAIT_SECONDS * 1000; Date.now() < deadline; ) {
      const found = await find()
      if (found !== undefined) return found
      if (this.#child?.exitCode !== null) break
      await delay(100)
    }
    throw new Error(`The container ${failure}:\n${this.output}`)
  }
}

function podman(args: readonly string[]): string[] {
  return ['bash', '-c', cgroup2('podman "$@"'), '_', '--cgroup-manager', 'cgroupfs', ...args]
}
