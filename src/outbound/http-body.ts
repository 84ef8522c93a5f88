// A body in pieces, decoded and capped: what a bomb unpacks to is never held.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { OutboundError, toOutboundError } from './outbound-error.ts'

type BodyLimits = { maxBytes: number; signal: AbortSignal }

// The window a sender may ask us to hold; RFC 8878 recommends 8 MiB, the library would allow 128.
const ZSTD_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

/** Yields decoded bytes, `maxBytes` at most in all. Stopping early is fine. */
export async function* readBody(
  message: IncomingMessage,
  { maxBytes, signal }: BodyLimits,
): AsyncGenerator<Buffer> {
  let left = maxBytes
  try {
    for await (const chunk of await decoded(message, signal)) {
      const piece: Buffer = chunk.subarray(0, left)
      left -= piece.length
      yield piece
      if (left === 0) return
    }
  } catch (error) {
    throw toBodyError(error, signal)
  }
}

async function decoded(message: IncomingMessage, signal: AbortSignal): Promise<Readable> {
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return message
  const decoder = await decoderOf(encoding, message, signal)
  // The reader hears of a broken body from the decoder, which is destroyed with the same error.
  return pipeline(message, decoder, () => undefined)
}

async function decoderOf(
  encoding: string,
  message: IncomingMessage,
  signal: AbortSignal,
): Promise<Transform> {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress(ZSTD_WINDOW)
    case 'deflate':
      return (await hasZlibHeader(message, signal)) ? createInflate() : createInflateRaw()
    default:
      // Also more than one coding: a chain multiplies what a small body can unpack to.
      throw new OutboundError('INVALID_RESPONSE', 'content encoding')
  }
}

/** "deflate" means zlib, but some servers send the bare stream. */
async function hasZlibHeader(message: IncomingMessage, signal: AbortSignal): Promise<boolean> {
  if (message.readableLength === 0) await once(message, 'readable', { signal })
  const head: Buffer | null = message.read()
  if (head === null) return true
  message.unshift(head)
  return ((head[0] ?? 0) & 0x0f) === 8
}

function toBodyError(error: unknown, signal: AbortSignal): OutboundError {
  if (signal.aborted) return new OutboundError('TIMEOUT')
  const named = toOutboundError(error)
  return named instanceof OutboundError ? named : new OutboundError('INVALID_RESPONSE', 'body')
}
