// Fingerprints of the networks this machine is in, to notice a region that is somewhere else than before.
import { createHash } from 'node:crypto'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

const MAX_NETWORKS = 16
const PRINT_LENGTH = 16
const SUBNET_BITS = 64
// Networks between containers and virtual machines have the same addresses on every machine.
const VIRTUAL = /^(?:docker|br-|veth|virbr|cni|flannel|cali|kube|lxc|lxdbr|podman|tun|tap)/
const LINK_LOCAL = new Set(['linkLocal', 'loopback', 'unspecified'])

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** Sorted, without internal interfaces. */
export function localNetworks(interfaces: Interfaces = networkInterfaces()): string[] {
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, some = []]) => some.filter(({ internal }) => !internal))
  const networks = addresses.flatMap(({ cidr }) => networkOf(cidr) ?? [])
  return [...new Set(networks)].toSorted().slice(0, MAX_NETWORKS).map(printOf)
}

/** An IPv6 subnet has 64 bits; the rest changes for privacy. */
function networkOf(cidr: string | null): string | undefined {
  if (cidr === null || !ipaddr.isValidCIDR(cidr)) return undefined
  const [address, bits] = ipaddr.parseCIDR(cidr)
  if (LINK_LOCAL.has(address.range())) return undefined
  if (address.kind() === 'ipv4')
    return `${ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()}/${bits}`
  const subnet = `${address.toString()}/${Math.min(bits, SUBNET_BITS)}`
  return `${ipaddr.IPv6.networkAddressFromCIDR(subnet).toString()}/${Math.min(bits, SUBNET_BITS)}`
}

function printOf(network: string): string {
  return createHash('sha256').update(network).digest('hex').slice(0, PRINT_LENGTH)
}
