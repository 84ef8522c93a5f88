// What an identity provider says about somebody, and whether it is said to us, now, for this very sign-in. The
// signature was checked before; what is signed can still be meant for somebody else.
import { comparable, parseEmailAddress } from '../values/email-address.ts'

export type Claims = Readonly<Record<string, unknown>>
type ExpectedClaims = { issuer: string; clientId: string; nonce: string; now: Date }

/** Somebody as the provider knows them. */
export type ProvenIdentity = {
  issuer: string
  /** The provider's own name for them, which never changes and is never given to another. */
  subject: string
  /** Null unless the provider has made sure of it. */
  email: string | null
  name: string | null
}

// Clocks differ.
const LEEWAY_SECONDS = 60
const MAX_SUBJECT_LENGTH = 255
const MAX_NAME_LENGTH = 120

/** What is wrong with an ID token, in words for the log; undefined when it is good. */
export function idTokenProblem(claims: Claims, expected: ExpectedClaims): string | undefined {
  const { issuer, clientId, nonce, now } = expected
  const seconds = now.getTime() / 1000
  if (claims['iss'] !== issuer) return 'it is of another issuer'
  if (!isFor(claims, clientId)) return 'it is for another client'
  if (claims['nonce'] !== nonce) return 'it is of another sign-in'
  if (!(numberOf(claims['exp']) > seconds - LEEWAY_SECONDS)) return 'it has ended'
  if (!(numberOf(claims['iat']) < seconds + LEEWAY_SECONDS)) return 'it is from the future'
  if (claims['nbf'] !== undefined && !(numberOf(claims['nbf']) < seconds + LEEWAY_SECONDS))
    return 'it is from the future'
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH || !isPlain(sub))
    return 'it names nobody'
  return undefined
}

function isFor({ aud, azp }: Claims, clientId: string): boolean {
  const audience: unknown[] = Array.isArray(aud) ? aud : [aud]
  if (!audience.includes(clientId)) return false
  // One that is for several names whom it was made for.
  return azp === undefined ? audience.length === 1 : azp === clientId
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** `more`: what the provider says besides, about the same subject. */
export function toProvenIdentity(issuer: string, claims: Claims, more: Claims): ProvenIdentity {
  const email = provenEmail(claims) ?? provenEmail(more)
  const name = nameOf(claims) ?? nameOf(more)
  return { issuer, subject: String(claims['sub']), email, name }
}

function provenEmail({ email, email_verified: isVerified }: Claims): string | null {
  // As a text too: some write it so where it is not signed.
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

/** Whose addresses the provider may speak for; empty: all that it has made sure of. */
export function isDomainAllowed(email: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))
}
