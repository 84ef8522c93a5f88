import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below 32768, where Linux starts assigning ports for outgoing connections: a server that restarts must not find its
// port used by a client.
const FIRST_PORT = 20_000
const LAST_PORT = 31_999
const MAX_TRIES = 100

const handedOut = new Set<number>()

/** A port that is not in use and was not returned to this process before. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (handedOut.has(port) || !(await canListen(host, port))) continue
    handedOut.add(port)
    return port
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT} in ${MAX_TRIES} tries.`)
}

async function canListen(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
