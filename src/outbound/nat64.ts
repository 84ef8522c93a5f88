// NAT64: under certain prefixes, an IPv6 address maps to an IPv4 address (RFC 6052) behind a gateway. Such an address
// must be judged by its IPv4 address.
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Prefix = [network: ipaddr.IPv6, bits: number]
export type Nat64Prefixes = readonly Prefix[]

// Bits 64 to 71 are always zero: an IPv4 address that would cross them continues after them.
const RESERVED_BYTE = 8
const IPV4_BYTES = 4

/** Throws if a text is not an IPv6 network; the configuration validates the prefix length. */
export function parseNat64Prefixes(cidrs: readonly string[]): Nat64Prefixes {
  return cidrs.map((cidr) => ipaddr.IPv6.parseCIDR(cidr))
}

/** Returns the IPv4 address that is reached, or the address unchanged. */
export function throughNat64(address: string, prefixes: Nat64Prefixes): string {
  if (prefixes.length === 0 || !isIPv6(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  const prefix = prefixes.find(([network, bits]) => parsed.match(network, bits))
  if (prefix === undefined) return address
  const bytes = parsed.toByteArray().filter((_, index) => index !== RESERVED_BYTE || prefix[1] > 64)
  const start = prefix[1] / 8
  return bytes.slice(start, start + IPV4_BYTES).join('.')
}
