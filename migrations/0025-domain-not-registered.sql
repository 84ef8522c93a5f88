-- One more way a check can fail: the registry and the parent zone both say that the domain does not exist.
alter table incidents drop constraint incidents_cause_code_check;
alter table incidents add constraint incidents_cause_code_check check (cause_code in (
  'TIMEOUT', 'DNS_ERROR', 'CONNECTION_REFUSED', 'CONNECTION_RESET', 'CONNECTION_FAILED', 'TLS_ERROR',
  'CERT_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_UNTRUSTED', 'CERT_NAME_MISMATCH', 'UNEXPECTED_STATUS',
  'TOO_MANY_REDIRECTS', 'KEYWORD_MISSING', 'KEYWORD_PRESENT', 'PING_NO_REPLY', 'DNS_NO_RECORDS',
  'DNS_MISMATCH', 'DOMAIN_EXPIRED', 'HEARTBEAT_MISSED', 'HEARTBEAT_FAILED', 'TARGET_NOT_ALLOWED',
  'INVALID_RESPONSE', 'DOMAIN_NOT_REGISTERED'));
