// Reads the body of a POST or PATCH: JSON in UTF-8 up to the operation's size limit, or a problem for the caller.
import type { IncomingMessage } from 'node:http'
import type { Problem } from '../../../domain/values/problem.ts'
import { ApiError } from '../../../platform/api-error.ts'
import { runInTurn } from '../../../platform/limits/busy-work.ts'
import { KeyedConcurrencyLimit } from '../../../platform/limits/keyed-concurrency-limit.ts'
import { AsciiUnescaper } from './ascii-unescaper.ts'
import { type BodyBounds, exceeds, FEWEST_BYTES, MOST_BYTES } from './body-bounds.ts'

type ReadBody = { json: unknown } | { absent: true } | { problems: Problem[] }

export type BodyLimit = BodyBounds & { maxSeconds: number }

const SMALL_SECONDS = 15
const LARGE_SECONDS = 30

/** For requests without authentication, and for people's own account settings. */
export const smallBody = (bounds: BodyBounds): BodyLimit => ({
  ...bounds,
  maxBytes: FEWEST_BYTES,
  maxSeconds: SMALL_SECONDS,
})
/** For operations of an organization. */
export const largeBody = (bounds: BodyBounds): BodyLimit => ({
  ...bounds,
  maxSeconds: LARGE_SECONDS,
})

// Limits large bodies in memory at once: 64 MiB per process, 8 MiB per owner, and of long ones three times as much. The others
// wait unread in their sockets.
const large = new KeyedConcurrencyLimit({
  total: 32,
  perKey: 4,
  maxWaitingPerKey: 1_000,
  maxWaitMs: 30_000,
})

// How much of an oversized body is read and dropped, as a multiple of the most that such a caller may send.
const DROPPED_TIMES = 4
const CLOSE_AFTER_MS = 2_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The client disconnected while sending: there is no one left to respond to. */
export class ClientGone extends Error {}

/** `accept` turns what was read into the handler's input. For a large body it runs in the turn of `owner`, whose share of
 * the memory is held until it has ended: parsing and validating block everybody. */
export async function readJsonBody<T>(
  request: IncomingMessage,
  { limit, owner }: { limit: BodyLimit; owner: string },
  accept: (read: ReadBody) => T,
): Promise<T> {
  if (!mayBeLarge(request, limit))
    return accept(parseBody(request, await readBytes(request, limit), limit))
  return large.run(owner, async () => {
    const bytes = await readBytes(request, limit)
    return runInTurn(owner, () => accept(parseBody(request, bytes, limit)))
  })
}

function parseBody(
  request: IncomingMessage,
  bytes: Buffer | undefined,
  limit: BodyLimit,
): ReadBody {
  if (bytes === undefined) return wholeProblem(`must be at most ${sizeText(mostSent(limit))}`)
  if (bytes.length === 0) return { absent: true }
  const problems = headerProblems(request)
  if (problems.length > 0) return { problems }
  if (exceeds(bytes, limit)) return wholeProblem('has too many values or is nested too deeply')
  try {
    return { json: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return wholeProblem('must be JSON in UTF-8')
  }
}

const wholeProblem = (message: string): ReadBody => ({ problems: [{ path: 'body', message }] })

const mostSent = ({ maxBytes, maxSentBytes = maxBytes }: BodyBounds): number => maxSentBytes

function sizeText(bytes: number): string {
  return bytes === MOST_BYTES ? '2 MiB' : `${Math.floor(bytes / 1024)} KiB`
}

function headerProblems({ headers }: IncomingMessage): Problem[] {
  const problems: Problem[] = []
  if (!isJsonType(headers['content-type'] ?? ''))
    problems.push({ path: 'content-type', message: 'must be application/json' })
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== 'identity' && encoding !== '')
    problems.push({ path: 'content-encoding', message: 'must be identity: send it uncompressed' })
  return problems
}

function isJsonType(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  if (type.trim() !== 'application/json') return false
  const charsets = parameters
    .map((text) => text.trim())
    .filter((text) => text.startsWith('charset='))
  return charsets.every((text) => /^charset="?utf-?8"?$/.test(text))
}

