// Why an outbound connection ended without a response, as our own codes: callers never read system error codes.

export type OutboundCode =
  | 'TIMEOUT'
  | 'NAME_NOT_FOUND'
  | 'NAME_NOT_ANSWERED'
  | 'NOT_ALLOWED'
  | 'REFUSED'
  | 'RESET'
  | 'UNREACHABLE'
  | 'TLS_FAILED'
  | CertificateCode
  | 'INVALID_RESPONSE'
  | OwnFault

type CertificateCode =
  | 'CERT_EXPIRED'
  | 'CERT_NOT_YET_VALID'
  | 'CERT_UNTRUSTED'
  | 'CERT_NAME_MISMATCH'

/** The fault is on our side and says nothing about the target. */
export type OwnFault =
  | 'RESOLVER_UNREACHABLE'
  | 'OUT_OF_DESCRIPTORS'
  | 'OUT_OF_PORTS'
  | 'NO_ROUTE'
  | 'NO_PING'

const OWN_FAULTS: ReadonlySet<OutboundCode> = new Set<OwnFault>([
  'RESOLVER_UNREACHABLE',
  'OUT_OF_DESCRIPTORS',
  'OUT_OF_PORTS',
  'NO_ROUTE',
  'NO_PING',
])

const CODE_BY_SYSTEM_CODE: Record<string, OutboundCode> = {
  ETIMEDOUT: 'TIMEOUT',
  ECONNREFUSED: 'REFUSED',
  ECONNRESET: 'RESET',
  ECONNABORTED: 'RESET',
  EPIPE: 'RESET',
  ERR_STREAM_PREMATURE_CLOSE: 'RESET',
  EHOSTUNREACH: 'UNREACHABLE',
  ENETUNREACH: 'UNREACHABLE',
  EHOSTDOWN: 'UNREACHABLE',
  ENETDOWN: 'UNREACHABLE',
  EACCES: 'UNREACHABLE',
  EPERM: 'UNREACHABLE',
  EINVAL: 'UNREACHABLE',
  EAFNOSUPPORT: 'UNREACHABLE',
  EPROTO: 'TLS_FAILED',
  EMFILE: 'OUT_OF_DESCRIPTORS',
  ENFILE: 'OUT_OF_DESCRIPTORS',
  ENOBUFS: 'OUT_OF_DESCRIPTORS',
  ENOMEM: 'OUT_OF_DESCRIPTORS',
  EADDRNOTAVAIL: 'OUT_OF_PORTS',
}

export class OutboundError extends Error {
  readonly code: OutboundCode
  /** A short code for people, such as ENOTFOUND; never bytes the target sent. */
  readonly detail: string
  /** The address that is not allowed. It may be one of our own network: never show it. */
  readonly address: string | undefined

  constructor(code: OutboundCode, detail: string = code, address?: string) {
    super(`${code} (${detail})`)
    this.address = address
    this.name = 'OutboundError'
    this.code = code
    this.detail = detail
  }

  get isOwnFault(): boolean {
    return OWN_FAULTS.has(this.code)
  }
}

/** Maps a system error to an OutboundError. Unknown errors are bugs of ours and are returned unchanged. */
export function toOutboundError(error: unknown): unknown {
  if (error instanceof OutboundError) return error
  const systemCode = systemCodeOf(error)
  const code = codeOf(systemCode)
  return code === undefined ? error : new OutboundError(code, systemCode)
}

function codeOf(systemCode: string): OutboundCode | undefined {
  if (systemCode.startsWith('HPE_')) return 'INVALID_RESPONSE'
  if (systemCode.startsWith('ERR_SSL_')) return 'TLS_FAILED'
  return CODE_BY_SYSTEM_CODE[systemCode]
}

export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
