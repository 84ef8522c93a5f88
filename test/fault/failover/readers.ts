// Callers that read through every API process, on every surface, and note what each says while there is no primary.
import { setTimeout as sleep } from 'node:timers/promises'

type Surface = {
  path: string
  usual: number
  temporary: 500 | 503
  headers: Record<string, string>
}
type Seen = { usual: number; temporary: number; cut: number }
type ReadersOptions = { baseUrls: readonly string[]; key: string }

const TIMEOUT_MS = 15_000
const PAUSE_MS = 1000
const COOKIE = ['upvane', '__Host-upvane'].map((name) => `${name}=${'a'.repeat(43)}`).join('; ')

/** None of them can be answered without the database, and each has one answer while it works. */
function surfacesOf(key: string): Surface[] {
  const keyed = { 'X-API-Key': key }
  return [
    { path: '/api/v1/monitors?limit=1', usual: 200, temporary: 500, headers: keyed },
    { path: '/api/ext/v1/tags', usual: 200, temporary: 500, headers: keyed },
    { path: '/prometheus/metrics', usual: 200, temporary: 503, headers: keyed },
    { path: '/hb/0123456789abcdef', usual: 404, temporary: 503, headers: {} },
    { path: '/status/some-page', usual: 404, temporary: 503, headers: {} },
    { path: '/app/api/me', usual: 401, temporary: 503, headers: { Cookie: COOKIE } },
  ]
}

export class Readers {
  /** By path. */
  readonly seen = new Map<string, Seen>()
  readonly unexpected: string[] = []
  #stopped = false
  readonly #options: ReadersOptions
  #working: Promise<void>[] = []

  constructor(options: ReadersOptions) {
    this.#options = options
  }

  start(): void {
    const { baseUrls, key } = this.#options
    this.#working = baseUrls.flatMap((baseUrl) =>
      surfacesOf(key).map((surface) => this.#work(baseUrl, surface)),
    )
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#working)
  }

  async #work(baseUrl: string, surface: Surface): Promise<void> {
    while (!this.#stopped) {
      await this.#read(baseUrl, surface)
      await sleep(PAUSE_MS)
    }
  }

  async #read(baseUrl: string, { path, usual, temporary, headers }: Surface): Promise<void> {
    const seen = this.seen.get(path) ?? { usual: 0, temporary: 0, cut: 0 }
    this.seen.set(path, seen)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(baseUrl + path, { headers, signal }).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response === undefined || text === undefined) {
      seen.cut += 1
      return
    }
    const { status } = response
    const retryAfter = response.headers.get('retry-after')
    if (status === usual) seen.usual += 1
    else if (status === temporary && retryAfter !== null && isTemporary(path, text))
      seen.temporary += 1
    else
      this.unexpected.push(`${path}: ${status}, Retry-After ${retryAfter}: ${text.slice(0, 200)}`)
  }
}

/** The APIs for keys say so with a code of their contract. */
function isTemporary(path: string, text: string): boolean {
  return !path.startsWith('/api/') || text.includes('"code":"internal_error"')
}
