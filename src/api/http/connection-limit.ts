// Limits the server's open connections, in total and per network. A trusted proxy serves many networks, so only the
// process limit applies to it.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { peerNetwork } from './client-address.ts'

type ConnectionLimits = {
  /** For the whole process. */
  max: number
  /** 0: no limit. */
  maxPerNetwork: number
  isProxy(address: string): boolean
  /** A connection was closed immediately. `network` is undefined when the process limit was reached. */
  onRefused(network: string | undefined): void
}

export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { max, maxPerNetwork, isProxy, onRefused } = limits
  const open = new Map<string, number>()
  server.maxConnections = max
  server.on('drop', () => onRefused(undefined))
  server.on('connection', (socket: Socket) => {
    if (maxPerNetwork === 0 || isProxy(socket.remoteAddress ?? '')) return
    const network = peerNetwork(socket)
    const others = open.get(network) ?? 0
    if (others >= maxPerNetwork) {
      socket.destroy()
      return onRefused(network)
    }
    open.set(network, others + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
