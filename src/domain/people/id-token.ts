// What an identity provider claims about a person. Signature, issuer, audience, nonce and expiration of the ID token are
// verified before, where it is received; this adds what the standard leaves to the client.
import { comparable, parseEmailAddress } from '../values/email-address.ts'

export type Claims = Readonly<Record<string, unknown>>
type ExpectedClaims = { clientId: string; now: Date }

/** A person as the provider knows them. */
export type ProvenIdentity = {
  issuer: string
  /** The provider's own identifier for them, which never changes and is never reused. */
  subject: string
  /** Null unless the provider verified it. */
  email: string | null
  name: string | null
}

/** Tolerates clock differences. */
export const LEEWAY_SECONDS = 60
const MAX_SUBJECT_LENGTH = 255
const MAX_NAME_LENGTH = 120

/** What is wrong with an ID token, worded for the log; undefined if it is valid. */
export function idTokenProblem(
  claims: Claims,
  { clientId, now }: ExpectedClaims,
): string | undefined {
  const { azp, iat, sub } = claims
  if (azp !== undefined && azp !== clientId) return 'it is for another client'
  const latest = now.getTime() / 1000 + LEEWAY_SECONDS
  if (!(typeof iat === 'number' && iat < latest)) return 'it is from the future'
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH || !isPlain(sub))
    return 'it names nobody'
  return undefined
}

/** `more`: further claims of the provider about the same subject. */
export function toProvenIdentity(issuer: string, claims: Claims, more: Claims): ProvenIdentity {
  const email = provenEmail(claims) ?? provenEmail(more)
  const name = nameOf(claims) ?? nameOf(more)
  return { issuer, subject: String(claims['sub']), email, name }
}

function provenEmail({ email, email_verified: isVerified }: Claims): string | null {
  // Some providers send it as text in responses that are not signed.
  if (typeof email !== 'string' || !(isVerified === true || isVerified === 'true')) return null
  const address = parseEmailAddress(email)
  return address === undefined ? null : comparable(address)
}

function nameOf({ name }: Claims): string | null {
  if (typeof name !== 'string') return null
  const fit = [
    ...name
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim(),
  ].slice(0, MAX_NAME_LENGTH)
  return fit.length === 0 ? null : fit.join('')
}

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Which email domains the provider may vouch for. Empty allows every verified address. */
export function isDomainAllowed(email: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))
}
