import type { RateLimit } from './options.ts'

/** What an answer says beside its data. `response` is read to its end. */
export type Answer<Data> = {
  data: Data
  requestId: string | null
  /** The answer of an earlier attempt or call with the same idempotency key. */
  replayed: boolean
  rateLimit: RateLimit | null
  attempts: number
  response: Response
}

/** A promise of the data. */
export type Call<Data> = Promise<Data> & {
  /** The data together with what the headers say. */
  withResponse(): Promise<Answer<Data>>
}

export function toCall<Data>(sent: Promise<Answer<Data>>): Call<Data> {
  const data = sent.then((answer) => answer.data)
  return Object.assign(data, {
    withResponse() {
      // Only the returned promise reports a failure now.
      data.catch(() => undefined)
      return sent.then((answer) => answer)
    },
  })
}
