// Maps outbound errors to the contract's causes.
import { type OutboundCode, OutboundError, type OwnFault } from '../outbound/outbound-error.ts'
import { noResponse } from './cause-text.ts'
import { type AttemptEvidence, type CheckCauseCode, type CheckFinding, failed } from './check.ts'

type Failure = Exclude<OutboundCode, OwnFault>
type CauseMessage = { causeCode: CheckCauseCode; text(detail: string): string; silent?: true }

// biome-ignore format: a table is read by its columns
const CAUSE_MESSAGES: Record<Exclude<Failure, 'TIMEOUT'>, CauseMessage> = {
  NAME_NOT_FOUND:     { causeCode: 'DNS_ERROR',          text: (detail) => `DNS lookup failed (${detail})` },
  NAME_NOT_ANSWERED:  { causeCode: 'DNS_ERROR',          text: (detail) => `DNS lookup failed (${detail})`, silent: true },
  NOT_ALLOWED:        { causeCode: 'TARGET_NOT_ALLOWED', text: () => 'Target address is not allowed' },
  REFUSED:            { causeCode: 'CONNECTION_REFUSED', text: () => 'Connection refused' },
  RESET:              { causeCode: 'CONNECTION_RESET',   text: () => 'Connection closed before the answer was complete' },
  UNREACHABLE:        { causeCode: 'CONNECTION_FAILED',  text: (detail) => `Connection failed (${detail})`, silent: true },
  TLS_FAILED:         { causeCode: 'TLS_ERROR',          text: (detail) => `TLS handshake failed (${detail})` },
  CERT_EXPIRED:       { causeCode: 'CERT_EXPIRED',       text: (day) => `Certificate expired on ${day}` },
  CERT_NOT_YET_VALID: { causeCode: 'CERT_NOT_YET_VALID', text: (day) => `Certificate is not valid before ${day}` },
  CERT_UNTRUSTED:     { causeCode: 'CERT_UNTRUSTED',     text: (detail) => `Certificate is not trusted (${detail})` },
  CERT_NAME_MISMATCH: { causeCode: 'CERT_NAME_MISMATCH', text: (host) => `Certificate does not cover ${host}` },
  INVALID_RESPONSE:   { causeCode: 'INVALID_RESPONSE',   text: (detail) => `Invalid response (${detail})` },
}

/** Undefined if it is not an outbound error: unknown errors are ours. */
export function findingOf(
  error: unknown,
  budgetMs: number,
  evidence: AttemptEvidence,
): CheckFinding | undefined {
  if (!(error instanceof OutboundError)) return undefined
  const { code, detail } = error
  switch (code) {
    case 'TIMEOUT':
      return { ...failed('TIMEOUT', noResponse(budgetMs), evidence), silent: true }
    case 'RESOLVER_UNREACHABLE':
    case 'OUT_OF_DESCRIPTORS':
    case 'OUT_OF_PORTS':
    case 'NO_ROUTE':
    case 'NO_PING':
      return { outcome: 'INCONCLUSIVE', reason: code, detail }
    default: {
      const { causeCode, text, silent } = CAUSE_MESSAGES[code]
      return { ...failed(causeCode, text(detail), evidence), ...(silent && { silent }) }
    }
  }
}
