// Who is at the other end, when proxies the operator trusts stand in between.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export type ClientAddress = (request: IncomingMessage) => string

export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList()
  for (const entry of trustedProxies) addTo(trusted, entry)
  return (request) => {
    const hops = [
      request.socket.remoteAddress ?? '',
      ...String(request.headers['x-forwarded-for'] ?? '')
        .split(',')
        .map((hop) => hop.trim())
        .toReversed(),
    ].map(withoutMapping)
    // The first hop, seen from here, that is not one of ours: everything behind it can be made up.
    return hops.find((hop) => isIP(hop) !== 0 && !isTrusted(trusted, hop)) ?? hops[0] ?? ''
  }
}

function addTo(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(prefix), family)
}

function isTrusted(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')
