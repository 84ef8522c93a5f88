import type { CauseCode } from '../../../../src/domain/incidents/incident.ts'

/** Plain names of failure causes, for filters. */
export const CAUSE_LABELS: Record<CauseCode, string> = {
  TIMEOUT: 'Timeout',
  DNS_ERROR: 'Name not found',
  CONNECTION_REFUSED: 'Connection refused',
  CONNECTION_RESET: 'Connection reset',
  CONNECTION_FAILED: 'Connection failed',
  TLS_ERROR: 'TLS error',
  CERT_EXPIRED: 'Certificate expired',
  CERT_NOT_YET_VALID: 'Certificate not valid yet',
  CERT_UNTRUSTED: 'Certificate not trusted',
  CERT_NAME_MISMATCH: 'Certificate for another name',
  UNEXPECTED_STATUS: 'Unexpected status',
  TOO_MANY_REDIRECTS: 'Too many redirects',
  KEYWORD_MISSING: 'Keyword missing',
  KEYWORD_PRESENT: 'Keyword present',
  PING_NO_REPLY: 'No reply to pings',
  DNS_NO_RECORDS: 'No DNS records',
  DNS_MISMATCH: 'Other DNS records',
  DOMAIN_EXPIRED: 'Domain expired',
  DOMAIN_NOT_REGISTERED: 'Domain not registered',
  HEARTBEAT_MISSED: 'Heartbeat missed',
  HEARTBEAT_FAILED: 'Heartbeat reported failure',
  TARGET_NOT_ALLOWED: 'Target not allowed',
  INVALID_RESPONSE: 'Answer not understood',
}
