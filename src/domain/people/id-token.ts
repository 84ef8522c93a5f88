// What an identity provider claims about a person, and whether the claim is meant for us, now, for this sign-in. The
// signature is verified earlier, but a signed token can still be meant for someone else.
import { comparable, parseEmailAddress } from '../values/email-address.ts'

export type Claims = Readonly<Record<string, unknown>>
type ExpectedClaims = { issuer: string; clientId: string; nonce: string; now: Date }

/** A person as the provider knows them. */
export type ProvenIdentity = {
  issuer: string
  /** The provider's own identifier for them, which never changes and is never reused. */
  subject: string
  /** Null unless the provider verified it. */
  email: string | null
  name: string | null
}

// Tolerates clock differences.
const LEEWAY_SECONDS = 60
const MAX_SUBJECT_LENGTH = 255
const MAX_NAME_LENGTH = 120

/** What is wrong with an ID token, worded for the log; undefined if it is valid. */
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
  // A token for several audiences must name the client it was issued to.
  return azp === undefined ? audience.length === 1 : azp === clientId
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

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
