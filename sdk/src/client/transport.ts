// Sends a call, again if need be, and always with the same idempotency key.
import { type Received, readData, readRateLimit, readRequestId } from './answer.ts'
import type { Answer } from './call.ts'
import { callHook } from './call-hook.ts'
import { ApiError, type CallFacts, ConnectionError, TimeoutError, UpvaneError } from './errors.ts'
import type { AttemptInfo, WriteOptions } from './options.ts'
import { type ApiRequest, type Prepared, prepare } from './request.ts'
import { isStillRunning, retryWait } from './retry.ts'
import type { Settings } from './settings.ts'
import { createDeadline, wait } from './wait.ts'

const MAX_REASON = 200

export type Send = <Data>(request: ApiRequest, options?: WriteOptions) => Promise<Answer<Data>>

export function createTransport(settings: Settings): Send {
  return async <Data>(request: ApiRequest, options: WriteOptions = {}) =>
    (await sendUntilDone(settings, prepare(settings, request, options))) as Answer<Data>
}

async function sendUntilDone(settings: Settings, call: Prepared): Promise<Answer<unknown>> {
  let retries = 0
  let runningSince: number | undefined
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendOnce(settings, call, attempt)
    if (!(outcome instanceof UpvaneError)) return outcome
    if (isStillRunning(outcome)) runningSince ??= Date.now()
    const progress = { retries, runningMs: Date.now() - (runningSince ?? Date.now()) }
    const waitMs = retryWait(outcome, progress, call.limits, Math.random())
    if (waitMs === undefined) throw outcome
    if (!isStillRunning(outcome)) retries++
    if (outcome instanceof ApiError && outcome.code === 'rate_limited')
      callHook(settings.onRateLimitWait, waitMs)
    await wait(waitMs, call.signal)
  }
}

type Outcome = Answer<unknown> | UpvaneError

async function sendOnce(settings: Settings, call: Prepared, attempt: number): Promise<Outcome> {
  const { operation, method, url, idempotencyKey, signal } = call
  const { pacer } = settings
  signal?.throwIfAborted()
  await pacer?.admit(signal)
  let received: Received | UpvaneError | undefined
  try {
    const key = await settings.readKey()
    const info = { operation, method, url, attempt, idempotencyKey }
    const facts = { operation, attempts: attempt, idempotencyKey }
    callHook(settings.onRequest, info)
    const startedAt = Date.now()
    received = await exchange(settings, call, key, facts)
    const outcome = readOutcome(received, facts, key)
    report(settings, info, { received, outcome, durationMs: Date.now() - startedAt })
    return outcome
  } finally {
    pacer?.learn(received && 'response' in received ? readRateLimit(received.response) : null)
  }
}

/** The response, or why there is none. Throws only the reason of the caller's abort. */
async function exchange(
  settings: Settings,
  { method, url, body, idempotencyKey, signal, limits }: Prepared,
  key: string,
  facts: CallFacts,
): Promise<Received | ConnectionError> {
  const { fetch } = settings
  const deadline = createDeadline(limits.timeoutMs, signal)
  const headers = new Headers({ Accept: 'application/json', Authorization: `Bearer ${key}` })
  // Following a redirect would take the key along, and turn a POST into a GET.
  const init: RequestInit = { method, headers, signal: deadline.signal, redirect: 'manual' }
  if (idempotencyKey !== null) headers.set('Idempotency-Key', idempotencyKey)
  if (body !== undefined) {
    headers.set('Content-Type', 'application/json')
    init.body = body
  }
  try {
    const response = await fetch(url, init)
    return { response, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    if (deadline.isOver())
      return new TimeoutError(`no complete response in ${limits.timeoutMs} ms`, facts)
    return new ConnectionError(`no complete response${reasonOf(cause)}`, facts, cause)
  } finally {
    deadline.clear()
  }
}

function readOutcome(received: Received | ConnectionError, facts: CallFacts, key: string): Outcome {
  if (received instanceof UpvaneError) return received
  const { response, text } = received
  // A server that echoes the request must not get the key into an error.
  const shown = response.ok ? text : text.replaceAll(key, '***')
  const read = readData({ response, text: shown }, facts)
  if (read instanceof UpvaneError) return read
  return { ...read, ...readHeaders(response), attempts: facts.attempts, response }
}

type Ended = { received: Received | ConnectionError; outcome: Outcome; durationMs: number }

function report(settings: Settings, info: AttemptInfo, ended: Ended): void {
  const { received, outcome, durationMs } = ended
  const response = 'response' in received ? received.response : undefined
  callHook(settings.onResponse, {
    ...info,
    status: response?.status ?? null,
    errorCode: outcome instanceof UpvaneError ? codeOf(outcome) : null,
    ...(response ? readHeaders(response) : NO_HEADERS),
    durationMs,
  })
}

function codeOf(error: UpvaneError): string {
  if ('code' in error) return String(error.code)
  return error instanceof TimeoutError ? 'timeout' : 'connection_failed'
}

const NO_HEADERS = { requestId: null, replayed: false, rateLimit: null }

function readHeaders(response: Response) {
  return {
    requestId: readRequestId(response),
    replayed: response.headers.get('idempotency-replayed') === 'true',
    rateLimit: readRateLimit(response),
  }
}

/** What `fetch` hides one level deeper: ` (connect ECONNREFUSED 127.0.0.1:8080)`. */
function reasonOf(cause: unknown): string {
  const inner: unknown = cause instanceof Error ? (cause.cause ?? cause) : cause
  // One for each address of a name.
  const first: unknown = inner instanceof AggregateError ? inner.errors[0] : inner
  const text = first instanceof Error ? first.message : ''
  return text === '' ? '' : ` (${text.slice(0, MAX_REASON)})`
}
