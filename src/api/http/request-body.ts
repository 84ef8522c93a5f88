// Reads the body of a POST or PATCH: JSON in UTF-8 up to the operation's size limit, or a problem for the caller.
import type { IncomingMessage } from 'node:http'
import type { Problem } from '../../domain/values/problem.ts'
import { ApiError } from '../../platform/api-error.ts'
import { KeyedConcurrencyLimit } from '../../platform/limits/keyed-concurrency-limit.ts'

type ReadBody = { json: unknown } | { absent: true } | { problems: Problem[] }

export type BodyLimit = { maxBytes: number; text: string; maxSeconds: number }

/** For requests without authentication, and for people's own account settings. */
export const SMALL_BODY: BodyLimit = { maxBytes: 16 * 1024, text: '16 KiB', maxSeconds: 15 }
/** For operations of an organization. */
export const LARGE_BODY: BodyLimit = { maxBytes: 2 * 1024 * 1024, text: '2 MiB', maxSeconds: 30 }

// Limits large bodies in memory at once: 64 MiB per process, 8 MiB per owner. The others wait unread in their sockets.
const large = new KeyedConcurrencyLimit({
  total: 32,
  perKey: 4,
  maxWaitingPerKey: 1_000,
  maxWaitMs: 30_000,
})

// How much of an oversized body is read and dropped, as a multiple of its limit.
const DROPPED_TIMES = 4
const CLOSE_AFTER_MS = 2_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The client disconnected while sending: there is no one left to respond to. */
export class ClientGone extends Error {}

/** `owner`: whose share of the memory a large body uses. */
export async function readJsonBody(
  request: IncomingMessage,
  limit: BodyLimit,
  owner: string,
): Promise<ReadBody> {
  const read = () => readBytes(request, limit)
  const bytes = await (mayBeLarge(request, limit) ? large.run(owner, read) : read())
  if (bytes === undefined)
    return { problems: [{ path: 'body', message: `must be at most ${limit.text}` }] }
  if (bytes.length === 0) return { absent: true }

  const problems = headerProblems(request)
  if (problems.length > 0) return { problems }
  try {
    return { json: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return { problems: [{ path: 'body', message: 'must be JSON in UTF-8' }] }
  }
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

/** A body of unknown length counts as the largest allowed. */
function mayBeLarge({ headers }: IncomingMessage, { maxBytes }: BodyLimit): boolean {
  const bytes = headers['transfer-encoding'] ? maxBytes : Number(headers['content-length'] ?? 0)
  return bytes > SMALL_BODY.maxBytes && bytes <= maxBytes
}

/** Undefined when the body is too large; the rest is dropped. */
async function readBytes(
  request: IncomingMessage,
  { maxBytes, maxSeconds }: BodyLimit,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    dropRest(request, maxBytes)
    return undefined
  }
  // Its events are over, so that waiting for them would hold a place among the large bodies until the timeout.
  if (request.destroyed) throw new ClientGone()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const timer = setTimeout(() => reject(tooSlow(maxSeconds)), maxSeconds * 1000)
  const chunks: Buffer[] = []
  let size = 0
  const onData = (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) resolve(undefined)
    else chunks.push(chunk)
  }
  request.on('data', onData)
  request.on('end', () => resolve(Buffer.concat(chunks)))
  request.on('error', () => reject(new ClientGone()))
  request.on('close', () => reject(new ClientGone()))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    // Further data is dropped, and nothing stays in memory.
    chunks.length = 0
    request.off('data', onData)
    dropRest(request, maxBytes)
  }
}

/**
 * Keeps reading, so that a client that sends everything before it listens gets its response. A client that sends far
 * too much is no longer read and soon loses its connection: reading costs time that others need.
 */
function dropRest(request: IncomingMessage, maxBytes: number): void {
  let dropped = 0
  const drop = (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped <= DROPPED_TIMES * maxBytes) return
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
