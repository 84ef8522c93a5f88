// Names that never go to a DNS server: localhost, names in the hosts file, and .invalid (RFC 6761).
import { isIP } from 'node:net'

const LOOPBACK = ['127.0.0.1', '::1']

/** Addresses by lowercase name. */
export type HostsFile = ReadonlyMap<string, readonly string[]>

export function parseHostsFile(text: string): HostsFile {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) addTo(hosts, name.toLowerCase(), address)
  }
  return hosts
}

function addTo(hosts: Map<string, string[]>, name: string, address: string): void {
  const known = hosts.get(name) ?? []
  if (!known.includes(address)) hosts.set(name, [...known, address])
}

/** The addresses of a local name. An empty list means that it does not exist, undefined that DNS must be queried. */
export function findLocalAddresses(host: string, hosts: HostsFile): readonly string[] | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (name === 'invalid' || name.endsWith('.invalid')) return []
  if (hosts.has(name)) return hosts.get(name)
  return name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : undefined
}
