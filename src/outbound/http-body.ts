// Reads a body in chunks, decoded and capped, so that a decompression bomb is never held in memory.
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

// The window size a sender may require; RFC 8878 recommends 8 MiB, the library's default allows 128.
const ZSTD_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

/** Yields at most `maxBytes` decoded bytes in total. Callers may stop early. */
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
  // The decoder is destroyed with the same error, so the reader gets it from there.
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
      // Also refuses multiple encodings: chaining them multiplies what a small body can expand to.
      throw new OutboundError('INVALID_RESPONSE', 'content encoding')
  }
}

/** "deflate" means zlib, but some servers send a raw stream. */
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
