// Callers that write through every API process and remember what was acknowledged. A write without a clear response is
// repeated with its idempotency key, as the documentation tells clients to do.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

type Reply = { status: number; retryAfter: string | null }
type WriterOptions = { baseUrls: readonly string[]; key: string }

const TIMEOUT_MS = 15_000
const PAUSE_MS = 100
const RETRY_MS = 250
const LAST_WRITE_MS = 60_000
// What may become of a write while there is no primary: nothing, refused, or still running elsewhere.
const RETRIED: ReadonlySet<number> = new Set([0, 409, 429, 500])

export class Writers {
  /** Slugs of status pages whose creation was acknowledged. */
  readonly acknowledged = new Set<string>()
  /** Sent, with any outcome. */
  readonly sent = new Set<string>()
  readonly statuses = new Map<number, number>()
  readonly unexpected: string[] = []
  #lastSuccessMs = 0
  #stopped = false
  #giveUpMs = Number.POSITIVE_INFINITY
  readonly #key: string
  readonly #working: Promise<void>[]

  constructor({ baseUrls, key }: WriterOptions) {
    this.#key = key
    this.#working = baseUrls.map((baseUrl) => this.#work(baseUrl))
  }

  get lastSuccessMs(): number {
    return this.#lastSuccessMs
  }

  /** Ends after the writes in flight, which have a minute to succeed. */
  async stop(): Promise<void> {
    if (!this.#stopped) this.#giveUpMs = Date.now() + LAST_WRITE_MS
    this.#stopped = true
    await Promise.all(this.#working)
  }

  async #work(baseUrl: string): Promise<void> {
    while (!this.#stopped) {
      await this.#write(baseUrl)
      await sleep(PAUSE_MS)
    }
  }

  async #write(baseUrl: string): Promise<void> {
    const slug = `w-${randomUUID()}`
    const key = randomUUID()
    this.sent.add(slug)
    for (;;) {
      const { status, retryAfter } = await this.#post(baseUrl, slug, key)
      // The contract has no 503: clients know from the header that it is temporary.
      if (status >= 500 && (status !== 500 || retryAfter === null))
        this.unexpected.push(`${slug}: ${status} with Retry-After ${retryAfter}`)
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
      if (status === 201) {
        this.acknowledged.add(slug)
        this.#lastSuccessMs = Date.now()
        return
      }
      if (!RETRIED.has(status) || Date.now() > this.#giveUpMs)
        return void this.unexpected.push(`${slug}: ${status}`)
      await sleep(RETRY_MS)
    }
  }

  /** Status 0 without a response. */
  async #post(baseUrl: string, slug: string, key: string): Promise<Reply> {
    const headers = {
      'X-API-Key': this.#key,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    }
    const body = JSON.stringify({ name: 'Written', slug, sections: [] })
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    return fetch(`${baseUrl}/api/v1/status-pages`, { method: 'POST', headers, body, signal }).then(
      async (response) => {
        await response.arrayBuffer()
        return { status: response.status, retryAfter: response.headers.get('retry-after') }
      },
      () => ({ status: 0, retryAfter: null }),
    )
  }
}
