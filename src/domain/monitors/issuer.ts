// The name of the issuer of a certificate or of the registrar of a domain. Others choose it, so it is bounded text.
import { toLine } from '../values/email-text.ts'
import type { MonitorType } from './monitor.ts'

/** In characters, as the database counts them. */
export const MAX_ISSUER_LENGTH = 120
// A name may have any length: only its beginning is cleaned.
const MAX_READ_LENGTH = 1000

/** One line without control characters. Null if there is no name. */
export function toIssuer(written: unknown): string | null {
  if (typeof written !== 'string') return null
  const line = toLine(written.slice(0, MAX_READ_LENGTH))
  const characters = [...line]
  if (characters.length > MAX_ISSUER_LENGTH)
    return `${characters.slice(0, MAX_ISSUER_LENGTH - 1).join('')}…`
  return line === '' ? null : line
}

/** For other types, the certificate is a detail. */
export const hasIssuer = (type: MonitorType): boolean => type === 'SSL' || type === 'DOMAIN'
