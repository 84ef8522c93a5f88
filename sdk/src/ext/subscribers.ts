// Made from openapi-ext.json by sdk/make-sdk.ts. Edit the contract and make it again, not this file.
import type { Deleted } from '../api/shared.ts'
import type { Call } from '../client/call.ts'
import type { List } from '../client/list.ts'
import type { CallOptions, WriteOptions } from '../client/options.ts'

export type PageSubscriber = {
  /** Id of the subscriber. */
  id: string
  /** How they are notified. */
  kind: 'EMAIL' | 'SLACK' | 'WEBHOOK'
  /** Email address. Of Slack and webhooks only the host: the full URL is all it takes to post there. */
  address: string
  /** How many components they chose. Null for the whole page. */
  components: number | null
  /** When the subscription was last requested. */
  askedAt: string
  /** When it was confirmed. Null while it waits. */
  confirmedAt: string | null
}

export type SubscriberInput = {
  /** Email address. */
  address: string
  /** Components they are notified about. Left out, the whole page. */
  componentIds?: string[]
}

export type SubscribersQuery = {
  /** Confirmed subscribers, or those that have not followed the link yet. */
  state?: 'CONFIRMED' | 'WAITING'
  /** A full address. Addresses are stored encrypted, so a partial search is not possible. */
  address?: string
}

export type Subscribers = {
  /** List subscribers. */
  list(id: string, query?: SubscribersQuery, options?: CallOptions): List<PageSubscriber>
  /** Add a subscriber. */
  add(id: string, input: SubscriberInput, options?: WriteOptions): Call<PageSubscriber>
  /** Remove a subscriber. */
  remove(statusPageId: string, subscriberId: string, options?: WriteOptions): Call<Deleted>
}
