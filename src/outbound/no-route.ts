// Tells "this machine has no route there" from "a router says so". The first says nothing about the target.
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { OutboundError, systemCodeOf } from './outbound-error.ts'

const NO_ROUTE = new Set(['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'])
// Never used: connecting a datagram socket sends nothing.
const ANY_PORT = 9

/** The error to report for an address: NO_ROUTE in place of one that only this machine's routes explain. */
export async function blameRoute(error: unknown, address: string): Promise<unknown> {
  if (!(error instanceof OutboundError) || !NO_ROUTE.has(error.detail)) return error
  return (await hasRoute(address)) ? error : new OutboundError('NO_ROUTE', error.detail)
}

/** Asks the kernel, which looks for a route and a source address when a datagram socket is connected. */
export function hasRoute(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    const end = (isThere: boolean) => {
      resolve(isThere)
      socket.close()
    }
    const fail = (error: unknown) => end(!NO_ROUTE.has(systemCodeOf(error)))
    socket.once('error', fail)
    socket.connect(ANY_PORT, address, (error?: Error) => {
      if (error) fail(error)
      else end(true)
    })
  })
}
