// NAT64: an IPv6 address under certain prefixes stands for an IPv4 address (RFC 6052), and a gateway leads there.
// Such an address must be judged by where it leads.
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Prefix = [network: ipaddr.IPv6, bits: number]
export type Nat64Prefixes = readonly Prefix[]

// Bits 64 to 71 are always zero: an IPv4 address that would cross them continues behind them.
const RESERVED_BYTE = 8
const IPV4_BYTES = 4

/** Throws on text that is no IPv6 network; the configuration checks the length. */
export function parseNat64Prefixes(cidrs: readonly string[]): Nat64Prefixes {
  return cidrs.map((cidr) => ipaddr.IPv6.parseCIDR(cidr))
}

/** The IPv4 address that is reached, or the address itself. */
export function throughNat64(address: string, prefixes: Nat64Prefixes): string {
  if (prefixes.length === 0 || !isIPv6(address)) return address
  const parsed = ipaddr.IPv6.parse(address)
  const prefix = prefixes.find(([network, bits]) => parsed.match(network, bits))
  if (prefix === undefined) return address
  const bytes = parsed.toByteArray().filter((_, index) => index !== RESERVED_BYTE || prefix[1] > 64)
  const start = prefix[1] / 8
  return bytes.slice(start, start + IPV4_BYTES).join('.')
}
