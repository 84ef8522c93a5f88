// The product's processes, restarted when killed or when they do not become ready, as a supervisor would.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../tools/services/ports.ts'
import type { Environment, Stack } from '../../../tools/stack.ts'

/** Where its processes run, and their settings. */
type Workplace = Pick<Stack, 'directory' | 'env'>

const ROOT = join(import.meta.dirname, '../../..')
const RETRY_MS = 300
const MAX_STARTS = 60
const READY_POLL_MS = 50
const READY_WITHIN_MS = 15_000

type Job = {
  command: string
  /** Where the sources of another version are. */
  version?: string
  env?: Environment
  /** Command prefix that runs it inside a network namespace. */
  inside?: readonly string[]
  /** Where it reports readiness; loopback unless it runs elsewhere. */
  internalHost?: string
}

type Member = Job & {
  port: number
  internalPort: number
  child: ChildProcess | undefined
  /** Settles when the current start has ended. A killed process waits to be revived. */
  starting: Promise<void>
  isReady: boolean
}

export class Crew {
  readonly #stack: Workplace
  readonly #members = new Map<string, Member>()
  /** Starts that did not become ready, with the reason. */
  readonly failedStarts: string[] = []

  constructor(stack: Workplace) {
    this.#stack = stack
  }

  /** Returns the URL it serves. */
  async hire(name: string, job: Job): Promise<string> {
    const member: Member = {
      ...job,
      port: await findFreePort(),
      internalPort: await findFreePort(),
      child: undefined,
      starting: Promise.resolve(),
      isReady: false,
    }
    this.#members.set(name, member)
    await this.#start(name, member)
    return `http://127.0.0.1:${member.port}`
  }

  pidOf(name: string): number {
    return this.#members.get(name)?.child?.pid ?? 0
  }

  /** Its metrics, as the operator's tools read them. */
  async metricsOf(name: string): Promise<string> {
    const { internalHost = '127.0.0.1', internalPort } = this.#members.get(name) ?? {}
    return (await fetch(`http://${internalHost}:${internalPort}/metrics`)).text()
  }

  isRunning(name: string): boolean {
    return this.#members.get(name)?.isReady === true
  }

  async kill(name: string): Promise<void> {
    await this.#end(name, 'SIGKILL')
  }

  async stop(name: string): Promise<void> {
    await this.#end(name, 'SIGTERM')
  }

  /** Begins to restart it; callers that need it wait for `allRunning`. */
  revive(name: string, afterMs = 0): void {
    const member = this.#members.get(name)
    if (member === undefined || member.isReady) return
    member.starting = sleep(afterMs).then(() => this.#start(name, member))
  }

  async allRunning(): Promise<void> {
    for (const { starting } of this.#members.values()) await starting
  }

  async stopAll(): Promise<void> {
    await this.allRunning()
    await Promise.all([...this.#members.keys()].map((name) => this.stop(name)))
  }

  async #end(name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const member = this.#members.get(name)
    if (member?.child === undefined) return
    member.isReady = false
    await end(member.child, signal)
    member.child = undefined
  }

  // Its dependencies may be down as well, and then it exits at once: it is started until it stays up.
  async #start(name: string, member: Member): Promise<void> {
    for (let starts = 1; starts <= MAX_STARTS; starts++) {
      const child = this.#spawn(member)
      member.child = child
      const outcome = await becomesReady(child, member)
      if (outcome === 'READY') {
        member.isReady = true
        return
      }
      this.failedStarts.push(`${name}: ${outcome}`)
      await end(child, 'SIGKILL')
      await sleep(RETRY_MS)
    }
    throw new Error(`${name} did not start: ${this.failedStarts.at(-1)}`)
  }

  #spawn({ command, version = ROOT, env, inside = [], port, internalPort }: Member): ChildProcess {
    const { directory } = this.#stack
    const log = openSync(join(directory, `service-${port}.log`), 'a')
    const main = join(version, 'src/main.ts')
    const [program = '', ...words] = [...inside, process.execPath, main, command]
    return spawn(program, words, {
      // The directory's watchdog kills every process running in it.
      cwd: directory,
      stdio: ['ignore', log, log],
      env: {
        BASE_URL: `http://127.0.0.1:${port}`,
        ...this.#stack.env,
        ...env,
        PORT: String(port),
        INTERNAL_PORT: String(internalPort),
      },
    })
  }
}

async function becomesReady(child: ChildProcess, member: Member): Promise<string> {
  const { internalHost = '127.0.0.1', internalPort } = member
  const deadlineMs = performance.now() + READY_WITHIN_MS
  let last = 'no answer'
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null) return `ended with code ${child.exitCode}`
    if (child.signalCode !== null) return 'killed'
    const answer = await fetch(`http://${internalHost}:${internalPort}/readyz`, {
      signal: AbortSignal.timeout(1000),
    }).catch(() => undefined)
    if (answer?.ok) return 'READY'
    if (answer !== undefined) last = await answer.text()
    await sleep(READY_POLL_MS)
  }
  return `not ready: ${last}`
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
