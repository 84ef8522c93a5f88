// Loopback servers for tests, on a free port below 32768: above it the system picks ports for clients.
import { once } from 'node:events'
import type { Server, Socket } from 'node:net'

export type Listening = { port: number; close(): Promise<void> }

// Not where tools/services/ports.ts assigns ports: one of those belongs to its owner while nothing listens on it.
const LOWEST = 11_000
const HIGHEST = 20_000
const TRIES = 50

export async function listen(server: Server, host = '127.0.0.1'): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await onFreePort(async (candidate) => {
    server.listen(candidate, host)
    await once(server, 'listening')
  })
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return { port, close }
}

/** Tries random ports until one is free. */
export async function onFreePort(bind: (port: number) => Promise<void>): Promise<number> {
  for (let i = 0; i < TRIES; i++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    try {
      await bind(port)
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
  throw new Error('No free port found.')
}
