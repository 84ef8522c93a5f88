// Calls a URL the operator configured. Only the status of the response matters.
import type { Guard } from './connect.ts'
import { sendRequest } from './http-request.ts'

const DEADLINE_MS = 8_000

/** Returns the status. Throws an OutboundError if there is no response. */
export async function postText(guard: Guard, url: URL, body: string): Promise<number> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), DEADLINE_MS)
  const context = { signal: late.signal, trace: { timings: {}, sent: false } }
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
  try {
    const request = { url, method: 'POST', headers, body, verifySsl: true }
    const reply = await sendRequest(guard, request, context)
    reply.close()
    return reply.status
  } finally {
    clearTimeout(timer)
  }
}
