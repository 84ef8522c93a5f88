// How many connections the server keeps open, in all and from one network. A trusted proxy speaks for many networks: only
// the limit of the process applies to it.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { peerNetwork } from './client-address.ts'

type ConnectionLimits = {
  /** Of the process. */
  max: number
  /** 0: no limit. */
  maxPerNetwork: number
  isProxy(address: string): boolean
  /** A connection was closed at once. `network` is undefined when the process had too many. */
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
