// Every guarded connection goes through here: resolve, check every address, connect to a permitted one, check the
// address that was reached.
import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { assertOutsideTransaction } from '../platform/transaction-scope.ts'
import { dialFirst } from './dial.ts'
import { normalizeHost } from './host.ts'
import { type Nat64Prefixes, throughNat64 } from './nat64.ts'
import { OutboundError } from './outbound-error.ts'
import { type AllowList, isMailServer, isPermitted } from './permit.ts'
import type { NameResolver } from './resolve.ts'
import {
  assertTrusted,
  expiryOf,
  handshake,
  issuerOf,
  type TlsContexts,
  type Trust,
} from './tls.ts'

/** Shared by all connections. Guards of one process differ only in what they allow. */
export type Guard = {
  names: NameResolver
  allow: AllowList
  /** Whether internal names are refused in DNS queries, too. */
  publicNamesOnly?: boolean
  /** Prefixes under which an IPv6 address maps to an IPv4 address. */
  nat64?: Nat64Prefixes
  tls: TlsContexts
  userAgent: string
  now(): Date
}

export type Destination = {
  host: string
  port: number
  /** For PORT checks only; nothing else may talk to public mail servers. */
  mailPorts?: boolean
  tls?: {
    trust: Trust
    alpn?: string[]
    /** Reading it costs 0.06 ms. */
    withIssuer?: boolean
  }
}

type TlsDestination = Destination & { tls: NonNullable<Destination['tls']> }

type ConnectionTimings = {
  dnsMs?: number
  connectMs?: number
  tlsMs?: number
  firstByteMs?: number
}

/** What was learned along the way, kept even if the connection failed. */
export type ConnectionTrace = {
  timings: ConnectionTimings
  resolvedIp?: string
  certExpiresAt?: Date
  /** Who issued the certificate, if it was asked for. */
  issuer?: string
  /** Bytes of a request have been sent, so it may have had an effect. */
  sent: boolean
  /** A response, a DNS record or an echo has arrived. An open connection or a TLS handshake is none. */
  responded?: true
}

export type ConnectionContext = { signal: AbortSignal; trace: ConnectionTrace }

/** Resolves a host to addresses that are all permitted; a single forbidden one fails the name. */
export async function resolveDestination(
  guard: Guard,
  to: Destination,
  { signal, trace }: ConnectionContext,
): Promise<readonly string[]> {
  assertOutsideTransaction('Connecting to another host')
  const startMs = performance.now()
  const addresses = await guard.names.lookup(normalizeHost(to.host), signal)
  trace.timings.dnsMs = performance.now() - startMs
  for (const address of addresses) assertPermitted(guard, address, to)
  return addresses
}

/** Returns an open socket, with TLS if requested. The caller owns and destroys it. */
export async function connect(
  guard: Guard,
  to: Destination,
  context: ConnectionContext,
): Promise<Socket | TLSSocket> {
  const { signal, trace } = context
  forgetLastHop(trace)
  const addresses = await resolveDestination(guard, to, context)

  const dialMs = performance.now()
  const socket = await dialFirst(addresses, to.port, signal)
  trace.timings.connectMs = performance.now() - dialMs
  assertReached(guard, socket, to)
  trace.resolvedIp = plain(socket.remoteAddress ?? '')
  return to.tls === undefined ? socket : secure(guard, socket, { ...to, tls: to.tls }, context)
}

// A redirect opens a second connection: data of the first does not describe the final target.
function forgetLastHop(trace: ConnectionTrace): void {
  trace.timings = {}
  delete trace.resolvedIp
  delete trace.certExpiresAt
  delete trace.issuer
}

async function secure(
  guard: Guard,
  socket: Socket,
  to: TlsDestination,
  { signal, trace }: ConnectionContext,
): Promise<TLSSocket> {
  const { tls } = to
  const host = normalizeHost(to.host)
  const context = tls.trust === 'FULL' ? guard.tls.verify : guard.tls.any
  const startMs = performance.now()
  const encrypted = await handshake(socket, { host, context, alpn: tls.alpn ?? [] }, signal)
  trace.timings.tlsMs = performance.now() - startMs
  try {
    noteCertificate(trace, encrypted.certificate, tls)
    assertTrusted(encrypted, { host, trust: tls.trust, now: guard.now() })
    return encrypted.socket
  } catch (error) {
    encrypted.socket.destroy()
    throw error
  }
}

/**
 * As text: a trace may live on with its request until a major garbage collection, which would then free thousands of
 * certificates in one pause of 100 ms and more.
 */
function noteCertificate(
  trace: ConnectionTrace,
  certificate: X509Certificate,
  { withIssuer }: TlsDestination['tls'],
): void {
  const issuer = withIssuer === true ? issuerOf(certificate.toLegacyObject()) : undefined
  if (issuer !== undefined) trace.issuer = issuer
  trace.certExpiresAt = expiryOf(certificate)
}

// Defense in depth: however it was reached, the remote address must be a permitted one.
function assertReached(guard: Guard, socket: Socket, to: Destination): void {
  try {
    // A connection that was reset immediately has no remote address anymore.
    if (socket.remoteAddress === undefined) throw new OutboundError('RESET', 'ECONNRESET')
    assertPermitted(guard, socket.remoteAddress, to)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function assertPermitted({ allow, nat64 = [] }: Guard, address: string, to: Destination): void {
  const reached = throughNat64(address, nat64)
  const refused =
    !isPermitted(reached, allow) || (to.mailPorts !== true && isMailServer(reached, to.port))
  if (refused) throw new OutboundError('NOT_ALLOWED', 'NOT_ALLOWED', plain(address))
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '')
}
