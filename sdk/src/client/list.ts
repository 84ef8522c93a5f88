// A list of the API, page by page or item by item.
import { type Call, toCall } from './call.ts'
import { collect, type Most, tooMany } from './items.ts'
import type { CallOptions } from './options.ts'
import type { ApiRequest } from './request.ts'
import type { Send } from './transport.ts'

export type Page<Item> = {
  data: Item[]
  pagination: { limit: number; offset: number; total: number }
}
export type PagePosition = { limit?: number; offset?: number }

const LIMIT = 100
const LAST_OFFSET = 100_000
// Pages overlap, so that a few removals in between do not cost a request.
const STEP = 90

/** Nothing is sent until you iterate, or call `page` or `all`. */
export class List<Item extends { id: string }> implements AsyncIterable<Item> {
  readonly #send: Send
  readonly #request: ApiRequest
  readonly #options: CallOptions

  constructor(send: Send, request: ApiRequest, options: CallOptions = {}) {
    this.#send = send
    this.#request = request
    this.#options = options
  }

  /** One page. Left out: 25 items from the start. */
  page(position: PagePosition = {}): Call<Page<Item>> {
    const query = { ...this.#request.query, ...position }
    return toCall(this.#send<Page<Item>>({ ...this.#request, query }, this.#options))
  }

  /** Every item, newest first. An error beyond `max` (10,000) instead of running out of memory. */
  all(most?: Most): Promise<Item[]> {
    return collect(this, this.#request.operation, most)
  }

  /** Items that match from the first request to the last come exactly once, newest first; items that appear or vanish
   * meanwhile come at most once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    const seen = new Set<string>()
    for (let offset = 0; ; ) {
      const { data, pagination } = await this.page({ limit: LIMIT, offset })
      // The order never changes. So nothing is missing before this page if it starts the list or has an item of an
      // earlier page; else so much was removed meanwhile that the pages no longer overlap.
      const isGap = offset > 0 && !data.some(({ id }) => seen.has(id))
      if (isGap) {
        offset = Math.max(0, offset - STEP)
        continue
      }
      const fresh = data.filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      yield* fresh
      if (offset + data.length >= pagination.total) return
      offset += STEP
      if (offset > LAST_OFFSET)
        throw tooMany(this.#request.operation, 'the API reaches no item beyond 100,000')
    }
  }
}
