// A network namespace in which every forbidden address belongs to this machine and has a listener. A connection to an
// internal address is noticed by the listener and by the kernel's own counters.
import { execFileSync } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { createAuthority } from './certificates.ts'
import type { Script } from './dns-server.ts'
import { listen } from './listen.ts'

const PUBLIC = '11.22.33.44'
const PUBLIC_SIX = '2606:4700::44'

const FOUR = `
  127.0.0.1 127.8.8.8 0.0.0.0 10.0.0.1 10.255.0.7 172.16.0.1 172.31.255.9 192.168.0.1 192.168.77.7
  169.254.169.254 169.254.1.1 100.64.0.1 100.100.100.200 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.1
  203.0.113.1 240.0.0.1`
const SIX = `
  ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 fc00::1 fdab::1 fec0::1 fd00:ec2::254 64:ff9b::7f00:1 64:ff9b:1::1
  2002:7f00:1::1 2001::1 100::1 2001:db8::1 3fff::1 5f00::1`
export const FORBIDDEN: readonly string[] = `${FOUR} ${SIX}`.trim().split(/\s+/)

const isSix = (address: string) => address.includes(':')
export const isMapped = (address: string) => address.startsWith('::ffff:')
const publicOf = (address: string) => (isSix(address) ? PUBLIC_SIX : PUBLIC)
export const inUrl = (address: string) => (isSix(address) ? `[${address}]` : address)

/** Each address as its own CIDR, since some can be allowed in no other way; an IPv4 address covers its IPv6 form. */
export const EVERY_ADDRESS: readonly string[] = FORBIDDEN.filter((each) => !isMapped(each)).map(
  (address) => `${address}/${isSix(address) ? 128 : 32}`,
)

const OWN_ALREADY = new Set(['127.0.0.1', '127.8.8.8', '0.0.0.0', '::1'])
const assignable = [PUBLIC, PUBLIC_SIX, ...FORBIDDEN].filter(
  (address) => !OWN_ALREADY.has(address) && !isMapped(address),
)
const COUNTER = 'inet watch reached'

/** Must run in the namespace before anything else. */
export const VICTIM_SETUP: readonly string[] = [
  'ip link set lo up',
  ...assignable.map((address) =>
    isSix(address)
      ? `ip -6 addr add ${address}/128 dev lo nodad`
      : `ip addr add ${address}/32 dev lo`,
  ),
  'nft add table inet watch',
  `nft add counter ${COUNTER}`,
  'nft add chain inet watch in "{ type filter hook input priority 0; }"',
  ...['tcp flags & (syn | ack) == syn', 'icmp type echo-request'].map(
    (what) => `nft "add rule inet watch in ip daddr != ${PUBLIC} ${what} counter name reached"`,
  ),
  ...['tcp flags & (syn | ack) == syn', 'icmpv6 type echo-request'].map(
    (what) =>
      `nft "add rule inet watch in ip6 daddr != ${PUBLIC_SIX} ${what} counter name reached"`,
  ),
]

export type Victims = {
  port: number
  /** HTTPS, for every scripted name, with a certificate from `root`. */
  securePort: number
  root: string
  /** Addresses that were connected to, except public ones; one entry per connection. */
  connections: string[]
  /** Connection attempts and echo requests counted by the kernel; public addresses excluded. */
  packets(): number
  close(): Promise<void>
}

/** Both respond 200 to everything, but `/to/<address>` redirects there. */
export async function openVictims(): Promise<Victims> {
  const connections: string[] = []
  const note = (socket: Socket) => {
    const address = (socket.localAddress ?? '').replace(/^::ffff:/, '')
    if (address !== PUBLIC && address !== PUBLIC_SIX) connections.push(address)
  }
  const serve: RequestListener = ({ url = '' }, response) => {
    response.setHeader('Connection', 'close')
    const [, to] = url.split('/to/')
    if (to === undefined) response.end('ok')
    else response.writeHead(302, { Location: decodeURIComponent(to) }).end()
  }
  const authority = createAuthority()
  const identity = authority.issue('names', { san: 'DNS:*.flip.test' })
  authority.remove()
  const web = await listen(createServer(serve).on('connection', note), '::')
  const secure = await listen(createTlsServer(identity, serve).on('connection', note), '::')
  return {
    port: web.port,
    securePort: secure.port,
    root: authority.root,
    connections,
    packets,
    async close() {
      await web.close()
      await secure.close()
    },
  }
}

function packets(): number {
  const text = execFileSync('nft', ['list', 'counter', ...COUNTER.split(' ')], { encoding: 'utf8' })
  return Number(/packets (\d+)/.exec(text)?.[1])
}

/**
 * How a name resolves to a forbidden address. FLIP returns a public one the first time only; MIXED returns both at
 * once; SPLIT returns a public one of the other family; ALIAS returns another name.
 */
export type Trick = 'FLIP' | 'MIXED' | 'SPLIT' | 'ALIAS' | 'PUBLIC'

/** `word` makes it a name that was not queried before. */
export function trickName(trick: Trick, address: string, word: string): string {
  return `${trick}-${FORBIDDEN.indexOf(address)}-${word}.flip.test`.toLowerCase()
}

/** Answers queries for the names above. */
export function trickScript(): Script {
  const asked = new Set<string>()
  return ({ name, type }) => {
    const [trick = '', index = ''] = name.toUpperCase().split('-')
    const address = FORBIDDEN[Number(index)]
    if (address === undefined || (type !== 'A' && type !== 'AAAA')) return undefined
    const answer = (...all: string[]) => ({ answers: all.map((data) => ({ type, name, data })) })
    if (isSix(address) !== (type === 'AAAA'))
      return trick === 'SPLIT' ? answer(publicOf(otherFamily(address))) : undefined
    const inside = `inside-${index}.test`
    const alias = { type: 'CNAME', name, data: inside } as const
    if (trick === 'ALIAS') return { answers: [alias, { type, name: inside, data: address }] }
    const isFirst = !asked.has(name)
    asked.add(name)
    return answer(...itsOwn(trick, address, isFirst))
  }
}

function itsOwn(trick: string, address: string, isFirst: boolean): string[] {
  if (trick === 'MIXED') return [publicOf(address), address]
  const isPublic = trick === 'PUBLIC' || (trick === 'FLIP' && isFirst)
  return [isPublic ? publicOf(address) : address]
}

const otherFamily = (address: string) => (isSix(address) ? PUBLIC : PUBLIC_SIX)
