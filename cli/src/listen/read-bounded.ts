import type { IncomingMessage } from 'node:http'

/** `isWhole` is false if there is more than the limit; the rest is not read. */
export async function readBounded(
  message: IncomingMessage,
  maxBytes: number,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes)
      return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isWhole: false }
  }
  return { bytes: Buffer.concat(chunks), isWhole: true }
}
