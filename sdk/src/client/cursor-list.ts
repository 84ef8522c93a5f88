// A list of the API that continues with a cursor: nothing is repeated or skipped, however much changes.
import { type Call, toCall } from './call.ts'
import { collect, type Most } from './items.ts'
import type { CallOptions } from './options.ts'
import type { ApiRequest } from './request.ts'
import type { Send } from './transport.ts'

/** `next` is null on the last page. */
export type CursorPage<Item> = { data: Item[]; next: string | null }
export type CursorPosition = { limit?: number; next?: string }

const LIMIT = 1000

/** `cursor` is the query parameter that takes `next` of the page before. */
type CursorRequest = ApiRequest & { cursor: string }

/** Nothing is sent until you iterate, or call `page` or `all`. */
export class CursorList<Item> implements AsyncIterable<Item> {
  readonly #send: Send
  readonly #request: CursorRequest
  readonly #options: CallOptions

  constructor(send: Send, request: CursorRequest, options: CallOptions = {}) {
    this.#send = send
    this.#request = request
    this.#options = options
  }

  /** One page. Left out: 100 items from the start. */
  page({ limit, next }: CursorPosition = {}): Call<CursorPage<Item>> {
    const { cursor, ...request } = this.#request
    const query = { ...request.query, limit, [cursor]: next }
    return toCall(this.#send<CursorPage<Item>>({ ...request, query }, this.#options))
  }

  /** Every item, newest first. An error beyond `max` (10,000) instead of running out of memory. */
  all(most?: Most): Promise<Item[]> {
    return collect(this, this.#request.operation, most)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let next: string | null | undefined
    do {
      const page: CursorPage<Item> = await this.page({ limit: LIMIT, ...(next && { next }) })
      yield* page.data
      next = page.next
    } while (next !== null)
  }
}
