// A small HTTP server on loopback whose every answer a test decides.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Upvane, type UpvaneOptions } from '../src/index.ts'

export const KEY = 'upv_planted0key0that0must0not0appear'

/** One request as it arrived. */
export type Exchange = {
  /** 1 is the first. */
  number: number
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}
export type Handle = (exchange: Exchange, response: ServerResponse) => void
type TestServer = {
  baseUrl: string
  exchanges: Exchange[]
  client(options?: Partial<UpvaneOptions>): Upvane
}

export async function startServer(t: TestContext, handle: Handle): Promise<TestServer> {
  const exchanges: Exchange[] = []
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const { method = '', url = '', headers } = request
    const exchange = { number: exchanges.length + 1, method, url, headers, body }
    exchanges.push(exchange)
    handle(exchange, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = (options = {}) => new Upvane({ apiKey: KEY, baseUrl, ...options })
  return { baseUrl, exchanges, client }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

type Sent = { status?: number; body?: unknown; headers?: Record<string, string> }

export function send(response: ServerResponse, { status = 200, body = {}, headers }: Sent): void {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': 'req_test',
    ...headers,
  })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): void {
  const error = { code, message: 'A reason.', requestId: 'req_test' }
  send(response, { status, body: { error }, headers })
}

/** Half an answer, and then the connection is gone. */
export function cutOff(response: ServerResponse): void {
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('{"id":"mon_1",', () => response.destroy())
}
