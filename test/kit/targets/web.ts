// A web server with one script per path, which records every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Identity } from './certificates.ts'
import { listen } from './listen.ts'

export type Request = {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  atMs: number
}

type Reply =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }
  /** Reads the request, then resets the connection. */
  | 'RESET'
  /** Reads the request and never responds. */
  | 'SILENCE'

/** `number` counts the requests to this path, from 1. */
export type Script = Reply | ((request: Request, number: number) => Reply)

export type Page = {
  url: string
  seen: Request[]
  /** Changes the responses from now on. */
  become(script: Script): void
}

export type Web = {
  port: number
  /** A new path with its response script. */
  page(script: Script): Page
  close(): Promise<void>
}

export async function startWeb(identity?: Identity, host = '127.0.0.1'): Promise<Web> {
  const pages = new Map<string, { script: Script; seen: Request[] }>()
  const serve = async (message: IncomingMessage, response: ServerResponse) => {
    const request = await read(message)
    const [path = ''] = request.path.split('?', 1)
    const page = pages.get(path)
    if (page === undefined) return void response.writeHead(410).end()
    const number = page.seen.push(request)
    const { script } = page
    await respond(response, typeof script === 'function' ? script(request, number) : script)
  }
  const server = identity === undefined ? createServer(serve) : createTlsServer(identity, serve)
  const { port, close } = await listen(server)
  const origin = `${identity === undefined ? 'http' : 'https'}://${host}:${port}`
  return {
    port,
    close,
    page(first) {
      const path = `/page-${pages.size}`
      const page = { script: first, seen: [] as Request[] }
      pages.set(path, page)
      return {
        url: origin + path,
        seen: page.seen,
        become: (script) => void (page.script = script),
      }
    },
  }
}

async function read(message: IncomingMessage): Promise<Request> {
  const atMs = performance.now()
  const chunks: Buffer[] = []
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
  const { method = '', url: path = '' } = message
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
  )
  return { method, path, headers, body: Buffer.concat(chunks).toString(), atMs }
}

async function respond(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply === 'SILENCE') return
  if (reply === 'RESET') return void response.socket?.resetAndDestroy()
  const { status = 200, headers = {}, body = 'ok', delayMs = 0 } = reply
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
  if (!response.destroyed) response.writeHead(status, headers).end(body)
}
