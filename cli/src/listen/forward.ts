// Forwards a delivery unchanged, so the target program can verify it itself.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { readBounded } from './read-bounded.ts'

/** `error` is set if there was no response: `status` is then our own 502 or 504. */
export type Forwarded = {
  status: number
  headers: Record<string, string>
  body: Buffer
  error?: string
}

// Upvane gives up after 15 s, including the time spent here.
const TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 65_536
const OF_THIS_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const HANDED_BACK = ['content-type', 'retry-after']

export async function forward(url: URL, rawHeaders: string[], body: Buffer): Promise<Forwarded> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await post(url, rawHeaders, body, signal)
    const { bytes } = await readBounded(response, MAX_RESPONSE_BYTES)
    const headers = HANDED_BACK.flatMap((name) => {
      const value = response.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
    return {
      status: response.statusCode ?? 502,
      headers: Object.fromEntries(headers),
      body: bytes,
    }
  } catch (error) {
    const [status, why] = signal.aborted
      ? [504, `no answer within ${TIMEOUT_MS / 1000} s`]
      : [502, error instanceof Error ? error.message || codeOf(error) : String(error)]
    return { status, headers: {}, body: Buffer.alloc(0), error: why }
  }
}

// A host with several addresses fails with an error that has a code but no message.
function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name
}

function post(
  url: URL,
  rawHeaders: string[],
  body: Buffer,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const headers = ['Host', url.host, ...kept(rawHeaders), 'Content-Length', String(body.length)]
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers, signal, agent: false }, resolve)
    sending.on('error', reject)
    sending.end(body)
  })
}

/** Alternating names and values, as Node provides them. */
function kept(rawHeaders: string[]): string[] {
  return rawHeaders.filter((_, i) => {
    const name = rawHeaders[i - (i % 2)] ?? ''
    return !OF_THIS_CONNECTION.has(name.toLowerCase())
  })
}
