// PostgreSQL as a child: ready when it says so, started again when it ends, stopped fast.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isStartedAgain } from '../../domain/operating/standalone.ts'
import type { Log } from '../../platform/observability/log.ts'
import { StartError } from '../../platform/process/start-error.ts'
import { postgresIn, socketsIn } from './data-directory.ts'

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  jit: 'off',
  log_checkpoints: 'off',
  log_line_prefix: 'postgres: ',
}
const POLL_MS = 50
// Recovery after a kill reads at most max_wal_size.
const READY_SECONDS = 600
const AGAIN_MS = 1_000
const FAST_STOP_MS = 5_000
const STATUS_LINE = 7

type Options = {
  directory: string
  lock: number
  log: Log
  /** The data, if not those in their place. */
  data?: string
  /** The program, if not the one in PATH. */
  server?: string | undefined
}

export class OwnPostgres {
  /** Rejects when PostgreSQL has ended too often. */
  readonly failed: Promise<never>
  readonly #options: Options
  readonly #fail: (error: Error) => void
  readonly #endedMs: number[] = []
  #child: ChildProcess | undefined
  #lastLine = ''
  #isStopping = false

  constructor(options: Options) {
    this.#options = options
    const { promise, reject } = Promise.withResolvers<never>()
    this.failed = promise
    this.#fail = reject
    promise.catch(() => undefined)
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const child = this.#spawn()
    const deadline = Date.now() + READY_SECONDS * 1000
    while (!this.#isReady(child)) {
      if (hasEnded(child)) throw new StartError(`PostgreSQL does not start: ${this.#lastLine}`)
      if (Date.now() > deadline)
        throw new StartError(`PostgreSQL is not ready after ${READY_SECONDS} s. Look at its lines.`)
      await delay(POLL_MS)
    }
    child.once('exit', () => this.#startAgain())
    if (hasEnded(child)) this.#startAgain()
  }

  /** Rolls back what is under way; if that takes too long, the next start recovers. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const child = this.#child
    if (child === undefined || hasEnded(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    if ((await Promise.race([ended, delay(FAST_STOP_MS)])) !== undefined) return
    child.kill('SIGQUIT')
    await ended
  }

  get #data(): string {
    return this.#options.data ?? postgresIn(this.#options.directory)
  }

  #spawn(): ChildProcess {
    const { directory, lock, server = 'postgres' } = this.#options
    const settings = { ...SETTINGS, unix_socket_directories: socketsIn(directory) }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(server, ['-D', this.#data, ...args], {
      // Apart from the terminal's Ctrl-C: the service stops first.
      detached: true,
      stdio: ['ignore', 'inherit', 'pipe', lock],
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text)
      this.#lastLine = text.trim().split('\n').at(-1) ?? ''
    })
    child.on('error', (error) => {
      this.#lastLine = error.message
    })
    this.#child = child
    return child
  }

  #startAgain(): void {
    if (this.#isStopping) return
    const { log } = this.#options
    this.#endedMs.push(Date.now())
    if (!isStartedAgain(this.#endedMs, Date.now()))
      return this.#fail(new StartError(`PostgreSQL ended too often: ${this.#lastLine}`))
    log.error({ lastLine: this.#lastLine }, 'PostgreSQL ended; it is started again')
    setTimeout(() => void this.#startOrFail(), AGAIN_MS)
  }

  async #startOrFail(): Promise<void> {
    if (this.#isStopping) return
    // Its own processes may still be there for a moment.
    await this.start().catch(() => this.#startAgain())
  }

  /** It writes its state into the file that has its id. */
  #isReady(child: ChildProcess): boolean {
    const file = join(this.#data, 'postmaster.pid')
    try {
      const lines = readFileSync(file, 'utf8').split('\n')
      return Number(lines[0]) === child.pid && lines[STATUS_LINE]?.trim() === 'ready'
    } catch {
      return false
    }
  }
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}
