// The target of the engine's benchmarks: responds over HTTP and HTTPS on many loopback addresses, and records how long
// after its slot each request came. Started by engine-kit.ts.
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { ADDRESSES } from './engine-rows.ts'

export type TargetOrder = { do: 'listen'; key: string; cert: string } | { do: 'count' | 'take' }
export type TargetReply = {
  ports?: { http: number; https: number }
  count: number
  /** One entry per request since the last read, and when it came (Unix milliseconds). */
  latenessMs: number[]
  atMs: number[]
}

const RESPONSE =
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'
const FIRST_PORT = 20_000
const LAST_PORT = 32_000
let count = 0
let latenessMs: number[] = []
let atMs: number[] = []

process.on('message', (order: TargetOrder) => void obey(order))
process.on('disconnect', () => process.exit(0))

async function obey(order: TargetOrder): Promise<void> {
  if (order.do === 'listen') {
    const http = await listenEverywhere(() => createServer({ noDelay: true }, serve))
    const https = await listenEverywhere(() =>
      createTlsServer({ key: order.key, cert: order.cert, minVersion: 'TLSv1.3' }, serve),
    )
    return reply({ count, latenessMs: [], atMs: [], ports: { http, https } })
  }
  if (order.do === 'count') return reply({ count, latenessMs: [], atMs: [] })
  reply({ count, latenessMs, atMs })
  latenessMs = []
  atMs = []
}

function reply(message: TargetReply): void {
  process.send?.(message)
}

function serve(socket: Socket): void {
  socket.on('error', () => socket.destroy())
  socket.once('data', (chunk) => {
    const [, path = ''] = chunk.toString('latin1', 0, 200).split(' ', 2)
    const [, word, first, second] = path.split('/')
    if (word === 'hang') return
    if (word === 'slow') return void setTimeout(() => socket.end(RESPONSE), Number(first))
    if (word === 'at') note(Number(first), Number(second))
    socket.end(RESPONSE)
  })
}

function note(phaseMs: number, intervalMs: number): void {
  // The wall clock, like the slots: a monotonic clock drifts by milliseconds per minute.
  const nowMs = Date.now()
  const sinceSlotMs = (nowMs - phaseMs) % intervalMs
  count += 1
  atMs.push(nowMs)
  // Slightly early because of clock rounding, not a whole interval late.
  latenessMs.push(sinceSlotMs > intervalMs - 1000 ? sinceSlotMs - intervalMs : sinceSlotMs)
}

/** A port that is free on all addresses. */
async function listenEverywhere(create: () => Server): Promise<number> {
  for (let port = FIRST_PORT + (process.pid % 5000); port < LAST_PORT; port++) {
    const servers: Server[] = []
    const free = await Promise.all(
      Array.from({ length: ADDRESSES }, (_, i) => {
        const server = create()
        servers.push(server)
        return new Promise<boolean>((resolve) => {
          server.once('error', () => resolve(false))
          server.listen({ port, host: `127.0.0.${i + 1}`, backlog: 4096 }, () => resolve(true))
        })
      }),
    )
    if (free.every(Boolean)) return port
    for (const server of servers) server.close()
  }
  throw new Error('no free port')
}
