// Decides which addresses may be reached. Pure: an address and a policy in, yes or no out.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Cidr = [Address, number]

/** Private addresses the operator allows; if empty, only public ones are reachable. */
export type AllowList = readonly Cidr[]

// These give credentials to any caller, so a wide CIDR must not allow them by accident.
// biome-ignore format: one provider a line
const METADATA = [
  '169.254.169.254',                                  // most providers
  'fd00:ec2::254', '169.254.170.2', '169.254.170.23', // AWS, also for containers
  'fd00:ec2::23',
  '168.63.129.16',                                    // Azure: a public address
  'fd20:ce::254',                                     // Google Cloud
  '100.100.100.200',                                  // Alibaba Cloud
  '192.0.0.192', 'fd00:c1::a9fe:a9fe',                // Oracle Cloud
  '169.254.0.23',                                     // Tencent Cloud
  '169.254.42.42', 'fd00:42::42',                     // Scaleway
].map((address) => ipaddr.process(address).toString())
const GLOBAL_IPV6: Cidr = ipaddr.parseCIDR('2000::/3')
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587])

/** Throws if a text is not a CIDR: a misread allow-list would permit or block the wrong addresses. */
export function parseAllowList(cidrs: readonly string[]): AllowList {
  return cidrs.map((cidr) => ipaddr.parseCIDR(cidr.trim()))
}

export function isPublic(address: string): boolean {
  return isIP(address) !== 0 && isPublicUnicast(ipaddr.process(address))
}

/** An address that is not public, whatever the operator allows. */
export function isPrivate(address: string): boolean {
  return isIP(address) !== 0 && !isPublic(address)
}

/** The address that a host is written as; null if it is a name. */
export function toLiteral(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

export function isPermitted(address: string, allow: AllowList): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  if (isMetadata(parsed)) return allow.some((cidr) => names(cidr, parsed))
  return isPublicUnicast(parsed) || allow.some((cidr) => contains(cidr, parsed))
}

/** Requests to public mail servers are blocked: a crafted body could speak SMTP. */
export function isMailServer(address: string, port: number): boolean {
  return MAIL_PORTS.has(port) && isPublic(address)
}

// The library classifies the old IPv4-compatible form ::127.0.0.1 as unicast, so IPv6 addresses must also be in the
// block assigned for public use.
function isPublicUnicast(address: Address): boolean {
  if (isMetadata(address)) return false
  return (
    address.range() === 'unicast' && (address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address))
  )
}

const isMetadata = (address: Address) => METADATA.includes(address.toString())

function contains([network, bits]: Cidr, address: Address): boolean {
  return network.kind() === address.kind() && address.match(network, bits)
}

/** Listed explicitly, as a single address: a /32 or /128. */
function names(cidr: Cidr, address: Address): boolean {
  return contains(cidr, address) && cidr[1] === (address.kind() === 'ipv4' ? 32 : 128)
}
