// A company's way out: an HTTP proxy that asks for a user and a password, and connects to the named places alone.
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { listen } from './listen.ts'

const USER = 'probe'
const PASSWORD = 'p@ss:word'

type Options = {
  /** Where each permitted `host:port` really is. */
  places: Readonly<Record<string, { host: string; port: number }>>
  host?: string
}

export type ConnectProxy = {
  port: number
  user: string
  password: string
  /** `host:port` and status of every request. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

export async function startConnectProxy({ places, host }: Options): Promise<ConnectProxy> {
  const asked: string[] = []
  const sockets = new Set<Duplex>()
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    const to = request.url ?? ''
    const place = places[to]
    const status = isSignedIn(request) ? (place === undefined ? 403 : 200) : 407
    asked.push(`${to} ${status}`)
    hold(sockets, client)
    if (place === undefined || status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const target = connect(place, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(target).pipe(client)
    })
    hold(sockets, target)
    target.once('close', () => client.destroy())
    client.once('close', () => target.destroy())
  })
  const { port, close } = await listen(server, ...(host === undefined ? [] : [host]))
  return {
    port,
    user: USER,
    password: PASSWORD,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy()
      await close()
    },
  }
}

function isSignedIn({ headers }: IncomingMessage): boolean {
  const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`
  return headers['proxy-authorization'] === expected
}

function hold(sockets: Set<Duplex>, socket: Duplex | Socket): void {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.once('close', () => sockets.delete(socket))
}
