// Reads the body of a POST or PATCH: JSON in UTF-8 up to the operation's size, or a problem in the words of the contract.
import type { IncomingMessage } from 'node:http'
import type { Problem } from '../../domain/values/problem.ts'
import { ApiError } from '../../platform/api-error.ts'
import { KeyedConcurrencyLimit } from '../../platform/limits/keyed-concurrency-limit.ts'

type ReadBody = { json: unknown } | { absent: true } | { problems: Problem[] }

export type BodyLimit = { maxBytes: number; text: string; maxSeconds: number }

/** For what anybody may send, and what people say about themselves. */
export const SMALL_BODY: BodyLimit = { maxBytes: 16 * 1024, text: '16 KiB', maxSeconds: 15 }
/** For operations of an organization. */
export const LARGE_BODY: BodyLimit = { maxBytes: 2 * 1024 * 1024, text: '2 MiB', maxSeconds: 30 }

// Bodies that may be larger than a small one, in memory at once: 64 MiB of the process, 8 MiB of one owner. The others
// wait unread in their sockets.
const large = new KeyedConcurrencyLimit({
  total: 32,
  perKey: 4,
  maxWaitingPerKey: 1_000,
  maxWaitMs: 30_000,
})

// How much of a body that is too large is read and dropped, as a multiple of what it may be.
const DROPPED_TIMES = 4
const CLOSE_AFTER_MS = 2_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The client went away while it was sending: nobody is left to answer. */
export class ClientGone extends Error {}

/** `owner` is whose share of the memory a large body takes. */
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

/** A body of unknown length is as large as it may be. */
function mayBeLarge({ headers }: IncomingMessage, { maxBytes }: BodyLimit): boolean {
  const bytes = headers['transfer-encoding'] ? maxBytes : Number(headers['content-length'] ?? 0)
  return bytes > SMALL_BODY.maxBytes && bytes <= maxBytes
}

/** Undefined when there is too much of it; what is left is dropped. */
async function readBytes(
  request: IncomingMessage,
  { maxBytes, maxSeconds }: BodyLimit,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    dropRest(request, maxBytes)
    return undefined
  }
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
    // What still comes in is dropped, and nothing of it stays in memory.
    chunks.length = 0
    request.off('data', onData)
    dropRest(request, maxBytes)
  }
}

/**
 * Reads on, so that a client which sends everything before it listens gets its answer. A client that sends far too much
 * is not read any more and soon loses its connection: reading costs time that others need.
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

/** The connection ends with the answer: what is left of the body would be taken for the next request. */
function tooSlow(seconds: number): ApiError {
  const message = `was not received within ${seconds} s`
  return new ApiError('validation_error', 'One value is not valid.', {
    details: [{ path: 'body', message }],
    headers: { Connection: 'close' },
  })
}
