// TLS over an open socket, and validation of the certificate. The handshake accepts any certificate, so that an expired
// one can still be read and reported.
import type { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import {
  type Certificate,
  checkServerIdentity,
  connect,
  createSecureContext,
  type DetailedPeerCertificate,
  getCACertificates,
  type PeerCertificate,
  type SecureContext,
  TLSSocket,
} from 'node:tls'
import { OutboundError, toOutboundError } from './outbound-error.ts'

/** One context per mode, shared by all connections: creating one costs half a handshake. */
export type TlsContexts = { verify: SecureContext; any: SecureContext }

const LONGEST_CHAIN = 10

export function createTlsContexts(extraCas: readonly string[]): TlsContexts {
  return {
    verify: createSecureContext({ ca: [...getCACertificates('default'), ...extraCas] }),
    // With verification off, the question is only whether it responds, even with old keys and protocols.
    any: createSecureContext({ ca: [], minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' }),
  }
}

/** What is verified: chain, name and dates; only the dates; or nothing. */
export type Trust = 'FULL' | 'DATES' | 'NONE'

type Handshake = {
  /** Sent as SNI unless it is an IP literal. */
  host: string
  context: SecureContext
  /** For HTTP only; other services may refuse an unknown protocol. */
  alpn: string[]
}

type Encrypted = { socket: TLSSocket; certificate: X509Certificate }

export function handshake(
  socket: Socket,
  { host, context, alpn }: Handshake,
  signal: AbortSignal,
): Promise<Encrypted> {
  const { promise, resolve, reject } = Promise.withResolvers<Encrypted>()
  const secure = connect({
    socket,
    secureContext: context,
    rejectUnauthorized: false,
    // Validated later, separately from trust.
    checkServerIdentity: () => undefined,
    ...(isIP(host) === 0 && { servername: host }),
    ...(alpn.length > 0 && { ALPNProtocols: alpn }),
  })
  // Otherwise Node describes the whole chain in objects for the check above, which costs 0.2 ms.
  secure.getPeerCertificate = noCertificate
  secure.on('error', ignore)
  const giveUp = () => fail(new OutboundError('TIMEOUT'))
  const fail = (error: Error) => {
    release()
    secure.destroy()
    socket.destroy()
    reject(toHandshakeError(error))
  }
  const release = () => {
    signal.removeEventListener('abort', giveUp)
    secure.off('error', fail)
  }
  secure.once('error', fail)
  secure.once('secureConnect', () => {
    secure.getPeerCertificate = TLSSocket.prototype.getPeerCertificate
    const certificate = secure.getPeerX509Certificate()
    if (certificate === undefined) return fail(new OutboundError('TLS_FAILED', 'certificate dates'))
    release()
    resolve({ socket: secure, certificate })
  })
  signal.addEventListener('abort', giveUp, { once: true })
  return promise
}

function toHandshakeError(error: Error): unknown {
  const named = toOutboundError(error)
  return named instanceof OutboundError ? named : new OutboundError('TLS_FAILED', 'handshake')
}

export function expiryOf({ validTo }: Pick<X509Certificate, 'validTo'>): Date {
  return readDate(validTo)
}

/** The issuer's organization, or else its common name. Undefined if it has neither. */
export function issuerOf({ issuer }: { issuer?: Certificate }): string | undefined {
  return [issuer?.O, issuer?.CN].flat().find((name) => name !== undefined && name.trim() !== '')
}

export function assertTrusted(
  { socket, certificate }: Encrypted,
  { host, trust, now }: { host: string; trust: Trust; now: Date },
): void {
  if (trust === 'NONE') return
  const { validFrom, validTo } = certificate
  assertInDate({ valid_from: validFrom, valid_to: validTo }, now)
  if (trust === 'DATES') return
  if (!socket.authorized) {
    for (const issuer of issuersOf(socket.getPeerCertificate(true))) assertInDate(issuer, now)
    throw new OutboundError('CERT_UNTRUSTED', String(socket.authorizationError))
  }
  if (!isFor(certificate, host)) throw new OutboundError('CERT_NAME_MISMATCH', host)
}

/** By the rules of Node. Only certificates without a fitting alternative name are described as an object: it costs 0.06 ms. */
function isFor(certificate: X509Certificate, host: string): boolean {
  // Safe because nothing but names is read, and the common name counts only if there are no others.
  const names = { subjectaltname: certificate.subjectAltName } as PeerCertificate
  if (checkServerIdentity(host, names) === undefined) return true
  return checkServerIdentity(host, certificate.toLegacyObject()) === undefined
}

type Validity = Pick<PeerCertificate, 'valid_from' | 'valid_to'>

function assertInDate({ valid_from, valid_to }: Validity, now: Date): void {
  const from = readDate(valid_from)
  const to = readDate(valid_to)
  if (from > now) throw new OutboundError('CERT_NOT_YET_VALID', toDay(from))
  if (to <= now) throw new OutboundError('CERT_EXPIRED', toDay(to))
}

/** An expired intermediate also breaks the chain, and gets its own error. */
function issuersOf(leaf: DetailedPeerCertificate): PeerCertificate[] {
  const issuers: PeerCertificate[] = []
  let issuer = leaf.issuerCertificate
  while (issuer?.valid_to !== undefined && issuers.length < LONGEST_CHAIN) {
    issuers.push(issuer)
    issuer = issuer.issuerCertificate
  }
  return issuers
}

/** A server may present invalid dates or no certificate. */
function readDate(written: string | undefined): Date {
  const date = new Date(written ?? '')
  if (Number.isNaN(date.getTime())) throw new OutboundError('TLS_FAILED', 'certificate dates')
  return date
}

function toDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

// Safe because what is given here is not read by anybody.
const noCertificate = () => ({}) as DetailedPeerCertificate

function ignore(): void {}
