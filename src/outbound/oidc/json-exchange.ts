// Requests a small JSON document: one connection, one deadline, no redirects.
import type { Guard } from '../connect.ts'
import { readBody } from '../http-body.ts'
import { sendRequest } from '../http-request.ts'
import { OutboundError } from '../outbound-error.ts'

type JsonRequest = {
  url: URL
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
}
type JsonReply = { status: number; json: unknown }

const DEADLINE_MS = 8_000
const MAX_BYTES = 256 * 1024

/** Throws an OutboundError if there is no response, or if it is too long or not JSON. */
export async function exchangeJson(guard: Guard, request: JsonRequest): Promise<JsonReply> {
  const { url, method = 'GET', headers = {}, body } = request
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), DEADLINE_MS)
  const context = { signal: late.signal, trace: { timings: {}, sent: false } }
  const asked = {
    url,
    method,
    headers,
    verifySsl: true,
    ...(body !== undefined && { body }),
  }
  try {
    const reply = await sendRequest(guard, asked, context)
    try {
      const limits = { maxBytes: MAX_BYTES, signal: late.signal }
      const chunks = await Array.fromAsync(readBody(reply.message, limits))
      return { status: reply.status, json: parse(Buffer.concat(chunks)) }
    } finally {
      reply.close()
    }
  } finally {
    clearTimeout(timer)
  }
}

function parse(bytes: Buffer): unknown {
  if (bytes.length >= MAX_BYTES) throw new OutboundError('INVALID_RESPONSE', 'too long')
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new OutboundError('INVALID_RESPONSE', 'no JSON')
  }
}
