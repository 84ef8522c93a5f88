// Reads where the servers are and how to sign in, from NATS_URL and files.
import { readFileSync } from 'node:fs'
import {
  type ConnectionOptions,
  credsAuthenticator,
  jwtAuthenticator,
  type TlsOptions,
} from '@nats-io/transport-node'
import type { ProxySettings } from './web-socket/nats-proxy.ts'
import type { WebSocketOptions } from './web-socket/web-socket.ts'

const DEFAULT_PORT = '4222'
const WEB_PROTOCOLS = ['ws:', 'wss:']
const PROTOCOLS = ['nats:', 'tls:', ...WEB_PROTOCOLS]
const NO_PROXY: ProxySettings = { own: undefined, general: undefined, except: '' }

export type NatsOptions = {
  /** nats://user:password@host:4222, or tls:// to require TLS, or wss://host/path; separate several with commas. */
  url: string
  /** For ws:// and wss:// alone. */
  proxy?: ProxySettings
  /** A file with a user's JWT and key, instead of a user in the URL. */
  credsFile?: string
  /** The authority that signed the server's certificate, if it is not a public one. */
  caFile?: string
  /** Like `caFile`, but as text. */
  ca?: string
  /** A user's name, signed claims and private key, instead of a user in the URL. */
  identity?: { name: string; jwt: string; seed: string }
  /** Shown for this connection in the server's monitoring. */
  name?: string
  /** What this user sends at most, if it may send less than jobs and results need. */
  maxMessageBytes?: number
}

export type NatsTarget = {
  /** With ports. */
  servers: string[]
  /** Names the inbox: a user's permissions cover `upvane.inbox.<user>.>`. */
  user: string
  maxMessageBytes?: number
  connection: ConnectionOptions
  /** Set if the servers are reached over WebSockets. */
  webSocket?: WebSocketOptions
}

export function readNatsOptions(options: NatsOptions): NatsTarget {
  const urls = options.url.split(',').map(readUrl)
  const signed = urls.find(({ username }) => username !== '')
  const user = signed === undefined ? undefined : decodeURIComponent(signed.username)
  const pass = signed === undefined ? '' : decodeURIComponent(signed.password)
  const isWeb = isWebSocket(urls)
  return {
    servers: urls.map(toServer),
    user: toToken(options.identity?.name ?? user ?? 'upvane'),
    ...(options.maxMessageBytes !== undefined && { maxMessageBytes: options.maxMessageBytes }),
    connection: {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(user === undefined ? {} : { user, pass }),
      ...identityOf(options),
      ...(isWeb ? {} : tlsOf(options, urls)),
    },
    ...(isWeb && { webSocket: webSocketOf(options) }),
  }
}

function isWebSocket(urls: readonly URL[]): boolean {
  const web = urls.filter(({ protocol }) => WEB_PROTOCOLS.includes(protocol))
  if (web.length > 0 && web.length < urls.length)
    throw new Error('NATS_URL must not have both WebSockets (wss://) and other addresses')
  return web.length > 0
}

function webSocketOf({ caFile, ca, proxy = NO_PROXY }: NatsOptions): WebSocketOptions {
  const authority = { ...(caFile !== undefined && { caFile }), ...(ca !== undefined && { ca }) }
  return { authority, proxy }
}

/** The user in NATS_URL as it appears in subjects; undefined if the URL has none. */
export function findNatsUser(url: string): string | undefined {
  const signed = url
    .split(',')
    .map(readUrl)
    .find(({ username }) => username !== '')
  return signed === undefined ? undefined : toToken(decodeURIComponent(signed.username))
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Whether a server on another machine is used without signing in, so that anyone who reaches it can read and send jobs.
 */
export function allowsAnonymousAccess({ url, credsFile, identity }: NatsOptions): boolean {
  const urls = url.split(',').map(readUrl)
  const isSigned =
    credsFile !== undefined ||
    identity !== undefined ||
    urls.some(({ username }) => username !== '')
  return !isSigned && urls.some(({ hostname }) => !LOOPBACK.test(hostname))
}

function toToken(user: string): string {
  return user.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
}

function readUrl(text: string): URL {
  const url = URL.parse(text.trim())
  if (url && PROTOCOLS.includes(url.protocol) && url.hostname !== '') return url
  // Does not include the text, which may contain a password.
  throw new Error('NATS_URL must be one or more URLs that start with nats://, tls:// or wss://')
}

function toServer({ protocol, hostname, host, pathname, port }: URL): string {
  if (WEB_PROTOCOLS.includes(protocol)) return `${protocol}//${host}${pathname}`
  return `${hostname}:${port || DEFAULT_PORT}`
}

function identityOf({
  credsFile,
  identity,
}: NatsOptions): Pick<ConnectionOptions, 'authenticator'> {
  return {
    ...(credsFile === undefined ? {} : signedByFile(credsFile)),
    ...(identity === undefined ? {} : signedBy(identity)),
  }
}

function signedByFile(file: string): Pick<ConnectionOptions, 'authenticator'> {
  return { authenticator: credsAuthenticator(readFileSync(file)) }
}

function signedBy({
  jwt,
  seed,
}: NonNullable<NatsOptions['identity']>): Pick<ConnectionOptions, 'authenticator'> {
  return { authenticator: jwtAuthenticator(jwt, Buffer.from(seed)) }
}

function tlsOf({ caFile, ca }: NatsOptions, urls: readonly URL[]): { tls?: TlsOptions } {
  const hasAuthority = caFile !== undefined || ca !== undefined
  if (!hasAuthority && urls.every(({ protocol }) => protocol !== 'tls:')) return {}
  return { tls: { ...(caFile !== undefined && { caFile }), ...(ca !== undefined && { ca }) } }
}
