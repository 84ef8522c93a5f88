// Reads the start of a text from a URL that the operator configured.
import type { Guard } from './connect.ts'
import { readBody } from './http-body.ts'
import { sendRequest } from './http-request.ts'

const MAX_BYTES = 4096

/** Does not follow redirects. Throws an OutboundError if there is no response within `withinMs`. */
export async function getText(
  guard: Guard,
  url: URL,
  withinMs: number,
): Promise<{ status: number; text: string }> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), withinMs)
  const { signal } = late
  try {
    const request = { url, method: 'GET', headers: {}, verifySsl: true }
    const reply = await sendRequest(guard, request, { signal, trace: { timings: {}, sent: false } })
    try {
      const { status, message } = reply
      const chunks = await Array.fromAsync(readBody(message, { maxBytes: MAX_BYTES, signal }))
      return { status, text: Buffer.concat(chunks).toString() }
    } finally {
      reply.close()
    }
  } finally {
    clearTimeout(timer)
  }
}
