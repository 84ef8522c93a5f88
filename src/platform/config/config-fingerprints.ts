// Fingerprints of settings that must match across processes with the same work. They derive from what `config print`
// shows, so they contain no secrets.
import { createHash } from 'node:crypto'
import type { ConfigSetting } from './config-reader.ts'

const EMAIL_SETTINGS = ['SMTP_URL', 'SMTP_FROM']
const OUTBOUND_SETTINGS = [
  'BASE_URL',
  'STATUS_BASE_URL',
  'WEBHOOK_ALLOW_CIDRS',
  'WEBHOOK_ALLOW_HTTP',
  'SUBSCRIBER_ALLOW_CIDRS',
]

const BY_ROLE: Readonly<Record<string, readonly string[]>> = {
  api: [...OUTBOUND_SETTINGS, 'RATE_LIMIT_REQUESTS', 'UNAUTHENTICATED_LIMIT_PER_MINUTE'],
  scheduler: ['SHARD_LEASE_SECONDS', 'EGRESS_DOUBT_SECONDS'],
  dispatcher: [...OUTBOUND_SETTINGS, ...EMAIL_SETTINGS, 'WEBHOOK_RETRY_SCHEDULE_SECONDS'],
  janitor: ['RESULT_RETENTION_DAYS'],
  probe: [
    'PROBE_ALLOW_CIDRS',
    'NAT64_PREFIXES',
    'PROBE_CONTROL_TARGETS',
    'PROBE_DNS_SERVERS',
    'RDAP_BOOTSTRAP_URL',
    'WHOIS_SERVER',
  ],
}
// A process without a relay leaves emails to those that have one.
const MAY_BE_UNSET: ReadonlySet<string> = new Set(EMAIL_SETTINGS)
const HEX_DIGITS = 12

/** By name, for the settings that these roles use. */
export function fingerprintSettings(
  settings: readonly ConfigSetting[],
  roles: readonly string[],
): Record<string, string> {
  const used = new Set(roles.flatMap((role) => BY_ROLE[role] ?? []))
  const compared = settings.filter(
    ({ name, value }) => used.has(name) && !(value === '' && MAY_BE_UNSET.has(name)),
  )
  return Object.fromEntries(compared.map(({ name, value }) => [name, fingerprint(name, value)]))
}

function fingerprint(name: string, value: string): string {
  return createHash('sha256').update(`${name}=${value}`).digest('hex').slice(0, HEX_DIGITS)
}
