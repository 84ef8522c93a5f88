// One HTTP exchange, with nothing asserted: both sides of the suite need failures as figures.
import { Agent, request as httpRequest } from 'node:http'

export type Send = {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: unknown
  /** The text of a body, instead of a value. */
  json?: string
  timeoutMs?: number
}
/** Status 0 means there was no response. */
export type Sent = { status: number; ms: number; text: string; retryAfter?: string | undefined }
export type Sender = { send(request: Send): Promise<Sent>; close(): void }

const TIMEOUT_MS = 30_000

/** `from` is the loopback address the connections come from. */
export function createSender(baseUrl: string, from: string): Sender {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, localAddress: from })
  const send: Sender['send'] = ({ method = 'GET', path, headers = {}, body, json, timeoutMs }) =>
    new Promise((resolve) => {
      const startedMs = performance.now()
      const text = json ?? (body === undefined ? undefined : JSON.stringify(body))
      const finish = (status: number, answer: string, retryAfter?: string) => {
        clearTimeout(timer)
        resolve({ status, ms: performance.now() - startedMs, text: answer, retryAfter })
      }
      const sent = text === undefined ? headers : { ...headers, ...jsonHeaders(text) }
      const request = httpRequest(
        { hostname, port, method, path, headers: sent, agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', (error) => finish(0, String(error)))
          response.on('end', () =>
            finish(
              response.statusCode ?? 0,
              Buffer.concat(chunks).toString(),
              response.headers['retry-after'],
            ),
          )
        },
      )
      const timer = setTimeout(
        () => request.destroy(new Error('No answer in time')),
        timeoutMs ?? TIMEOUT_MS,
      )
      request.on('error', (error) => finish(0, String(error)))
      request.end(text)
    })
  return { send, close: () => agent.destroy() }
}

const jsonHeaders = (text: string) => ({
  'Content-Type': 'application/json',
  'Content-Length': String(Buffer.byteLength(text)),
})

/** What the dashboard sends with every request. */
export const asBrowser = (cookie: string): Record<string, string> => ({
  Cookie: cookie,
  'Sec-Fetch-Site': 'same-origin',
})
