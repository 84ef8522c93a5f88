// Starts the load client on its core and sends it jobs.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Job, Outcome } from './load-client.ts'
import { pin } from './machine.ts'

export class Load {
  readonly #child: ChildProcess

  constructor(cores: string) {
    this.#child = fork(join(import.meta.dirname, 'load-client.ts'))
    if (this.#child.pid !== undefined) pin(this.#child.pid, cores)
  }

  /** Runs one job; returns each request's time in milliseconds. Throws on an unexpected response. */
  async run(job: Job): Promise<number[]> {
    const over = new AbortController()
    const { signal } = over
    const ended = once(this.#child, 'exit', { signal }).then(() => {
      throw new Error('The load client ended')
    })
    this.#child.send(job)
    const [outcome] = (await Promise.race([once(this.#child, 'message'), ended])) as [Outcome]
    ended.catch(() => {})
    over.abort()
    if (outcome.failures.length > 0) throw new Error(`Unexpected answer:\n${outcome.failures[0]}`)
    return outcome.latenciesMs
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect()
  }
}

/** A request as sent over the wire. */
export function requestText(
  method: string,
  path: string,
  { key, body }: { key?: string | undefined; body?: unknown } = {},
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(key === undefined ? [] : [`X-API-Key: ${key}`]),
    ...(body === undefined
      ? []
      : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`]),
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
