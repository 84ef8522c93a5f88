// WHOIS (RFC 3912): one line out, free text back, which may refer to a better server.

import { toIssuer } from '../domain/monitors/issuer.ts'
import type { OutboundConnection } from '../outbound/outbound-connection.ts'
import { parseHostPort } from './host-port.ts'
import type { RegistryResult } from './rdap.ts'

const WHOIS_PORT = 43
const MAX_REFERRALS = 2
const MAX_RESPONSE_BYTES = 64 * 1024

// Registries have different names for the expiry date.
const EXPIRY_LINE =
  /^[ \t]*(?:registry expiry date|registrar registration expiration date|expir(?:y|ation|es|e)(?: date| on| time)?|paid-till|valid until|renewal date|domain expires)[ \t]*[.:]+\s{0,64}(\S.*)$/im
const REFERRAL_LINE =
  /^[ \t]*(?:refer|whois|registrar whois server):[ \t]*([a-z0-9.-]+(?::\d+)?)[ \t\r]*$/im

// How registries say that they do not know a domain. Counts only if the zone does not exist either.
const ABSENT_LINE =
  /^[ \t%#>*-]{0,20}(?:no match|not found|no entries found|no data found|no object found|nothing found|object does not exist|no such domain|domain not found|the queried object does not exist|this query returned 0 objects|domain (?:name )?(?:is )?(?:not registered|available)|we do not have an entry|no information available about domain|[a-z0-9.-]{1,253} is free\r?$|(?:domain )?status:[ \t]{0,40}(?:free|available|not registered))/im

// Names of the line with the registrar, and of the line below it if that one has no value.
const REGISTRAR_KEYS = new Set([
  'registrar',
  'registrar name',
  'registrar organization',
  'sponsoring registrar',
])
const REGISTRAR_NAME_KEYS = new Set(['name', 'organization'])
const COMMENT_SIGNS = '%#>*'

export async function queryWhois(
  domain: string,
  server: string,
  connection: OutboundConnection,
): Promise<RegistryResult> {
  let next = server
  for (let hop = 0; hop <= MAX_REFERRALS; hop++) {
    const response = await readResponse(domain, next, connection)
    const expiresAt = findExpiryLine(response)
    const referral = findReferral(response)
    if (expiresAt !== undefined) return { expiresAt, registrar: findRegistrarLine(response) }
    if (referral === undefined || referral === next)
      return saysAbsent(response) ? 'ABSENT' : undefined
    next = referral
  }
  return undefined
}

async function readResponse(
  domain: string,
  server: string,
  connection: OutboundConnection,
): Promise<string> {
  const { host, port = WHOIS_PORT } = parseHostPort(server)
  const { exchange, close } = await connection.connect({ host, port })
  try {
    const response = await exchange(`${domain}\r\n`, { maxBytes: MAX_RESPONSE_BYTES })
    return response.toString()
  } finally {
    close()
  }
}

export function findExpiryLine(text: string): Date | undefined {
  const written = EXPIRY_LINE.exec(text)?.[1]?.trim()
  return written === undefined ? undefined : parseDate(written)
}

/** `Registrar: Example Inc.`, or a heading with the name in the line below it. */
export function findRegistrarLine(text: string): string | null {
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const { key, value } = splitLine(line)
    if (!REGISTRAR_KEYS.has(key)) continue
    const name = toIssuer(value) ?? nameBelow(lines[index + 1]?.trim() ?? '')
    if (name !== null) return name
  }
  return null
}

function nameBelow(line: string): string | null {
  if (COMMENT_SIGNS.includes(line.charAt(0))) return null
  if (!line.includes(':')) return toIssuer(line)
  const { key, value } = splitLine(line)
  return REGISTRAR_NAME_KEYS.has(key) ? toIssuer(value) : null
}

/** `registrar.....: Example` has dots up to its colon. Some headings have no colon. */
function splitLine(line: string): { key: string; value: string } {
  const colon = line.indexOf(':')
  if (colon === -1) return { key: line.trim().toLowerCase(), value: '' }
  const [key = ''] = line.slice(0, colon).split('.', 1)
  return { key: key.trim().toLowerCase(), value: line.slice(colon + 1) }
}

export function saysAbsent(text: string): boolean {
  return ABSENT_LINE.test(text)
}

export function findReferral(text: string): string | undefined {
  return REFERRAL_LINE.exec(text)?.[1]
}

/** ISO dates, `2026.11.01`, `2026/11/01`, `01-Nov-2026`, `01.11.2026`; all in UTC unless they say otherwise. */
function parseDate(written: string): Date | undefined {
  const dayFirst = /^(\d{1,2})[./](\d{1,2})[./](\d{4})/.exec(written)
  const dotted = /^(\d{4})[./](\d{1,2})[./](\d{1,2})/.exec(written)
  const [year, month, day] = dayFirst
    ? [dayFirst[3], dayFirst[2], dayFirst[1]]
    : (dotted?.slice(1) ?? [])
  const text =
    year === undefined ? written : `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  const hasZone = /Z|[+-]\d{2}:?\d{2}$|UTC|GMT|^\d{4}-\d{2}-\d{2}$/.test(text)
  const date = new Date(hasZone ? text : `${text} UTC`)
  return Number.isNaN(date.getTime()) ? undefined : date
}
