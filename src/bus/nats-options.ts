// Reads where the servers are and how to sign in, from NATS_URL and files.
import { readFileSync } from 'node:fs'
import {
  type ConnectionOptions,
  credsAuthenticator,
  jwtAuthenticator,
  type TlsOptions,
} from '@nats-io/transport-node'

const DEFAULT_PORT = '4222'
const PROTOCOLS = ['nats:', 'tls:']

export type NatsOptions = {
  /** nats://user:password@host:4222, or tls:// to require TLS; separate several with commas. */
  url: string
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
}

export function readNatsOptions(options: NatsOptions): NatsTarget {
  const urls = options.url.split(',').map(readUrl)
  const signed = urls.find(({ username }) => username !== '')
  const user = signed === undefined ? undefined : decodeURIComponent(signed.username)
  const pass = signed === undefined ? '' : decodeURIComponent(signed.password)
  return {
    servers: urls.map(toServer),
    user: toToken(options.identity?.name ?? user ?? 'upvane'),
    ...(options.maxMessageBytes !== undefined && { maxMessageBytes: options.maxMessageBytes }),
    connection: {
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(user === undefined ? {} : { user, pass }),
      ...(options.credsFile === undefined ? {} : signedByFile(options.credsFile)),
      ...(options.identity === undefined ? {} : signedBy(options.identity)),
      ...tlsOf(options, urls),
    },
  }
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
  throw new Error('NATS_URL must be one or more URLs that start with nats:// or tls://')
}

function toServer({ hostname, port }: URL): string {
  return `${hostname}:${port || DEFAULT_PORT}`
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
