// Reads the API of another tool: with a limit on requests, bytes and time, and never from another host than asked.
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../../command.ts'
import { parseJson } from './input.ts'

const MAX_REQUESTS = 500
const MAX_BYTES = 50 * 1024 * 1024
const TIMEOUT_MS = 30_000
const MAX_WAIT_SECONDS = 60
const MAX_TRIES = 4

type Access = { base: string; headers: Readonly<Record<string, string>> }

export class ApiReader {
  readonly #base: URL
  readonly #headers: Readonly<Record<string, string>>
  #requests = 0
  #bytes = 0

  constructor({ base, headers }: Access) {
    const url = URL.parse(base.endsWith('/') ? base : `${base}/`)
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new CommandError(2, '--url must be an http:// or https:// address.')
    this.#base = url
    this.#headers = headers
  }

  /** `path` is below the base, or a link of an answer. */
  async get(path: string): Promise<unknown> {
    const url = URL.parse(path, this.#base)
    // A link elsewhere would take the key with it.
    if (url === null || url.origin !== this.#base.origin)
      throw new CommandError(1, 'The API links to another host.')
    for (let tries = 1; ; tries += 1) {
      const response = await this.#request(url)
      const waitSeconds = Number(response.headers.get('retry-after') ?? '1')
      const text = await this.#read(response)
      if (response.ok) return parseJson(shown(url), text)
      if (response.status !== 429 || tries === MAX_TRIES || !(waitSeconds <= MAX_WAIT_SECONDS))
        throw new CommandError(1, `${shown(url)} answered ${response.status}.`)
      await delay(Math.max(0, waitSeconds) * 1000)
    }
  }

  async #request(url: URL): Promise<Response> {
    this.#requests += 1
    if (this.#requests > MAX_REQUESTS)
      throw new CommandError(1, `The API needs more than ${MAX_REQUESTS} requests.`)
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const headers = { Accept: 'application/json', ...this.#headers }
      return await fetch(url, { headers, redirect: 'error', signal })
    } catch {
      throw new CommandError(1, `${shown(url)} does not answer.`)
    }
  }

  async #read(response: Response): Promise<string> {
    const chunks: Uint8Array[] = []
    try {
      for await (const chunk of response.body ?? []) {
        this.#bytes += chunk.length
        if (this.#bytes > MAX_BYTES) break
        chunks.push(chunk)
      }
    } catch {
      throw new CommandError(1, `${shown(new URL(response.url))} broke off.`)
    }
    if (this.#bytes > MAX_BYTES)
      throw new CommandError(1, `The API answers with more than ${MAX_BYTES / 1024 / 1024} MB.`)
    return Buffer.concat(chunks).toString()
  }
}

/** Without the query, which may hold a key. */
const shown = (url: URL): string => `${url.origin}${url.pathname}`
