// Limits count networks, not addresses: a single IPv6 customer has at least a /64.

const IPV6_GROUPS = 8
const IPV6_NETWORK_GROUPS = 4

export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail = ''] = address.split('::')
  const [left, right] = [head, tail].map((text) => text.split(':').filter((part) => part !== ''))
  const zeros = IPV6_GROUPS - (left?.length ?? 0) - (right?.length ?? 0)
  const groups = [...(left ?? []), ...Array<string>(Math.max(0, zeros)).fill('0'), ...(right ?? [])]
  const network = groups.slice(0, IPV6_NETWORK_GROUPS).map((group) => Number.parseInt(group, 16))
  return `${network.map((group) => group.toString(16)).join(':')}::/64`
}