/** A body of unknown length counts as the largest allowed. One that is too large is read in turn as well, and dropped. */
function mayBeLarge({ headers }: IncomingMessage, limit: BodyLimit): boolean {
  const maxBytes = mostSent(limit)
  const bytes = headers['transfer-encoding'] ? maxBytes : Number(headers['content-length'] ?? 0)
  return bytes > FEWEST_BYTES && maxBytes > FEWEST_BYTES
}

/** What was read of a body, and of a long one without escapes that it does not need. */
class ReceivedBytes {
  readonly #chunks: Buffer[] = []
  readonly #maxBytes: number
  readonly #unescaper: AsciiUnescaper | undefined
  #size = 0

  constructor({ maxBytes, maxSentBytes }: BodyBounds) {
    this.#maxBytes = maxBytes
    this.#unescaper = maxSentBytes === undefined ? undefined : new AsciiUnescaper()
  }

  add(chunk: Buffer): void {
    const kept = this.#unescaper?.add(chunk) ?? chunk
    this.#size += kept.length
    if (this.#size <= this.#maxBytes) this.#chunks.push(kept)
  }

  /** Undefined if it is too large. */
  whole(): Buffer | undefined {
    if (this.#unescaper !== undefined) this.add(this.#unescaper.end())
    return this.#size > this.#maxBytes ? undefined : Buffer.concat(this.#chunks)
  }

  clear(): void {
    this.#chunks.length = 0
  }
}

/** Undefined when the body is too large. It is read to its end all the same, as long as it is not far too large, and
 * others of its owner wait meanwhile; nothing of it is kept. */
async function readBytes(request: IncomingMessage, limit: BodyLimit): Promise<Buffer | undefined> {
  const [maxBytes, announced] = [mostSent(limit), Number(request.headers['content-length'] ?? 0)]
  if (announced > mostDropped(maxBytes) || (announced > maxBytes && maxBytes <= FEWEST_BYTES)) {
    dropRest(request, maxBytes)
    return undefined
  }
  // Its events are over, so that waiting for them would hold a place among the large bodies until the timeout.
  if (request.destroyed) throw new ClientGone()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const { maxSeconds } = limit
  const timer = setTimeout(() => reject(tooSlow(maxSeconds)), maxSeconds * 1000)
  const received = new ReceivedBytes(limit)
  let size = 0
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size > Math.max(maxBytes, announced)) resolve(undefined)
    else if (announced <= maxBytes) received.add(chunk)
  }
  request.on('data', onData)
  request.on('end', () => resolve(announced > maxBytes ? undefined : received.whole()))
  request.on('error', () => reject(new ClientGone()))
  request.on('close', () => reject(new ClientGone()))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    // Further data is dropped, and nothing stays in memory.
    received.clear()
    request.off('data', onData)
    dropRest(request, maxBytes)
  }
}

const mostDropped = (maxBytes: number): number =>
  DROPPED_TIMES * (maxBytes > FEWEST_BYTES ? Math.max(MOST_BYTES, maxBytes) : maxBytes)

/**
 * Keeps reading, so that a client that sends everything before it listens gets its response. A client that sends far
 * too much is no longer read and soon loses its connection: reading costs time that others need.
 */
function dropRest(request: IncomingMessage, maxBytes: number): void {
  const most = mostDropped(maxBytes)
  let dropped = 0
  const drop = (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped <= most) return
    request.off('data', drop)
    request.pause()
    setTimeout(() => request.socket.destroy(), CLOSE_AFTER_MS).unref()
  }
  request.on('data', drop)
  request.resume()
}

/** The connection closes after the response: the rest of the body would be parsed as the next request. */
function tooSlow(seconds: number): ApiError {
  const message = `was not received within ${seconds} s`
  return new ApiError('validation_error', 'One value is not valid.', {
    details: [{ path: 'body', message }],
    headers: { Connection: 'close' },
  })
}
