// The library's errors in our words, for the log. Neither contains anything that the provider sent.
import { ResponseBodyError } from 'oauth4webapi'
import { OutboundError } from '../outbound-error.ts'

/** The provider answered, but its ID token proves nothing. The message says why. */
export class RefusedToken extends Error {
  override readonly name = 'RefusedToken'
}

const PROBLEM_BY_CLAIM: Readonly<Record<string, string>> = {
  iss: 'it is of another issuer',
  aud: 'it is for another client',
  azp: 'it is for another client',
  nonce: 'it is of another sign-in',
  exp: 'it has ended',
  iat: 'it is from the future',
  nbf: 'it is from the future',
  sub: 'it names nobody',
}

/** An OutboundError if the response is wrong, else a RefusedToken: `otherwise`, unless the library names a claim. */
export function toOidcError(error: unknown, otherwise: string): OutboundError | RefusedToken {
  if (error instanceof OutboundError) return error
  if (error instanceof ResponseBodyError)
    return invalid(`code refused: ${error.status} ${toWord(error.error)}`)
  const { message, cause } = error instanceof Error ? error : new Error(otherwise)
  if (cause instanceof Response) return invalid(`HTTP ${cause.status}`)
  if (typeof cause === 'object' && cause !== null && 'body' in cause) return invalid(message)
  const [, claim = ''] = /"(\w+)"/.exec(message) ?? []
  return new RefusedToken(PROBLEM_BY_CLAIM[claim] ?? otherwise)
}

const invalid = (detail: string) => new OutboundError('INVALID_RESPONSE', detail)

const toWord = (text: string): string => (/^[a-z_]{1,60}$/.test(text) ? text : '')
