// Validates the text of variables. Each function returns the problem as the end of a sentence that starts with the
// variable's name, or undefined.
import { isIP } from 'node:net'

const HOSTNAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})*$/i
const MAX_PORT = 65_535
const BITS = { 4: 32, 6: 128 } as const

export function networkProblem(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  const isNetwork =
    family !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= BITS[family as 4 | 6]))
  return isNetwork
    ? undefined
    : `has ${quoted(text)}, which is not an address such as 192.0.2.1 or a network such as 10.0.0.0/8`
}

/** A contact for security.txt, which must be a URI. */
export function contactProblem(text: string): string | undefined {
  if (/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+|tel:\+[\d-]+)$/.test(text)) return undefined
  return `has ${quoted(text)}, which is not an address such as mailto:security@example.com or https://example.com/report`
}

const NAT64_BITS = ['32', '40', '48', '56', '64', '96']

/** An RFC 6052 prefix. */
export function nat64PrefixProblem(text: string): string | undefined {
  const [address = '', bits = '', ...rest] = text.split('/')
  if (isIP(address) === 6 && rest.length === 0 && NAT64_BITS.includes(bits)) return undefined
  return `has ${quoted(text)}, which is not an IPv6 network such as 64:ff9b::/96 (/${NAT64_BITS.join(', /')})`
}

/** An address to listen on, or a name that resolves to one. */
export function hostProblem(text: string): string | undefined {
  if (isIP(text) !== 0) return undefined
  // Four numbers that are not a valid address would be resolved as a name, and fail much later.
  if (HOSTNAME.test(text) && !/^[\d.]+$/.test(text)) return undefined
  return `must be an IP address or a host name, not ${quoted(text)}`
}

/** A resolver's address, with or without a port. */
export function resolverProblem(text: string): string | undefined {
  const { host, port } = splitPort(text)
  if (isIP(host) !== 0 && (port === undefined || isPort(port))) return undefined
  return `has ${quoted(text)}, which is not an IP address such as 192.0.2.53 or [2001:db8::53]:5353`
}

export function hostAndPortProblem(text: string): string | undefined {
  const { host, port } = splitPort(text)
  if (hostProblem(host) === undefined && port !== undefined && isPort(port)) return undefined
  return `has ${quoted(text)}, which is not a host and port such as one.one.one.one:443`
}

/** A host with or without a port. */
export function serverProblem(text: string): string | undefined {
  const { host, port } = splitPort(text)
  if (hostProblem(host) === undefined && (port === undefined || isPort(port))) return undefined
  return `must be a host name or address, with or without a port, not ${quoted(text)}`
}

/** Links are built by appending a path, so the URL must end with its host. */
export function originProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null) return undefined
  const isOrigin =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return isOrigin ? undefined : `must be a scheme and a host without a path, query or user`
}

const NATS_PROTOCOLS = ['nats:', 'tls:', 'ws:', 'wss:']

export function natsUrlProblem(text: string): string | undefined {
  const urls = text.split(',').map((part) => URL.parse(part.trim()))
  const areSound = urls.every(
    (url) => url !== null && NATS_PROTOCOLS.includes(url.protocol) && url.hostname !== '',
  )
  return areSound ? undefined : 'must be one or more URLs that start with nats://, tls:// or wss://'
}

export function proxyProblem(text: string): string | undefined {
  const url = URL.parse(text)
  const isSound =
    url !== null && ['http:', 'https:'].includes(url.protocol) && url.pathname.length <= 1
  return isSound ? undefined : 'must be a URL such as http://user:password@proxy.example.com:3128'
}

function splitPort(text: string): { host: string; port: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text)
  if (bracketed !== null) return { host: bracketed[1] ?? '', port: bracketed[2] }
  const colon = text.indexOf(':')
  // Several colons without brackets are an IPv6 address.
  if (colon === -1 || text.includes(':', colon + 1)) return { host: text, port: undefined }
  return { host: text.slice(0, colon), port: text.slice(colon + 1) }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PORT
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}
