// Signed tokens of other parties (compact JWS): parses them and verifies their signatures.
import { createPublicKey, type KeyObject, verify, type webcrypto } from 'node:crypto'

/** A public key as providers publish it. */
export type PublishedKey = webcrypto.JsonWebKey & { kid?: string; use?: string; alg?: string }

export type SignedToken = {
  algorithm: Algorithm
  /** The id of the provider's key, as the token claims. */
  keyId: string | undefined
  claims: Readonly<Record<string, unknown>>
  signed: Buffer
  signature: Buffer
}

// An explicit list, so that neither "none" nor a shared secret in place of a public key is ever accepted.
const ALGORITHMS = { RS256: 'RSA', ES256: 'EC' } as const
type Algorithm = keyof typeof ALGORITHMS

const MIN_RSA_BITS = 2048
const MAX_LENGTH = 64 * 1024

/** Undefined if it is not a token, or its signature algorithm is not accepted. */
export function readSignedToken(text: string): SignedToken | undefined {
  const [head = '', body = '', signature = '', ...more] = text.split('.')
  if (text.length > MAX_LENGTH || signature === '' || more.length > 0) return undefined
  const header = readHeader(head)
  const claims = readJson(body)
  if (header === undefined || claims === undefined) return undefined
  return {
    ...header,
    claims,
    signed: Buffer.from(`${head}.${body}`),
    signature: Buffer.from(signature, 'base64url'),
  }
}

/** A key that does not match the algorithm never verifies. */
export function isSignedBy(token: SignedToken, key: PublishedKey): boolean {
  const publicKey = toPublicKey(token.algorithm, key)
  if (publicKey === undefined) return false
  const how = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  return verify('sha256', token.signed, how, token.signature)
}

function toPublicKey(algorithm: Algorithm, key: PublishedKey): KeyObject | undefined {
  const isFit =
    key.kty === ALGORITHMS[algorithm] &&
    (key.use === undefined || key.use === 'sig') &&
    (key.alg === undefined || key.alg === algorithm) &&
    (algorithm !== 'ES256' || key.crv === 'P-256')
  if (!isFit) return undefined
  try {
    const publicKey = createPublicKey({ key, format: 'jwk' })
    const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS
    return bits >= MIN_RSA_BITS ? publicKey : undefined
  } catch {
    // Published data that is not a valid key matches nothing.
    return undefined
  }
}

function readHeader(part: string): Pick<SignedToken, 'algorithm' | 'keyId'> | undefined {
  const header = readJson(part)
  // "crit" lists extensions that must be understood; none are supported.
  if (header === undefined || 'crit' in header) return undefined
  const { alg: algorithm, kid } = header
  if (algorithm !== 'RS256' && algorithm !== 'ES256') return undefined
  return { algorithm, keyId: typeof kid === 'string' ? kid : undefined }
}

function readJson(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
