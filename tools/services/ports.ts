import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ListenOptions, type Server } from 'node:net'

// Below 32768, where Linux starts assigning ports for outgoing connections: a server that restarts must not find its
// port used by a client.
const FIRST_PORT = 20_000
const LAST_PORT = 31_999
const MAX_TRIES = 100

const handedOut = new Set<number>()

/** A port that is not in use and belongs to this process until it exits: a server that is killed and started again must
 * not find another test's server on its port. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (handedOut.has(port) || !(await canListen(host, port)) || !(await claimPort(port))) continue
    handedOut.add(port)
    return port
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT} in ${MAX_TRIES} tries.`)
}

/** Whether the port now belongs to this process. The mark is an abstract socket, which Linux removes when the process
 * ends in any way, and keeps apart for each network namespace. Other systems have none. */
export async function claimPort(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const mark = await listenTo({ path: `\0upvane-port-${port}` })
  mark?.unref()
  return mark !== undefined
}

async function canListen(host: string, port: number): Promise<boolean> {
  const server = await listenTo({ host, port })
  if (server === undefined) return false
  server.close()
  await once(server, 'close')
  return true
}

/** Undefined if another server listens there. */
async function listenTo(where: ListenOptions): Promise<Server | undefined> {
  const server = createServer()
  try {
    server.listen(where)
    await once(server, 'listening')
    return server
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined
    throw error
  }
}
