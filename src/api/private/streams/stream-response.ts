// A response that is sent while it is produced: its length does not affect our memory.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export type StreamResponse = {
  status: 200
  headers: Record<string, string>
  chunks: AsyncIterable<string>
}

/** Waits for a slow client. A failure midway can only cut the response off, and is thrown. */
export async function sendStream(
  response: ServerResponse,
  { status, headers, chunks }: StreamResponse,
): Promise<void> {
  response.writeHead(status, headers)
  if (response.req.method === 'HEAD') return void response.end()
  try {
    await pipeline(Readable.from(chunks), response)
  } catch (error) {
    if (!isClosedByClient(error)) throw error
  }
}

function isClosedByClient(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE'
}
