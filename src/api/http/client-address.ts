// Finds the client's address behind the proxies that the operator trusts.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import { networkOf } from '../../domain/values/network.ts'

// The longest match is an IPv6 address with its zone.
const HOP = /^(?:\[([^\]]{2,64})\](?::\d{1,5})?|([\d.]{7,15}):\d{1,5})$/

/** The network of the connection's direct peer: the proxy's, if there is one. */
export const peerNetwork = ({ remoteAddress = '' }: Socket): string =>
  networkOf(withoutMapping(remoteAddress))

export type ClientAddress = (request: IncomingMessage) => string

/** `onIgnored` is called with the peer whose X-Forwarded-For was not trusted. */
export function clientAddress(
  trustedProxies: readonly string[],
  onIgnored: (peer: string) => void = () => {},
): ClientAddress {
  const trusted = trustedList(trustedProxies)
  return ({ socket, headers }) => {
    const peer = withoutMapping(socket.remoteAddress ?? '')
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined) return peer
    if (!isTrusted(trusted, peer)) onIgnored(peer)
    return walk(trusted, peer, String(forwarded).split(',').toReversed())
  }
}

/** Whether a connection comes from a trusted proxy. */
export function proxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = trustedList(trustedProxies)
  return (address) => isTrusted(trusted, withoutMapping(address))
}

function trustedList(entries: readonly string[]): BlockList {
  const trusted = new BlockList()
  for (const entry of entries) addTo(trusted, entry)
  return trusted
}

/** The nearest hop that is not a trusted proxy. Anything beyond it, or beyond an unreadable hop, is ignored. */
function walk(trusted: BlockList, peer: string, hops: readonly string[]): string {
  let address = peer
  for (const hop of hops) {
    if (!isTrusted(trusted, address)) return address
    const next = readHop(hop.trim())
    if (next === undefined) return address
    address = next
  }
  return address
}

/** An address with the port that some proxies add: `ip`, `ipv4:port`, `[ipv6]`, `[ipv6]:port`. */
function readHop(text: string): string | undefined {
  const [, bracketed, bare] = HOP.exec(text) ?? []
  const address = withoutMapping(bracketed ?? bare ?? text)
  return isIP(address) === 0 ? undefined : address
}

function addTo(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(prefix), family)
}

function isTrusted(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')
