// Verifies what passkeys sign (Web Authentication). The library is loaded when the first passkey is used: it takes 30 MB
// that most processes never need.
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import type { PasskeySite } from '../../domain/people/passkey.ts'

/** ES256, Ed25519 and RS256: every passkey supports one of them. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const
// Certificates of a maker are neither requested nor read: checking one would connect to the hosts that it names.
const WITHOUT_CERTIFICATES: ReadonlySet<unknown> = new Set(['none', 'packed'])

type Expected = { site: PasskeySite; challenge: string }
export type NewPasskey = { credentialId: Buffer; publicKey: Buffer; signatures: number }
export type NewPasskeyAnswer = { id: string; clientDataJSON: string; attestationObject: string }
export type PasskeyAnswer = {
  id: string
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle: string
}

/** Undefined if anything about it is wrong. */
export async function verifyNewPasskey(
  { id, clientDataJSON, attestationObject }: NewPasskeyAnswer,
  { site, challenge }: Expected,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return refuseInvalid(async () => {
    const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'))
    if (hasCertificates(decodeAttestationObject(bytes))) return undefined
    const response = { clientDataJSON, attestationObject }
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    })
    if (!verified || registrationInfo.credential.id !== id) return undefined
    const { credential } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      signatures: credential.counter,
    }
  })
}

/** The passkey's own count of its signatures. Undefined if anything about the answer is wrong. */
export async function verifyPasskeyAnswer(
  answer: PasskeyAnswer,
  publicKey: Buffer,
  { site, challenge }: Expected,
): Promise<number | undefined> {
  const { id, ...response } = answer
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  return refuseInvalid(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      // The count is judged under a lock, and only after the signature is known to be right.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : undefined
  })
}

function hasCertificates(attestation: AttestationObject): boolean {
  const isPlain = WITHOUT_CERTIFICATES.has(attestation.get('fmt'))
  return !isPlain || attestation.get('attStmt').get('x5c') !== undefined
}

/** The library throws for every answer that is wrong, and for bytes that are no answer at all. */
async function refuseInvalid<T>(verify: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}
