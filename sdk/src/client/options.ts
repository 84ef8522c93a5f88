// What a caller can set, for a client and for one call.

/** `fetch`, or something that works like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type UpvaneOptions = {
  /** The API key, or a function that returns it: it is called before each request, so keys can rotate. */
  apiKey: string | (() => string | Promise<string>)
  /** Address of the installation, such as `https://upvane.example.com`. */
  baseUrl: string
  /** Milliseconds one attempt may take. Default: 30,000. Checking a monitor gets at least 150,000. */
  timeoutMs?: number
  /** Further attempts after a failure that can pass. Default: 2. */
  maxRetries?: number
  /** An error that asks for a longer wait than this is thrown instead. Default: 65,000. */
  maxRetryWaitMs?: number
  /** Wait for the next rate limit window instead of running into 429. Default: false. */
  pace?: boolean
  /** Called before a wait for the rate limit, with its milliseconds. What it throws is ignored. */
  onRateLimitWait?: (waitMs: number) => void
  fetch?: Fetch
  /** Called before each attempt. What it throws is ignored. */
  onRequest?: (attempt: AttemptInfo) => void
  /** Called after each attempt, also a failed one. What it throws is ignored. */
  onResponse?: (attempt: AttemptResult) => void
}

export type CallOptions = {
  /** Ends the call at once, whatever it is doing. Its reason is thrown. */
  signal?: AbortSignal
  timeoutMs?: number
  maxRetries?: number
}

export type WriteOptions = CallOptions & {
  /** 1 to 200 letters, digits and `._:-`. Left out, the client makes one for each call. */
  idempotencyKey?: string
}

/** Neither the key nor a header or a body is ever in here. */
export type AttemptInfo = {
  /** Operation id of the API, such as `createMonitor`. */
  operation: string
  method: string
  url: string
  /** 1 for the first attempt. */
  attempt: number
  /** Null for a GET. */
  idempotencyKey: string | null
}

export type AttemptResult = AttemptInfo & {
  /** Null if there was no complete response. */
  status: number | null
  /** Null on success. `timeout` and `connection_failed` if there was no complete response. */
  errorCode: string | null
  requestId: string | null
  /** The response of an earlier attempt or call with the same idempotency key. */
  replayed: boolean
  rateLimit: RateLimit | null
  durationMs: number
}

/** The rate limit window of the key, as of a response. */
export type RateLimit = { limit: number; remaining: number; resetSeconds: number }
