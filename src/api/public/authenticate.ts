// Identifies the caller by one of two headers, never both. It never says what is wrong with a key.
import type { IncomingHttpHeaders } from 'node:http'
import { hashApiKey, isApiKey } from '../../domain/people/api-key.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { KeyHolder } from '../../store/people/api-keys.ts'
import type { KeyAuthenticator } from '../../store/people/key-authenticator.ts'
import type { Caller } from '../http/caller.ts'

const BEARER = /^bearer +(\S+) *$/i

export async function authenticate(
  authenticator: KeyAuthenticator,
  headers: IncomingHttpHeaders,
): Promise<KeyHolder | undefined> {
  const key = presentedKey(headers)
  // The checksum rejects typos and guesses before they cost a query.
  if (key === undefined || !isApiKey(key)) return undefined
  return authenticator.authenticate(hashApiKey(key))
}

export function toCaller(holder: KeyHolder): Caller {
  const { keyId, keyName, orgId, access, subscriptionActive } = holder
  return { orgId, actor: { type: 'API_KEY', id: keyId, name: keyName }, access, subscriptionActive }
}

/** What is wrong with a key is never revealed. That both headers were sent is no secret, and easy to overlook. */
export function unauthorized(headers: IncomingHttpHeaders, challenge = 'Bearer'): ApiError {
  const message = hasBothHeaders(headers)
    ? 'Send X-API-Key or Authorization, not both'
    : 'A valid API key is needed in X-API-Key or Authorization.'
  return new ApiError('unauthorized', message, { headers: { 'WWW-Authenticate': challenge } })
}

function hasBothHeaders(headers: IncomingHttpHeaders): boolean {
  return headers['x-api-key'] !== undefined && headers.authorization !== undefined
}

function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  if (hasBothHeaders(headers)) return undefined
  const direct = headers['x-api-key']
  return typeof direct === 'string' ? direct : BEARER.exec(headers.authorization ?? '')?.[1]
}
